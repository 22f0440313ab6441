// From a valid record to the store's form, and back: the common end of create and edit.
#pragma once

#include "model/validate.h"
#include "ops/unit.h"

namespace orlop {

// Splits `value` into public text and secrets, takes its name and references, and puts it. `record` carries identity and revision.
Result<Record> put_value(Unit& unit, const Family& family, Record record, Value value, EventKind event);

}  // namespace orlop
