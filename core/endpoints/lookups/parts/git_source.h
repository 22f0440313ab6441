// Git repositories that services are built from, as members of a question's input.
#pragma once

#include "base/result.h"
#include "model/value.h"
#include "unit/unit.h"

namespace orlop {

// Add provider, url and token of the repository to the input of a question; the second also branch and root_path.
Result<void> add_git_provider(Unit& unit, const Value& repository, Value& input);
Result<void> add_git_branch(Unit& unit, const Value& repository, Value& input);

}  // namespace orlop
