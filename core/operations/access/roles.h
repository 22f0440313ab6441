// Deleting custom roles, in the place of the plain verb.
#pragma once

#include "ops/call.h"

namespace orlop {

// Error conflict while a member, an invitation or a token holds the role.
Result<Answer> remove_role(Unit& unit, const Call& call);

}  // namespace orlop
