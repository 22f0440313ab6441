// The family of the marks of what is being deleted, which the engine itself has to know.
#pragma once

#include "base/family_number.h"

namespace orlop {

inline constexpr FamilyNumber deletion_number = 1013;

}  // namespace orlop
