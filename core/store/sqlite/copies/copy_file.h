// Copies of a store in a SQLite file: backups, and what puts them back.
#pragma once

#include <string>

#include "base/result.h"

namespace orlop {

// Writes a copy of the store's file as it is at one instant, with all that is committed. The store may be in use, by
// this process or others: neither readers nor writers wait. `to` is replaced once the copy is complete and durable.
// The copy needs no other file. Errors: storage_foreign, storage_corrupt, storage_failed.
Result<void> back_up_sqlite(const std::string& store, const std::string& to);

// Puts the copy `from` in the place of the store's file, once it is complete, whole and durable. What was there stays
// beside it: returns its name, which ends in ".before-restore"; "" if there was none. Errors: storage_busy (the store
// is in use), storage_foreign, storage_newer, storage_corrupt (of `from`), storage_failed. After an error the store
// is what it was.
Result<std::string> restore_sqlite(const std::string& store, const std::string& from);

}  // namespace orlop
