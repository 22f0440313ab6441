// Erasure of many records in a SQLite file.
#pragma once

#include <span>

#include "store/sqlite/rows/count_rows.h"
#include "store/sqlite/sqlite_connection.h"

namespace orlop {

// Erases the records with their machines, keys and outgoing references, in the open transaction. Unknown and repeated
// ids are ignored. The numbers of the ids stay, because events use them. May throw SQLite::Exception.
void erase_all(SqliteConnection& connection, std::span<const Id> ids, SqliteCountChanges& counts);

}  // namespace orlop
