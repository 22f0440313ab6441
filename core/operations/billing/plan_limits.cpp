// A new resource must be within the limits of its organization's plan.
#include <string_view>

#include "operations/billing/parts/limits.h"
#include "operations/operation_set.h"

namespace orlop::operation_sets::billing::plan_limits {
namespace {

std::string_view resource_of(const Family& family) {
  if (names_of_kind(family) != nullptr) return "services";
  if (family.name == "project") return "projects";
  if (family.name == "environment") return "environments";
  if (family.name == "cluster") return "clusters";
  return family.name == "member" ? "members" : "";
}

Result<void> check_limit(Unit& unit, const Creation& creation) {
  if (unit.settings().billing.empty() || creation.is_copy) return {};
  const std::string_view resource = resource_of(creation.family);
  return resource.empty() ? Result<void>() : require_room(unit, creation.record.organization, resource);
}

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = FamilyFilter{},
    .created = check_limit,
};

}  // namespace orlop::operation_sets::billing::plan_limits
