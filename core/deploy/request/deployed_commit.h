// The commit that a deployment used: git_repository.deployed_commit_id of a service and its companions.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "deploy/run/state_transition.h"
#include "model/value.h"
#include "unit/unit.h"

namespace orlop {

// Returns the git repository of a service; null if it has none.
const Value* repository_of(const Value& service);
Value* repository_of(Value& service);

// Returns the commit in the outputs of a build or deploy step as a JSON object with `git_commit_id`, `git_commit_date`,
// `git_commit_author` and `git_commit_tag`; empty if the outputs have none.
std::string commit_in(std::string_view outputs);

// Stores the commit in the record after a successful deployment: the driver's, else the request's (`overrides`, may be
// null). Removes the members if neither is known.
Result<void> store_deployed_commit(Unit& unit, StateTransition& service, const Value* overrides);

}  // namespace orlop
