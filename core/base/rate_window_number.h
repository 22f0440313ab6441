// Number of the family of records that count requests, which the engine uses directly.
#pragma once

#include "base/family_number.h"

namespace orlop {

inline constexpr FamilyNumber rate_window_number = 1008;

}  // namespace orlop
