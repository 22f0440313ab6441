// Count of services, for work that is done differently when there are many.
#pragma once

#include <cstdint>
#include <span>

#include "base/id.h"
#include "base/result.h"
#include "unit/unit.h"

namespace orlop {

// Reports whether the store holds more than `than` services in these environments together. Changes of the unit do not
// count.
Result<bool> has_more_services(Unit& unit, std::span<const Id> environments, std::uint64_t than);

}  // namespace orlop
