// Imports of many variables at once.
#pragma once

#include "base/result.h"
#include "unit/operation.h"
#include "unit/unit.h"

namespace orlop {

// Takes the body's variables for this service, its environment and its project. The syntax of all is checked first;
// then each variable that its scope refuses is left out, and is not among the answer's successful ones.
Result<Answer> import_variables(Unit& unit, const Call& call, const Record& service);

}  // namespace orlop
