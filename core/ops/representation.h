// Requests and answers in a representation of a family (Family::representations).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "ops/call.h"
#include "ops/unit/unit.h"

namespace orlop {

// The body of the request as the family takes it: its own, or what the representation makes of it, in `made`. The request must have one. A large body is not copied
// while other writers wait.
const Value& body_of(const Call& call, Value& made);

// Whether the record is there in the representation of the request; always in the family's own.
Result<bool> is_shown(const Call& call, const Record& record);

// Leaves only those that are.
Result<void> keep_shown(const Call& call, std::vector<Record>& records);

// The family's answer in the form of the request's representation.
Result<std::string> represented(const Call& call, std::string answer);

// render() of verbs.h in the form of the request's representation.
Result<std::string> render_for(Unit& unit, const Call& call, const Record& record);

}  // namespace orlop
