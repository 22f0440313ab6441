// Backups of a store that a URL names, and what puts them back.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace orlop {

// Writes a copy of the store into the file, as of one instant; the store may be in use. Errors: invalid (no store in
// a SQLite file), misuse (the file is that of the store), those of back_up_sqlite() (sqlite/copies/copies.h).
Result<void> back_up_store(std::string_view url, std::string_view file);

// Puts the copy in the place of the store, which is not in use. Returns the name under which what was there is kept;
// "" if there was nothing. Errors: the same, and storage_busy.
Result<std::string> restore_store(std::string_view url, std::string_view file);

}  // namespace orlop
