// Applies changes in the open transaction of a connection.
#pragma once

#include "store/sqlite/rows/known_rows.h"
#include "store/sqlite/rows/row_cache.h"
#include "store/sqlite/sqlite_connection.h"
#include "store/store.h"

namespace orlop {

// Errors: lost_update, conflict, misuse; earlier changes remain until the caller rolls back. May throw
// SQLite::Exception. `rows`: what is known of the connection's rows, which follows the changes. `stale`: gets what the
// changes alone do not say.
Result<void> apply_changes(SqliteConnection& connection, SqliteKnownRows& rows, SqliteStaleRows& stale,
                           const Changes& changes);

}  // namespace orlop
