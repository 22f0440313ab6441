// The family of the records that count requests, which the engine itself has to know.
#pragma once

#include "base/family_number.h"

namespace orlop {

inline constexpr FamilyNumber rate_window_number = 1008;

}  // namespace orlop
