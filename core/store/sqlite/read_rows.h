// Reads of a transaction on its connection. Each may throw SQLite::Exception.
#pragma once

#include "store/sqlite/sqlite_connection.h"
#include "store/store.h"

namespace orlop {

Shared<Record> read_record(SqliteConnection& connection, const Id& id);
Shared<Machine> read_machine(SqliteConnection& connection, const Id& id);
std::optional<Id> read_name(SqliteConnection& connection, std::string_view name_key);
RecordLinks read_links(SqliteConnection& connection, const Id& id);
void visit_records(SqliteConnection& connection, const RecordRange& range, const RecordVisitor& visit);
void visit_machines(SqliteConnection& connection, const MachineRange& range, const MachineVisitor& visit);
// Visits the machines with these ids, in any order.
void visit_machines(SqliteConnection& connection, std::span<const Id> ids, const MachineVisitor& visit);
// Returns the next family after `family` that has records below the parent; nullopt if none.
std::optional<std::int64_t> next_child_family(SqliteConnection& connection, std::int64_t parent, std::int64_t family);
FeedEnd read_feed_end(SqliteConnection& connection);
void visit_events(SqliteConnection& connection, const EventRange& range, const EventVisitor& visit);

}  // namespace orlop
