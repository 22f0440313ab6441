// The events about records: what happened to one, where it lies, and of which organization it is.
#pragma once

#include <cstdint>
#include <string>

#include "unit/unit.h"

namespace orlop {

// Emits an event about `record`. `revision`: the record's after the event, 0 if it tells none. `detail`: a JSON
// object's text; "" for none.
void emit_about(Unit& unit, const Record& record, EventKind kind, std::uint64_t revision, std::string detail = {});

// The same of an edit that is put next.
void emit_edited(Unit& unit, const Record& record, std::string detail = {});

}  // namespace orlop
