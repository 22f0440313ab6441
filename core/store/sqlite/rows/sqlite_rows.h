// How records, machines and events lie in the rows of a SQLite file. Ids lie there as numbers (sqlite_identities.h).
#pragma once

#include <string>

#include "store/sqlite/sqlite_connection.h"
#include "store/store.h"

namespace orlop {

// Their ids get numbers where they have none yet. What is bound has to live until the run ends.
void bind_record(StatementRun& run, SqliteConnection& connection, std::int64_t number, const Record& record);
// `phases`: packed_phases(machine).
void bind_machine(StatementRun& run, SqliteConnection& connection, std::int64_t number, const Machine& machine,
                  const std::string& phases);
void bind_event(StatementRun& run, SqliteConnection& connection, const Event& event);

// "PHASE,STATUS,MILLISECONDS;…"; "" for none.
std::string packed_phases(const Machine& machine);

// `id`: the record's.
Record read_record(const StatementRun& run, SqliteConnection& connection, const Id& id);
// Into a record whose memory is used again.
void read_record(const StatementRun& run, SqliteConnection& connection, const Id& id, Record& record);
// The same of a child: parent and family stay as they are.
void read_child(const StatementRun& run, SqliteConnection& connection, Record& record);
Machine read_machine(const StatementRun& run, SqliteConnection& connection);
// Of a row whose first column is not its id, which stays as it is.
void read_numbered_machine(const StatementRun& run, SqliteConnection& connection, Machine& machine);
// Of ORLOP_MACHINE_STATE_COLUMNS; the rest stays as it is.
void read_machine_state(const StatementRun& run, SqliteConnection& connection, Machine& machine);
Event read_event(const StatementRun& run, SqliteConnection& connection);

}  // namespace orlop
