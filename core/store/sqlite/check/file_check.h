// Checks that only a SQLite file needs: its pages, the types of its columns, and consistency of its tables.
#pragma once

#include "store/found_fault.h"
#include "store/sqlite/sqlite_connection.h"

namespace orlop {

// Reads each page of the file, and compares tables and indexes: throws SQLITE_CORRUPT with the first damage. Then
// compares the tables with each other. May throw SQLite::Exception.
void check_file(SqliteConnection& connection, const FaultVisitor& visit);

}  // namespace orlop
