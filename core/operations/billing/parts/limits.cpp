#include "operations/billing/parts/limits.h"

#include <string>
#include <utility>
#include <vector>

#include "base/options/billing_terms.h"
#include "model/registry.h"
#include "operations/services/parts/service_kind.h"
#include "ops/verbs.h"

namespace orlop {
namespace {

Result<std::vector<Id>> children_of(Unit& unit, const std::vector<Id>& parents, FamilyNumber family) {
  std::vector<Id> ids;
  for (const Id& parent : parents) {
    RecordRange range;
    range.key = parent;
    range.family = family;
    range.with_text = false;
    ORLOP_TRY(records, unit.records(range));
    for (const Record& record : records) ids.push_back(record.id);
  }
  return ids;
}

Result<std::int64_t> count_services(Unit& unit, const std::vector<Id>& environments) {
  CountRange range;
  range.keys = environments;
  ORLOP_TRY(counts, unit.counts(range));
  std::int64_t services = 0;
  for (const RecordCount& count : counts) {
    const Family* family = find_family(count.family);
    if (family != nullptr && names_of_kind(*family) != nullptr) services += static_cast<std::int64_t>(count.count);
  }
  return services;
}

Result<std::int64_t> count_of(Unit& unit, const Id& organization, std::string_view resource) {
  const bool is_below_project = resource == "environments" || resource == "services";
  const FamilyNumber family = resource == "clusters" ? find_family("cluster")->number : resource == "members" ? member_number : find_family("project")->number;
  ORLOP_TRY(found, children_of(unit, {organization}, family));
  if (!is_below_project) return static_cast<std::int64_t>(found.size());
  ORLOP_TRY(environments, children_of(unit, found, environment_number));
  if (resource == "environments") return static_cast<std::int64_t>(environments.size());
  return count_services(unit, environments);
}

Result<void> require_at_most(Unit& unit, const Id& organization, std::string_view plan, const PlanLimit& limit, std::int64_t more) {
  ORLOP_TRY(present, count_of(unit, organization, limit.resource));
  const std::int64_t count = present + more;
  if (count <= limit.most) return {};
  return make_error(ErrorCode::conflict, "the plan " + std::string(plan) + " allows " + std::to_string(limit.most) + " " + limit.resource + ", and the organization would have " +
                                             std::to_string(count) + "; change the plan, or delete some");
}

}  // namespace

Result<void> require_room(Unit& unit, const Id& organization, std::string_view resource, std::int64_t more) {
  const auto terms = billing_terms(unit.settings().billing);
  if (!terms || terms->limits.empty()) return {};
  ORLOP_TRY(record, unit.record(organization));
  if (!record) return {};
  ORLOP_TRY(body, unit.value_of(*record));
  const std::string plan(body->text_or("plan", ""));
  for (const PlanLimit& limit : terms->limits) {
    if (limit.plan == plan && limit.resource == resource) ORLOP_CHECK(require_at_most(unit, organization, plan, limit, more));
  }
  return {};
}

Result<void> require_within_limits(Unit& unit, const Id& organization, std::string_view plan) {
  const auto terms = billing_terms(unit.settings().billing);
  if (!terms) return {};
  for (const PlanLimit& limit : terms->limits) {
    if (limit.plan == plan) ORLOP_CHECK(require_at_most(unit, organization, plan, limit, 0));
  }
  return {};
}

}  // namespace orlop
