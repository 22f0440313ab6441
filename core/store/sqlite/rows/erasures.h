// Erasure of records in a SQLite file, many at a time.
#pragma once

#include <span>

#include "store/sqlite/rows/count_rows.h"
#include "store/sqlite/sqlite_connection.h"

namespace orlop {

// Erases the records with their machines, keys and outgoing references, in the open transaction. Ids that the file does
// not hold are ignored, and an id may be there twice. Their numbers stay: events name them. May throw
// SQLite::Exception.
void erase_all(SqliteConnection& connection, std::span<const Id> ids, SqliteCountChanges& counts);

}  // namespace orlop
