// The conversion of records, machines and events to and from rows of a SQLite file.
#pragma once

#include "store/sqlite_connection.h"
#include "store/store.h"

namespace orlop {

void bind_record(Run& run, const Record& record);
void bind_machine(Run& run, const Machine& machine);
void bind_event(Run& run, const Event& event);

Record read_record(const Run& run);
// Reads into a record whose memory is reused.
void read_record(const Run& run, Record& record);
Machine read_machine(const Run& run);
Event read_event(const Run& run);

}  // namespace orlop
