// Limits of plans: numbers of resources that an organization can have.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "unit/unit.h"

namespace orlop {

// Error conflict if the stored resources (one of limited_resources), those the unit has put and `more` exceed the limit
// of the organization's plan. Counts only if the plan has a limit.
Result<void> require_room(Unit& unit, const Id& organization, std::string_view resource, std::int64_t more = 0);

// Calls require_room() for the limited resource to which records of the family count; returns no error if they count to
// none.
Result<void> require_room(Unit& unit, const Family& family, const Id& organization, std::int64_t more);

// Error conflict if the stored resources exceed a limit of the plan `plan`, to which the organization changes.
Result<void> require_within_limits(Unit& unit, const Id& organization, std::string_view plan);

}  // namespace orlop
