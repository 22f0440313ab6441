// Number of the family of versions that wait for a deployment, which the engine uses directly.
#pragma once

#include "base/family_number.h"

namespace orlop {

inline constexpr FamilyNumber pending_versions_number = 1040;

}  // namespace orlop
