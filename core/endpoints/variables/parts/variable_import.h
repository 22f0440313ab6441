// Imports of many variables at once.
#pragma once

#include "base/result.h"
#include "unit/operation.h"
#include "unit/unit.h"

namespace orlop {

// Imports the body's variables for this service, its environment and its project. The syntax of all is checked first;
// then variables that their scope refuses are skipped, and not listed as successful in the answer.
Result<Answer> import_variables(Unit& unit, const Call& call, const Record& service);

}  // namespace orlop
