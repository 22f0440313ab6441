// How many services there are, for work that depends on whether they are many.
#pragma once

#include <cstdint>
#include <span>

#include "base/id.h"
#include "base/result.h"
#include "unit/unit.h"

namespace orlop {

// Whether the store holds more services than this in these environments together. What the unit has changed does not
// count.
Result<bool> has_more_services(Unit& unit, std::span<const Id> environments, std::uint64_t than);

}  // namespace orlop
