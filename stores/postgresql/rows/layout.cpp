#include "rows/layout.h"

#include <string_view>
#include <utility>

#include "server/statements.h"

namespace orlop::postgresql {
namespace {

struct Found {
  bool has_layout = false;
  bool has_others = false;  // other objects, but no table `layout`
  bool has_schema = false;
  int version = 0;
};

Status find(Connection& connection, const Settings& settings, Found& found) {
  const std::string name = literal(settings.schema);
  Rows rows;
  ORLOP_PG_CHECK(connection.query(
      "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname =" + name +
          "), "
          "EXISTS (SELECT FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname =" +
          name +
          "), "
          "EXISTS (SELECT FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname =" +
          name + " AND c.relname = 'layout' AND c.relkind = 'r')",
      rows));
  found = {rows.boolean(0, 2), rows.boolean(0, 1) && !rows.boolean(0, 2), rows.boolean(0, 0), 0};
  if (!found.has_layout) return {};
  ORLOP_PG_CHECK(connection.query(with_prefix("SELECT version FROM @layout", settings.prefix), rows));
  found.version = rows.count() == 1 ? rows.integer(0, 0) : 0;
  return {};
}

// Sets `is_current` to whether the layout is up to date.
Status check(const Found& found, const Settings& settings, bool& is_current) {
  const std::string place = "the schema " + settings.schema + " of " + settings.server;
  is_current = found.version == layout_version;
  if (found.version > layout_version) {
    return {ORLOP_ERROR_STORAGE_NEWER, place + " has layout " + std::to_string(found.version) +
                                           "; this library knows layouts up to " + std::to_string(layout_version)};
  }
  if (found.has_others || (found.has_layout && found.version < 1)) {
    return {ORLOP_ERROR_STORAGE_FOREIGN,
            place + " holds tables that this library did not make; give it a schema of its own"};
  }
  return {};
}

// Uses lz4 if the server has it: all writers wait while the history of a deployment is compressed.
Status compress_bodies(Connection& connection, const Settings& settings) {
  Rows rows;
  ORLOP_PG_CHECK(connection.query(
      "SELECT EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals))",
      rows));
  if (!rows.boolean(0, 0)) return {};
  return connection.execute(with_prefix("ALTER TABLE @record ALTER COLUMN body SET COMPRESSION lz4", settings.prefix));
}

// Stores the names of this library's families. A later version may know others.
Status name_families(Connection& connection, const Settings& settings) {
  Rows rows;
  const std::string table = literal(settings.prefix + "family");
  ORLOP_PG_CHECK(
      connection.query("SELECT NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off' "
                       "AND has_table_privilege(" +
                           table + ", 'SELECT') AND has_table_privilege(" + table +
                           ", 'INSERT') AND has_table_privilege(" + table + ", 'UPDATE')",
                       rows));
  if (!rows.boolean(0, 0)) return {};
  std::string names;
#define ORLOP_FAMILY(number, name) names += std::string(names.empty() ? "" : ", ") + "(" #number ", '" #name "')";
#include "rows/families.def"
#undef ORLOP_FAMILY
  const std::string differing =
      " FROM (VALUES " + names +
      ") AS n(number, name) LEFT JOIN @family AS f ON f.number = n.number WHERE f.name IS DISTINCT FROM n.name";
  ORLOP_PG_CHECK(connection.query(with_prefix("SELECT EXISTS (SELECT" + differing + ")", settings.prefix), rows));
  if (!rows.boolean(0, 0)) return {};
  return connection.execute(with_prefix("INSERT INTO @family SELECT n.number, n.name" + differing +
                                            " ON CONFLICT (number) DO UPDATE SET name = excluded.name",
                                        settings.prefix));
}

Status migrate(Connection& connection, const Settings& settings) {
  ORLOP_PG_CHECK(connection.execute("BEGIN; SELECT set_config('lock_timeout', '" +
                                    std::to_string(settings.lock_timeout.count()) + "', true), pg_advisory_xact_lock(" +
                                    std::to_string(lock_of(settings.schema)) + ")"));
  Found found;
  ORLOP_PG_CHECK(find(connection, settings, found));
  bool is_current = false;
  ORLOP_PG_CHECK(check(found, settings, is_current));
  if (is_current) return {};
  std::string quoted = settings.prefix;
  quoted.pop_back();
  if (!found.has_schema) ORLOP_PG_CHECK(connection.execute("CREATE SCHEMA " + quoted));
  if (found.version < 1) ORLOP_PG_CHECK(connection.execute(with_prefix(layout_1, settings.prefix)));
  if (found.version < 1) ORLOP_PG_CHECK(compress_bodies(connection, settings));
  return connection.execute(with_prefix(layout_2, settings.prefix));
}

Status make(Connection& connection, const Settings& settings) {
  Status migrated = migrate(connection, settings);
  if (migrated.kind == Status::Kind::lost) return migrated;
  Status ended = connection.execute(migrated.ok() ? "COMMIT" : "ROLLBACK");
  return migrated.ok() ? ended : migrated;
}

}  // namespace

std::int64_t lock_of(const std::string& schema) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char letter : "orlop:" + schema) hash = (hash ^ static_cast<std::uint8_t>(letter)) * 1099511628211U;
  return static_cast<std::int64_t>(hash);
}

Status prepare_schema(Connection& connection, const Settings& settings) {
  Found found;
  ORLOP_PG_CHECK(find(connection, settings, found));
  bool is_current = false;
  ORLOP_PG_CHECK(check(found, settings, is_current));
  if (!is_current) ORLOP_PG_CHECK(make(connection, settings));
  ORLOP_PG_CHECK(name_families(connection, settings));
  return connection.machine_type() != 0
             ? Status()
             : connection.find_session();  // this or another process has just created the tables
}

}  // namespace orlop::postgresql
