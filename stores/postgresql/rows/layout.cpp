#include "rows/layout.h"

#include <string_view>
#include <utility>

#include "server/statements.h"

namespace orlop::postgresql {
namespace {

struct Found {
  bool has_layout = false;
  bool has_others = false;  // tables, but no layout
  bool has_schema = false;
  int version = 0;
};

Status find(Connection& connection, const Settings& settings, Found& found) {
  const std::string name = literal(settings.schema);
  Rows rows;
  ORLOP_PG_CHECK(connection.query("SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname =" + name + "), "
                                  "EXISTS (SELECT FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname =" + name + "), "
                                  "EXISTS (SELECT FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname =" + name +
                                  " AND c.relname = 'layout' AND c.relkind = 'r')", rows));
  found = {rows.boolean(0, 2), rows.boolean(0, 1) && !rows.boolean(0, 2), rows.boolean(0, 0), 0};
  if (!found.has_layout) return {};
  ORLOP_PG_CHECK(connection.query(with_prefix("SELECT version FROM @layout", settings.prefix), rows));
  found.version = rows.count() == 1 ? rows.integer(0, 0) : 0;
  return {};
}

// Whether there is something to do.
Status check(const Found& found, const Settings& settings, bool& is_current) {
  const std::string place = "the schema " + settings.schema + " of " + settings.server;
  is_current = found.version == layout_version;
  if (found.version > layout_version) {
    return {ORLOP_ERROR_STORAGE_NEWER, place + " has layout " + std::to_string(found.version) + "; this library knows layouts up to " +
                                           std::to_string(layout_version)};
  }
  if (found.has_others || (found.has_layout && found.version < 1)) {
    return {ORLOP_ERROR_STORAGE_FOREIGN, place + " holds tables that this library did not make; give it a schema of its own"};
  }
  return {};
}

// With lz4 where the server has it: all writers wait while the history of a deployment is compressed.
Status compress_bodies(Connection& connection, const Settings& settings) {
  Rows rows;
  ORLOP_PG_CHECK(connection.query("SELECT EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals))", rows));
  if (!rows.boolean(0, 0)) return {};
  return connection.execute(with_prefix("ALTER TABLE @record ALTER COLUMN body SET COMPRESSION lz4", settings.prefix));
}

Status migrate(Connection& connection, const Settings& settings) {
  ORLOP_PG_CHECK(connection.execute("BEGIN; SELECT set_config('lock_timeout', '" + std::to_string(settings.lock_timeout.count()) +
                                    "', true), pg_advisory_xact_lock(" + std::to_string(lock_of(settings.schema)) + ")"));
  Found found;
  ORLOP_PG_CHECK(find(connection, settings, found));
  bool is_current = false;
  ORLOP_PG_CHECK(check(found, settings, is_current));
  if (is_current) return {};
  std::string quoted = settings.prefix;
  quoted.pop_back();
  if (!found.has_schema) ORLOP_PG_CHECK(connection.execute("CREATE SCHEMA " + quoted));
  ORLOP_PG_CHECK(connection.execute(with_prefix(layout_1, settings.prefix)));
  return compress_bodies(connection, settings);
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
  if (is_current) return connection.machine_type() != 0 ? Status() : connection.find_session();  // another process has just made them
  Status migrated = migrate(connection, settings);
  if (migrated.kind == Status::Kind::lost) return migrated;
  Status ended = connection.execute(migrated.ok() ? "COMMIT" : "ROLLBACK");
  if (!migrated.ok()) return migrated;
  ORLOP_PG_CHECK(std::move(ended));
  return connection.find_session();
}

}  // namespace orlop::postgresql
