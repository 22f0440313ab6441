// Events about records.
#pragma once

#include <cstdint>
#include <string>

#include "unit/unit.h"

namespace orlop {

// Emits an event about `record`. `revision`: the record's after the event, 0 if the event has none. `detail`: text of a
// JSON object; "" for none.
void emit_about(Unit& unit, const Record& record, EventKind kind, std::uint64_t revision, std::string detail = {});

// Emits the event of an edit, before the record is put.
void emit_edited(Unit& unit, const Record& record, std::string detail = {});

}  // namespace orlop
