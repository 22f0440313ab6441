// Backup and restore of the store that a URL names.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace orlop {

// Writes a copy of the store into the file, as of one instant; the store may be in use. Errors: invalid (the store is
// not in a SQLite file), misuse (the file is that of the store), those of back_up_sqlite() (sqlite/copies/copies.h).
Result<void> back_up_store(std::string_view url, std::string_view file);

// Replaces the store, which must not be in use, by the copy. Returns the name under which the former store is kept;
// empty if there was none. Errors: the same, and storage_busy.
Result<std::string> restore_store(std::string_view url, std::string_view file);

}  // namespace orlop
