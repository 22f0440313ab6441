// Number of the family of preview sources, which the engine uses directly.
#pragma once

#include "base/family_number.h"

namespace orlop {

inline constexpr FamilyNumber preview_source_number = 1041;

}  // namespace orlop
