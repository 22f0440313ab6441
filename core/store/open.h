// Opens the store that a URL names.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/options/settings.h"
#include "store/store.h"

namespace orlop {

// `mmap_size`: maximum number of bytes of a SQLite file that are read through mapped memory; 0: none. Faster, but if
// the file gets shorter while it is open, or the disk fails, the process ends with SIGBUS.
//
// `log_writes`: how a SQLite file is written (base/options/options.def).
//
// "memory:": lost at close. "sqlite:PATH" or a plain path: a SQLite file, created if it does not exist. Errors: invalid
// (unknown kind of store), storage_busy, storage_failed, storage_newer, storage_corrupt, storage_foreign.
Result<std::unique_ptr<Store>> open_store(std::string_view url, Durability durability = Durability::full,
                                          std::uint64_t mmap_size = 0, LogWrites log_writes = LogWrites::automatic);

// Reports whether the library was built with SQLite; if not, open_sqlite_store() fails with no_such_store().
bool has_sqlite();

// Returns an error that shows the URL and the supported kinds of store. A URL may hold a password: only its scheme is
// shown.
Error no_such_store(std::string_view url);

// Returns the path of the SQLite file that a URL names, in the form that SQLite takes; empty for another kind of store.
// Error invalid: the URL names no store.
Result<std::string> sqlite_path_of(std::string_view url);
// Adds "./" to a path that begins with "file:": SQLite would take it for a URI, which may name another file.
std::string sqlite_file_name(std::string_view path);

std::unique_ptr<Store> open_memory_store();
Result<std::unique_ptr<Store>> open_sqlite_store(std::string_view path, Durability durability,
                                                 std::uint64_t mmap_size = 0,
                                                 LogWrites log_writes = LogWrites::automatic);

}  // namespace orlop
