// The limits of plans: how many resources of a kind an organization can have.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "unit/unit.h"

namespace orlop {

// Error conflict if the organization would have more of the resource (one of limited_resources) than its plan allows:
// what there is with what the unit has put, and `more`. Counts only if the plan has a limit for it.
Result<void> require_room(Unit& unit, const Id& organization, std::string_view resource, std::int64_t more = 0);

// The same of what records of the family count as; nothing is wrong where that is no resource with limits.
Result<void> require_room(Unit& unit, const Family& family, const Id& organization, std::int64_t more);

// The same of all resources, for another plan.
Result<void> require_within_limits(Unit& unit, const Id& organization, std::string_view plan);

}  // namespace orlop
