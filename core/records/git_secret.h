// The credentials that git repositories are read with.
#pragma once

#include <string>

#include "base/id.h"
#include "base/result.h"
#include "unit/unit.h"

namespace orlop {

// The secret of the git token; "" for a nil id, and for a token that is gone.
Result<std::string> git_secret_of(Unit& unit, const Id& git_token);

}  // namespace orlop
