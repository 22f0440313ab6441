#include "store/sqlite/layout/schema.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "model/registry.h"
#include "store/sqlite/layout/layout_5.h"
#include "store/sqlite/layout/objects.h"
#include "store/sqlite/rows/count_rows.h"

namespace orlop {
namespace {

// Text of an id, 36 characters; NULL stays NULL.
#define ORLOP_SQL_ID(column)                                                                                        \
  "nullif(lower(hex(substr(" column ", 1, 4)) || '-' || hex(substr(" column ", 5, 2)) || '-' || hex(substr(" column \
  ", 7, 2)) || '-' || hex(substr(" column ", 9, 2)) || '-' || hex(substr(" column ", 11))), '----')"

// The view of the feed; `more` names the columns that later versions added.
#define ORLOP_SQL_EVENT_FEED(more) \
  "CREATE VIEW event_feed AS SELECT e.sequence AS sequence, strftime('%Y-%m-%dT%H:%M:%fZ', e.at / 1000.0, " \
  "'unixepoch') AS at, "  \
  "CASE e.kind WHEN 1 THEN 'created' WHEN 2 THEN 'edited' WHEN 3 THEN 'deleted' WHEN 4 THEN " \
  "'state_changed' "                   \
  "WHEN 5 THEN 'request_queued' WHEN 6 THEN 'request_started' WHEN 7 THEN 'request_ended' WHEN 8 THEN " \
  "'step_started' "          \
  "WHEN 9 THEN 'step_ended' WHEN 10 THEN 'progress' WHEN 11 THEN 'log_line' WHEN 12 THEN " \
  "'running_changed' "                    \
  "WHEN 13 THEN 'freshness_changed' ELSE e.kind END AS kind, coalesce(f.word, e.family) AS family," \
  " "                            \
  "e.from_state AS from_state, e.to_state AS to_state, " ORLOP_SQL_ID("e.subject") " AS subject," \
  " "                              \
  ORLOP_SQL_ID("e.owner") " AS owner, " ORLOP_SQL_ID("e.organization") " AS organization," \
  " "                                     \
  ORLOP_SQL_ID("e.request") " AS request, e.revision AS revision, " more "e.detail AS " \
  "detail "                                  \
  "FROM event AS e LEFT JOIN family AS f ON f.number = e.family;\n"

// Version 1: the tables. Ids are 16 bytes and nil is NULL; states and kinds are the numbers of the library's enums.
constexpr const char* make_tables = R"sql(
CREATE TABLE record (
  number INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  family INTEGER NOT NULL,
  parent BLOB,
  organization BLOB,
  revision INTEGER NOT NULL,
  name_key TEXT UNIQUE,
  secrets TEXT,
  body TEXT NOT NULL
);
CREATE INDEX record_parent ON record (parent, family, id);

CREATE TABLE reference (
  target BLOB NOT NULL,
  source BLOB NOT NULL REFERENCES record (id) ON DELETE CASCADE,
  PRIMARY KEY (target, source)
) WITHOUT ROWID;
CREATE INDEX reference_source ON reference (source);

CREATE TABLE machine (
  number INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  family INTEGER NOT NULL,
  owner BLOB,
  revision INTEGER NOT NULL,
  state INTEGER NOT NULL,
  origin_state INTEGER NOT NULL,
  action INTEGER NOT NULL,
  freshness INTEGER NOT NULL,
  running INTEGER NOT NULL,
  step_kind INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  traits INTEGER NOT NULL,
  stage_order INTEGER NOT NULL,
  active INTEGER NOT NULL,
  request BLOB,
  stage BLOB,
  step BLOB,
  step_started_at INTEGER NOT NULL,
  deadline INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  last_deployment_at INTEGER NOT NULL,
  configured INTEGER NOT NULL,
  deployed INTEGER NOT NULL,
  detail TEXT
);
CREATE INDEX machine_owner ON machine (owner, id);
CREATE INDEX machine_active ON machine (id) WHERE active = 1;

CREATE TABLE event (
  sequence INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  family INTEGER NOT NULL,
  from_state INTEGER NOT NULL,
  to_state INTEGER NOT NULL,
  subject BLOB,
  owner BLOB,
  organization BLOB,
  request BLOB,
  revision INTEGER NOT NULL,
  detail TEXT
);
)sql";

// Version 2: views for reading in the sqlite3 shell. `family` holds the names for the numbers.
constexpr const char* make_views =
    "CREATE TABLE family (number INTEGER PRIMARY KEY, word TEXT NOT NULL);\n"
    "CREATE VIEW resource AS SELECT " ORLOP_SQL_ID("r.id") " AS id, coalesce(f.word, r.family) AS family, "
    ORLOP_SQL_ID("r.parent") " AS parent, " ORLOP_SQL_ID("r.organization") " AS organization, r.revision AS revision, "
    "r.body AS body FROM record AS r LEFT JOIN family AS f ON f.number = r.family;\n"
    ORLOP_SQL_EVENT_FEED("");

// Version 3: authors of events, and an index of the events of an organization that have one.
constexpr const char* add_authors =
    "ALTER TABLE event ADD COLUMN author TEXT;\n"
    "CREATE INDEX event_authored ON event (organization, sequence) WHERE author IS NOT NULL;\n"
    "DROP VIEW event_feed;\n" ORLOP_SQL_EVENT_FEED("e.author AS author, ");

// Version 4: indexes of events by deployment request and by resource. Each entry ends with the number of the event.
constexpr const char* add_ways_to_events =
    "CREATE INDEX event_request ON event (request) WHERE request IS NOT NULL;\n"
    "CREATE INDEX event_subject ON event (subject) WHERE subject IS NOT NULL;\n";

// Converts `all`, events of one kind of key as number and key, to runs of consecutive numbers with the same key.
#define ORLOP_SQL_RUNS(way, all)                                                                               \
  "INSERT INTO event_run SELECT " way                                                                          \
  ", key, min(sequence), max(sequence) FROM "                                                                  \
  "(SELECT sequence, key, sequence - row_number() OVER (PARTITION BY key ORDER BY sequence) AS run FROM (" all \
  ")) GROUP BY key, run;\n"

// Version 6: runs of events replace one entry per event in three indexes. SqliteEventKey defines `way`.
constexpr const char* make_event_runs =
    "CREATE TABLE event_run (\n"
    "  way INTEGER NOT NULL,\n"
    "  key INTEGER NOT NULL,\n"
    "  first INTEGER NOT NULL,\n"
    "  last INTEGER NOT NULL,\n"
    "  PRIMARY KEY (way, key, first)\n"
    ") WITHOUT ROWID;\n"
    ORLOP_SQL_RUNS("1", "SELECT sequence, organization AS key FROM event WHERE organization IS NOT NULL AND "
    "author IS NOT NULL")
    ORLOP_SQL_RUNS("2", "SELECT sequence, request AS key FROM event WHERE request IS NOT NULL")
    ORLOP_SQL_RUNS("3", "SELECT sequence, subject AS key FROM event WHERE subject IS NOT NULL")
    "DROP INDEX event_organization;\nDROP INDEX event_request;\nDROP INDEX event_subject;\n";

// Version 7: finds the requests of an environment without reading its services.
constexpr const char* find_by_family =
    "DROP INDEX machine_owner;\n"
    "CREATE INDEX machine_owner ON machine (owner, family);\n";

// Version 8: marks that bind a log to the state of its file (log/log_mark.h).
constexpr const char* mark_logs =
    "CREATE TABLE log_mark (number INTEGER PRIMARY KEY, mark BLOB NOT NULL);\n"
    "INSERT INTO log_mark VALUES (1, randomblob(36));\n";

const std::array migrations = {make_tables,     make_views,      add_authors,    add_ways_to_events,
                               sqlite_layout_5, make_event_runs, find_by_family, mark_logs};

Error foreign(const std::string& path) {
  return make_error(ErrorCode::storage_foreign,
                    "\"" + path + "\" is not a store of this library, and was left as it is");
}

Error newer(const std::string& path, std::uint32_t version) {
  return make_error(ErrorCode::storage_newer, "\"" + path + "\" has schema version " + std::to_string(version) +
                                                  ", and this library knows versions up to " +
                                                  std::to_string(migrations.size()));
}

std::uint32_t pragma(SqliteConnection& connection, const char* text) {
  return static_cast<std::uint32_t>(connection.database().execAndGet(text).getInt64());
}

// Returns the version of the file; 0 for a new one.
Result<std::uint32_t> version_of(SqliteConnection& connection, const std::string& path) {
  const std::uint32_t application = pragma(connection, "PRAGMA application_id");
  const std::uint32_t version = pragma(connection, "PRAGMA user_version");
  const bool empty = pragma(connection, "SELECT count(*) FROM sqlite_schema") == 0;
  if (application == 0 && version == 0 && empty) return std::uint32_t{0};
  if (application != sqlite_application_id || version == 0) return foreign(path);
  if (version > migrations.size()) return newer(path, version);
  return version;
}

std::uint32_t big_endian(const unsigned char* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 |
         std::uint32_t{bytes[3]};
}

// Row of a family in the file.
struct KnownFamily {
  std::string name;
  bool is_counted = false;
};

using KnownFamilies = std::map<std::int64_t, KnownFamily>;

KnownFamilies read_families(SqliteConnection& connection) {
  KnownFamilies families;
  StatementRun run = connection.run(SqliteQuery::families);
  run.number(0);
  while (run.step())
    families.emplace_hint(families.end(), run.integer_at(0), KnownFamily{run.text_at(1), run.integer_at(2) != 0});
  return families;
}

// Includes the families of the engine's own records, which the views show, too.
std::vector<const Family*> todays_families() {
  std::vector<const Family*> families(all_families().begin(), all_families().end());
  families.insert(families.end(), internal_families().begin(), internal_families().end());
  return families;
}

// Reports whether the file has the names and the counts of this version's families.
bool are_todays(const KnownFamilies& families) {
  return std::ranges::all_of(todays_families(), [&](const Family* family) {
    const auto known = families.find(family->number);
    return known != families.end() && known->second.name == family->name &&
           known->second.is_counted == family->is_counted;
  });
}

Result<std::vector<FoundFault>> write_families(SqliteConnection& connection) {
  std::vector<FoundFault> mended;
  if (are_todays(read_families(connection))) return mended;
  connection.execute(SqliteQuery::begin_write);
  KnownFamilies known = read_families(connection);  // another process may have written them meanwhile
  for (const Family* family : todays_families()) {
    const std::string name(family->name);
    const auto before = known.find(family->number);
    if (before != known.end() && before->second.name != name) {
      mended.push_back({"family", std::to_string(family->number),
                        "had the name \"" + before->second.name + "\" in the file, and is " + name,
                        "The name was put right when the store was opened.", true});
    }
    if (known[family->number].is_counted != family->is_counted)
      recount_children(connection, family->number, family->is_counted);
    connection.run(SqliteQuery::set_family)
        .number(family->number)
        .text(name)
        .number(family->is_counted ? 1 : 0)
        .change();
  }
  connection.execute(SqliteQuery::commit);
  return mended;
}

}  // namespace

