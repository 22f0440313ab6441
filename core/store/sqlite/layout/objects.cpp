#include "store/sqlite/layout/objects.h"

#include <sqlite3.h>

#include <algorithm>
#include <compare>
#include <cstring>
#include <set>
#include <utility>

#include "base/text/digest.h"
#include "model/form.h"
#include "store/partition.h"
#include "store/sqlite/layout/schema.h"

namespace orlop {
namespace {

Id id_in(sqlite3_value* value) {
  Id id;
  const void* bytes = sqlite3_value_blob(value);
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
  if (bytes != nullptr) std::memcpy(id.bytes.data(), bytes, std::min(size, id.bytes.size()));
  return id;
}

// SQL functions of step 5.
void compute_partition(sqlite3_context* context, int, sqlite3_value** values) {
  sqlite3_result_int(context, partition_of(id_in(values[0])));
}

// For a file of version 4: its ids of version 8 are those of sealing keys, which are derived from other ids.
void compute_id_count(sqlite3_context* context, int, sqlite3_value** values) {
  const Id id = id_in(values[0]);
  sqlite3_result_int64(context, id.bytes[6] >> 4 == 7 ? id_count_of(id) : 0);
}

}  // namespace

void add_migration_functions(SQLite::Database& database) {
  database.createFunction("orlop_partition", 1, true, nullptr, compute_partition, nullptr, nullptr, nullptr);
  database.createFunction("orlop_id_count", 1, true, nullptr, compute_id_count, nullptr, nullptr, nullptr);
}

namespace {

// Tables, indexes, views and triggers of the file, without those of SQLite.
struct SchemaObject {
  std::string type;
  std::string name;
  std::string sql;
  std::string table;

  std::string shown() const { return type + " \"" + name + "\""; }
  std::string line() const { return shown() + ": " + sql + " on " + table; }
  friend auto operator<=>(const SchemaObject&, const SchemaObject&) = default;
};
using SchemaObjects = std::set<SchemaObject>;

SchemaObjects objects_in(SQLite::Database& database) {
  SQLite::Statement rows(database, "SELECT type, name, sql, tbl_name FROM sqlite_schema");
  SchemaObjects objects;
  while (rows.executeStep()) {
    SchemaObject object{rows.getColumn(0).getString(), rows.getColumn(1).getString(), rows.getColumn(2).getString(),
                        rows.getColumn(3).getString()};
    const bool is_of_sqlite = (object.type == "table" || object.type == "index") && object.name.starts_with("sqlite_");
    if (!is_of_sqlite) objects.insert(std::move(object));
  }
  return objects;
}

SchemaObjects objects_made_by(std::uint32_t version) {
  SQLite::Database made(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_NOMUTEX);
  add_migration_functions(made);
  for (std::size_t step = 0; step < version; ++step) made.exec(sqlite_migrations()[step]);
  return objects_in(made);
}

// Objects that the migrations to the current version make. Computed at most once per process, and only if needed: it
// would take most of the time of an open.
const SchemaObjects& current_objects() {
  static const SchemaObjects current = objects_made_by(sqlite_schema_version());
  return current;
}

std::string digest_of(const SchemaObjects& objects) {
  std::set<std::string> lines;
  for (const SchemaObject& object : objects) lines.insert(object.line());
  std::string all;
  for (const std::string& line : lines) all.append(line).append("\n");
  return to_hex(sha256(all));
}

// Reports whether the object is a table of another program that our changes cannot affect; a foreign key to our table
// would be affected.
bool is_apart(SQLite::Database& database, const SchemaObject& object, const SchemaObjects& own) {
  if (object.type != "table" || !object.sql.starts_with("CREATE TABLE")) return false;
  SQLite::Statement keys(database, "SELECT \"table\" FROM pragma_foreign_key_list(?1)");
  keys.bind(1, object.name);
  while (keys.executeStep()) {
    const std::string target = keys.getColumn(0).getString();
    if (std::ranges::any_of(own, [&](const SchemaObject& ours) { return lower_case(ours.name) == lower_case(target); }))
      return false;
  }
  return true;
}

}  // namespace

// A SQLite version that writes definitions differently gets another digest; the objects are then compared one by one.
constexpr std::string_view sqlite_schema_digest = "fa953be4d513f94355dba070b0f4ed8390e7db41d2ea4ad00414a36d7d656c1c";

std::string digest_of_objects(SqliteConnection& connection) { return digest_of(objects_in(connection.database())); }

std::vector<std::string> sqlite_tables() {
  std::vector<std::string> tables;
  for (const SchemaObject& object : current_objects()) {
    if (object.type == "table") tables.push_back(object.name);
  }
  return tables;
}

Result<std::vector<std::string>> require_own_objects(SqliteConnection& connection, const std::string& path,
                                                     std::uint32_t version) {
  const SchemaObjects found = objects_in(connection.database());
  std::vector<std::string> foreign_tables;
  if (version == sqlite_schema_version() && digest_of(found) == sqlite_schema_digest) return foreign_tables;
  const SchemaObjects expected = version == sqlite_schema_version() ? current_objects() : objects_made_by(version);
  for (const SchemaObject& object : found) {
    if (!expected.contains(object) && is_apart(connection.database(), object, expected))
      foreign_tables.push_back(object.name);
  }
  const auto is_foreign = [&](const std::string& table) {
    return std::ranges::find(foreign_tables, table) != foreign_tables.end();
  };
  for (const SchemaObject& object : found) {
    const bool is_allowed =
        expected.contains(object) || (is_foreign(object.table) && (object.type == "table" || object.type == "index"));
    if (!is_allowed)
      return make_error(ErrorCode::storage_corrupt,
                        "\"" + path + "\" holds what this library did not make: " + object.shown());
  }
  for (const SchemaObject& object : expected) {
    if (!found.contains(object))
      return make_error(ErrorCode::storage_corrupt, "\"" + path + "\" lacks what this library made: " + object.shown());
  }
  return foreign_tables;
}

}  // namespace orlop
