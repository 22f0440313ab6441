// Creation of many records that differ in their names.
#pragma once

#include "unit/operation.h"
#include "unit/unit.h"

namespace orlop {

// Whether the operation is the plain create of a family whose records have a required name.
bool creates_by_name(const Operation& operation, const Family& family);

// What create() does for each of Call::names, with the name in the body: the same records, ids and events in the same
// order. The body of the answer is a list of the ids. An error names the first name that is refused. The operation must
// be one that creates_by_name().
Result<Answer> create_many(Unit& unit, const Call& call);

}  // namespace orlop
