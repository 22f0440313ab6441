// What lies in a SQLite store, and how an older file becomes one of today.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "store/sqlite_connection.h"

namespace orlop {

// "Orlp", in the file's header: so that the store knows its own files.
inline constexpr std::uint32_t sqlite_application_id = 0x4F726C70;

// Step n (from 0) makes a file of version n one of version n + 1; a new file takes them all. Steps are history: they are never edited.
std::span<const char* const> sqlite_migrations();

// The version that this library writes.
inline std::uint32_t sqlite_schema_version() { return static_cast<std::uint32_t>(sqlite_migrations().size()); }

// Reads the header alone, before SQLite reads the file for itself: so that no other program's file is ever changed.
// Errors: storage_corrupt (no file of this library), storage_newer, storage_failed (it cannot be read).
Result<void> require_own_file(SqliteConnection& connection, const std::string& path);

// Makes the tables of a new file, and migrates an older one; each in one transaction. Then writes down the families' words, for people.
// Errors: storage_corrupt, storage_newer, storage_busy, storage_failed.
Result<void> prepare_schema(SqliteConnection& connection, const std::string& path);

}  // namespace orlop