std::span<const char* const> sqlite_migrations() { return migrations; }

Result<void> require_own_file(SqliteConnection& connection, const std::string& path) {
  constexpr std::string_view magic("SQLite format 3\0", 16);
  constexpr std::size_t version_offset = 60;
  constexpr std::size_t application_offset = 68;
  // Beside a journal the header may be half written; SQLite repairs it first, and prepare_schema() checks then.
  if (connection.has_journal()) return {};
  std::array<unsigned char, 100> header{};
  ORLOP_TRY(size, connection.read_file(header));
  if (size == 0) return {};
  const bool own = size == header.size() &&
                   std::string_view(reinterpret_cast<const char*>(header.data()), magic.size()) == magic &&
                   big_endian(&header[application_offset]) == sqlite_application_id;
  if (!own) return foreign(path);
  const std::uint32_t version = big_endian(&header[version_offset]);
  if (version > migrations.size()) return newer(path, version);
  return {};
}

Result<PreparedSchema> prepare_schema(SqliteConnection& connection, const std::string& path) {
  return fenced([&]() -> Result<PreparedSchema> {
    // In one transaction: another process may be creating the file.
    connection.execute(SqliteQuery::begin_read);
    ORLOP_TRY(found, version_of(connection, path));
    PreparedSchema prepared;
    ORLOP_TRY(foreign_tables, require_own_objects(connection, path, found));
    prepared.foreign_tables = std::move(foreign_tables);
    connection.execute(SqliteQuery::commit);
    const auto finish = [&]() -> Result<PreparedSchema> {
      ORLOP_TRY(mended, write_families(connection));
      prepared.mended = std::move(mended);
      return std::move(prepared);
    };
    if (found == migrations.size()) return finish();
    add_migration_functions(connection.database());
    connection.execute(SqliteQuery::begin_write);
    // Another process may have created or migrated it meanwhile.
    ORLOP_TRY(version, version_of(connection, path));
    for (std::size_t step = version; step < migrations.size(); ++step) connection.database().exec(migrations[step]);
    connection.database().exec("PRAGMA application_id = " + std::to_string(sqlite_application_id));
    connection.database().exec("PRAGMA user_version = " + std::to_string(migrations.size()));
    connection.execute(SqliteQuery::commit);
    return finish();
  });
}

}  // namespace orlop
