// Writing of a validated record: the last part of create and edit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/validate.h"
#include "unit/unit.h"

namespace orlop {

// Splits `value` into public text and secrets, determines name key and references, and writes the record. `record` has
// identity and revision. The event contains the record's name and, for an edit, the names of the `changed` fields,
// never their values.
Result<Record> put_value(Unit& unit, const Family& family, Record record, Value value, EventKind event,
                         const std::vector<std::string>& changed = {});

// put_value() for a new record: `value` lacks id, created_at and updated_at, which are added.
Result<Record> put_new_value(Unit& unit, const Family& family, Record&& record, Value&& value);

}  // namespace orlop
