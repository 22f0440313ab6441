// The schema of a SQLite store, and the migration of older files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/found_fault.h"
#include "store/sqlite/sqlite_connection.h"

namespace orlop {

// "Orlp", in the file's header, identifies files of this library.
inline constexpr std::uint32_t sqlite_application_id = 0x4F726C70;

// Step n (from 0) migrates a file of version n to version n + 1; a new file runs all of them. Released steps are never
// edited.
std::span<const char* const> sqlite_migrations();

// Returns the version that this library writes.
inline std::uint32_t sqlite_schema_version() { return static_cast<std::uint32_t>(sqlite_migrations().size()); }

// Reads only the header, before SQLite opens the file, so that files of other programs are never changed.
// Errors: storage_foreign (not a file of this library), storage_newer, storage_failed (it cannot be read).
Result<void> require_own_file(SqliteConnection& connection, const std::string& path);

struct PreparedSchema {
  std::vector<FoundFault> mended;           // wrong names of families
  std::vector<std::string> foreign_tables;  // tables of other programs, which are not changed
};

// Creates the tables of a new file or migrates an older one, each in one transaction. Then writes the families: their
// names for readers of the file, and which of them are counted; counts those that are new. Errors: storage_corrupt,
// storage_foreign, storage_newer, storage_busy, storage_failed.
Result<PreparedSchema> prepare_schema(SqliteConnection& connection, const std::string& path);

}  // namespace orlop
