// Number of the family of marks on resources that are being deleted, which the engine uses directly.
#pragma once

#include "base/family_number.h"

namespace orlop {

inline constexpr FamilyNumber deletion_number = 1013;

}  // namespace orlop
