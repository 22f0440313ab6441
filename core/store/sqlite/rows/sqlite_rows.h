// Encoding of records, machines and events in the rows of a SQLite file. Ids are stored as numbers (identities.h).
#pragma once

#include <string>

#include "store/sqlite/sqlite_connection.h"
#include "store/store.h"

namespace orlop {

// Assigns numbers to ids that have none yet. Bound values must live until the run ends.
void bind_record(StatementRun& run, SqliteConnection& connection, std::int64_t number, const Record& record);
// `phases`: packed_phases(machine).
void bind_machine(StatementRun& run, SqliteConnection& connection, std::int64_t number, const Machine& machine,
                  const std::string& phases);
void bind_event(StatementRun& run, SqliteConnection& connection, const Event& event);

// Returns "PHASE,STATUS,MILLISECONDS;…"; empty if there are no phases.
std::string packed_phases(const Machine& machine);

// `id`: of the record.
Record read_record(const StatementRun& run, SqliteConnection& connection, const Id& id);
// Overwrites `record` and reuses its memory.
void read_record(const StatementRun& run, SqliteConnection& connection, const Id& id, Record& record);
// The same for a child: parent and family stay unchanged.
void read_child(const StatementRun& run, SqliteConnection& connection, Record& record);
Machine read_machine(const StatementRun& run, SqliteConnection& connection);
// For a row whose first column is not the machine's id, which stays unchanged.
void read_numbered_machine(const StatementRun& run, SqliteConnection& connection, Machine& machine);
// Reads ORLOP_MACHINE_STATE_COLUMNS; other members stay unchanged.
void read_machine_state(const StatementRun& run, SqliteConnection& connection, Machine& machine);
Event read_event(const StatementRun& run, SqliteConnection& connection);

}  // namespace orlop
