// The schema objects of a SQLite file, compared with those that the migrations make.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/sqlite/sqlite_connection.h"

namespace orlop {

// Adds the SQL functions that migrations call. May throw SQLite::Exception.
void add_migration_functions(SQLite::Database& database);

// Returns the SHA-256 in hexadecimal of the definitions of all objects in the file. sqlite_schema_digest is that of a
// file with the objects of the migrations and no others. May throw SQLite::Exception.
std::string digest_of_objects(SqliteConnection& connection);
extern const std::string_view sqlite_schema_digest;

// Returns the tables of this version.
std::vector<std::string> sqlite_tables();

// Checks that the file has all objects of its version. It may also hold tables of other programs, such as those of a
// replication tool, with their indexes: returns their names. Other triggers and views are refused: a trigger would run
// with every change, and a view of our tables would break the next migration. Error storage_corrupt, naming an extra or
// missing object. May throw SQLite::Exception.
Result<std::vector<std::string>> require_own_objects(SqliteConnection& connection, const std::string& path,
                                                     std::uint32_t version);

}  // namespace orlop
