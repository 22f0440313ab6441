// Backup and restore of a store in a SQLite file.
#pragma once

#include <string>

#include "base/result.h"

namespace orlop {

// Writes a copy of the store's file as of one instant, with all commits. The store may be in use, by this process or
// others: neither readers nor writers wait. `to` is replaced once the copy is complete and durable. The copy needs no
// other file. Errors: storage_foreign, storage_corrupt, storage_failed.
Result<void> back_up_sqlite(const std::string& store, const std::string& to);

// Replaces the store's file by the copy `from`, once it is complete, whole and durable. Returns the name under which
// the former file is kept, which ends in ".before-restore"; empty if there was none. Errors: storage_busy (the store is
// in use), storage_foreign, storage_newer, storage_corrupt (of `from`), storage_failed. After an error the store is
// unchanged.
Result<std::string> restore_sqlite(const std::string& store, const std::string& from);

}  // namespace orlop
