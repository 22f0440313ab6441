// Step 5 of the SQLite store's layout. History: never edited once released.
#pragma once

namespace orlop {

// Migrates a file of version 4 to version 5. Needs the SQL functions orlop_partition(id) and orlop_id_count(id), which
// return partition_of and id_count_of.
extern const char* const sqlite_layout_5;

}  // namespace orlop
