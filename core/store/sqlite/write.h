// Applies changes in the open transaction of a connection.
#pragma once

#include "store/sqlite/connection.h"
#include "store/store.h"

namespace orlop {

// Errors: lost_update, conflict, misuse; earlier changes remain until the caller rolls back. May throw SQLite::Exception.
Result<void> apply_changes(SqliteConnection& connection, const Changes& changes);

}  // namespace orlop
