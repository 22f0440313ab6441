// The check of what only a SQLite file has: its pages, the types of its columns, and how its tables fit together.
#pragma once

#include "store/found_fault.h"
#include "store/sqlite/sqlite_connection.h"

namespace orlop {

// Reads each page of the file, and compares tables and indexes: throws SQLITE_CORRUPT with the first thing that is
// damaged. Then compares the tables with each other. May throw SQLite::Exception.
void check_file(SqliteConnection& connection, const FaultVisitor& visit);

}  // namespace orlop
