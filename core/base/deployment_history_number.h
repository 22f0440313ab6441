// Number of the family of the parts of a request's history, which the engine uses directly.
#pragma once

#include "base/family_number.h"

namespace orlop {

inline constexpr FamilyNumber deployment_history_number = 1009;

}  // namespace orlop
