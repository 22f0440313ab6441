// From a valid record to the store's form, and back: the common end of create and edit.
#pragma once

#include <string>
#include <vector>

#include "model/validate.h"
#include "ops/unit.h"

namespace orlop {

// Splits `value` into public text and secrets, takes its name and references, and puts it. `record` carries identity and revision.
// The event tells the record's name, and of an edit the names of the fields that `changed`; never what they hold.
Result<Record> put_value(Unit& unit, const Family& family, Record record, Value value, EventKind event,
                         const std::vector<std::string>& changed = {});

}  // namespace orlop
