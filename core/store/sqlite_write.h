// Puts changes into the open transaction of a connection.
#pragma once

#include "store/sqlite_connection.h"
#include "store/store.h"

namespace orlop {

// Errors: lost_update, conflict, misuse; what went in before stays until the caller rolls back. May throw SQLite::Exception.
Result<void> apply_changes(SqliteConnection& connection, const Changes& changes);

}  // namespace orlop
