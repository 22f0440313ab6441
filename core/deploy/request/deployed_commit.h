// The commit that a deployment used: git_repository.deployed_commit_id of a service and what goes with it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "deploy/run/state_transition.h"
#include "model/value.h"
#include "ops/unit.h"

namespace orlop {

// The repository that a service is built or read from; nullptr if it has none.
const Value* repository_of(const Value& service);
Value* repository_of(Value& service);

// What the outputs of a build or deploy step say of the commit, as a JSON object; "" if they say nothing. The members are
// `git_commit_id`, `git_commit_date`, `git_commit_author` and `git_commit_tag`.
std::string commit_in(std::string_view outputs);

// After a deployment that succeeded: the record says what it used. That is what the driver said, else the commit that the request asked
// for (`overrides`, may be nullptr); where neither is known, the record says nothing.
Result<void> store_deployed_commit(Unit& unit, StateTransition& service, const Value* overrides);

}  // namespace orlop
