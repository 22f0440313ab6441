// Applies changes in the open transaction of a connection.
#pragma once

#include "store/sqlite/rows/known_rows.h"
#include "store/sqlite/rows/row_cache.h"
#include "store/sqlite/sqlite_connection.h"
#include "store/store.h"

namespace orlop {

// Errors: lost_update, conflict, misuse; earlier changes remain until the caller rolls back. May throw
// SQLite::Exception. `rows`: cached rows of the connection, which are updated. `stale`: gets invalidations that do not
// follow from the changes alone.
Result<void> apply_changes(SqliteConnection& connection, SqliteKnownRows& rows, SqliteStaleRows& stale,
                           const Changes& changes);

}  // namespace orlop
