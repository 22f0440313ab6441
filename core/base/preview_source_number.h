// The family of what previews show, which the engine itself has to know.
#pragma once

#include "base/family_number.h"

namespace orlop {

inline constexpr FamilyNumber preview_source_number = 1041;

}  // namespace orlop
