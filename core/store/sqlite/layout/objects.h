// What a SQLite file holds, beside what the migrations make.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/sqlite/sqlite_connection.h"

namespace orlop {

// What the migrations compute in C++. May throw SQLite::Exception.
void add_migration_functions(SQLite::Database& database);

// SHA-256 in hexadecimal of the definitions of all objects in the file, and that of a file which holds what the
// migrations make and nothing else. May throw SQLite::Exception.
std::string digest_of_objects(SqliteConnection& connection);
extern const std::string_view sqlite_schema_digest;

// The tables of this version.
std::vector<std::string> sqlite_tables();

// The file of this version holds what its migrations made. Beside that it may hold tables of other programs, such as
// those of a tool that replicates it, with their indexes: they are returned. A trigger would run with every change,
// and a view on our tables hold up the next migration. Error storage_corrupt, naming what is too much or missing. May
// throw SQLite::Exception.
Result<std::vector<std::string>> require_own_objects(SqliteConnection& connection, const std::string& path,
                                                     std::uint32_t version);

}  // namespace orlop
