// Writing of a validated record, the last part of create and edit; and events about records.
#pragma once

#include <cstdint>
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

// Emits an event about `record`. `revision`: the record's after the event, 0 if the event has none. `detail`: text of a
// JSON object; "" for none.
void emit_about(Unit& unit, const Record& record, EventKind kind, std::uint64_t revision, std::string detail = {});

// Emits the event of an edit, before the record is put.
void emit_edited(Unit& unit, const Record& record, std::string detail = {});

}  // namespace orlop
