// Opens the store that a URL names.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/options/settings.h"
#include "store/store.h"

namespace orlop {

// `mmap_size` bytes of a SQLite file, at most, are read through mapped memory: faster, but a file that gets shorter
// while it is open, or a disk that fails, then ends the process with SIGBUS. 0: none.
//
// `log_writes`: how a SQLite file is written; automatic where SQLite's files are those of the operating system.
//
// "memory:": lost at close. "sqlite:PATH" or a plain path: a SQLite file, created if it does not exist. Errors: invalid
// (unknown kind of store), storage_busy, storage_failed, storage_newer, storage_corrupt, storage_foreign.
Result<std::unique_ptr<Store>> open_store(std::string_view url, Durability durability = Durability::full,
                                          std::uint64_t mmap_size = 0, LogWrites log_writes = LogWrites::automatic);

// Whether the library was built with SQLite; open_sqlite_store() else fails with no_such_store().
bool has_sqlite();

// What a store may be, and what was given. A URL may hold a password: only its scheme is shown.
Error no_such_store(std::string_view url);

// The path of the SQLite file that a URL names, as SQLite takes it; "" for another kind of store. Error invalid: it
// names no store.
Result<std::string> sqlite_path_of(std::string_view url);
// SQLite takes a name that begins with "file:" for a URI, which may name another file, or none.
std::string sqlite_file_name(std::string_view path);

std::unique_ptr<Store> open_memory_store();
Result<std::unique_ptr<Store>> open_sqlite_store(std::string_view path, Durability durability,
                                                 std::uint64_t mmap_size = 0,
                                                 LogWrites log_writes = LogWrites::automatic);

}  // namespace orlop
