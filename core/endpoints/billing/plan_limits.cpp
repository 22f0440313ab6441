// A new resource must be within the limits of its organization's plan.
#include "endpoints/billing/parts/limits_of_plan.h"
#include "endpoints/operation_set.h"

namespace orlop::operation_sets::billing::plan_limits {
namespace {

Result<void> check_limit(Unit& unit, const Creation& creation) {
  return creation.is_copy ? Result<void>() : require_room(unit, creation.family, creation.record.organization, 0);
}

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = FamilyFilter{},
    .created = check_limit,
};

}  // namespace orlop::operation_sets::billing::plan_limits
