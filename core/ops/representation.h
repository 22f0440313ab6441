// Requests and answers in a representation of a family (Family::representations).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "ops/call.h"
#include "ops/unit/unit.h"

namespace orlop {

// The body of the request as the family takes it: `changed` if it had to be. The request must have one.
const Value& body_of(const Call& call, Value& changed);

// Whether the record is there in the representation of the request; always in the family's own.
Result<bool> is_shown(const Call& call, const Record& record);

// Leaves only those that are.
Result<void> keep_shown(const Call& call, std::vector<Record>& records);

// The family's answer in the form of the request's representation.
Result<std::string> represented(const Call& call, std::string answer);

// render() of verbs.h in the form of the request's representation.
Result<std::string> render_for(Unit& unit, const Call& call, Record record);

}  // namespace orlop
