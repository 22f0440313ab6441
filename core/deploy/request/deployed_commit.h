// The commit that a deployment used: git_repository.deployed_commit_id of a service and its companions.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "deploy/run/state_transition.h"
#include "model/value.h"
#include "unit/unit.h"

namespace orlop {

// The git repository of a service; nullptr if it has none.
const Value* repository_of(const Value& service);
Value* repository_of(Value& service);

// The commit in the outputs of a build or deploy step, as a JSON object; "" if there is none. The members are
// `git_commit_id`, `git_commit_date`, `git_commit_author` and `git_commit_tag`.
std::string commit_in(std::string_view outputs);

// After a successful deployment: stores the commit in the record. It is the driver's, else the request's (`overrides`,
// may be nullptr); if neither is known, the members are removed.
Result<void> store_deployed_commit(Unit& unit, StateTransition& service, const Value* overrides);

}  // namespace orlop
