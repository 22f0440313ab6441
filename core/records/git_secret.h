// Credentials for git repositories.
#pragma once

#include <string>

#include "base/id.h"
#include "base/result.h"
#include "unit/unit.h"

namespace orlop {

// Returns the secret of the git token; "" for a nil id and for a deleted token.
Result<std::string> git_secret_of(Unit& unit, const Id& git_token);

}  // namespace orlop
