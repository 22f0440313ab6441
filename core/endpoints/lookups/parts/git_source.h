// The git repositories that services are built from, as members of a question's input.
#pragma once

#include "base/result.h"
#include "model/value.h"
#include "unit/unit.h"

namespace orlop {

// The first git repository that the service is made of; nullptr if it has none.
const Value* git_repository_of(const Value& service);

// Adds provider, url and token to the input of a question about the repository; and branch and root_path.
Result<void> add_git_provider(Unit& unit, const Value& repository, Value& input);
Result<void> add_git_branch(Unit& unit, const Value& repository, Value& input);

}  // namespace orlop
