// Number of the family of users, whose ids are derived from their names (access/user_id.h).
#pragma once

#include "base/family_number.h"

namespace orlop {

inline constexpr FamilyNumber user_number = 72;

}  // namespace orlop
