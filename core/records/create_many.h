// Creation of many records that differ in their names.
#pragma once

#include "unit/operation.h"
#include "unit/unit.h"

namespace orlop {

// Reports whether the operation is the plain create of a family whose records have a required name.
bool creates_by_name(const Operation& operation, const Family& family);

// Does the same as create() for each of Call::names, with the name in the body: the same records, ids and events in the
// same order. The answer's body is a list of the ids. An error names the first name that is refused. The operation must
// satisfy creates_by_name().
Result<Answer> create_many(Unit& unit, const Call& call);

}  // namespace orlop
