// Step 5 of the SQLite store's layout. History: never edited once released.
#pragma once

namespace orlop {

// Makes a file of version 4 one of version 5. Needs the SQL function orlop_partition(id), which answers partition_of.
extern const char* const sqlite_layout_5;

}  // namespace orlop
