#include "raw_sqlite.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace bench {
namespace {

constexpr orlop::FamilyNumber family = 31;

void check(int code, sqlite3* database) {
  if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW)
    fail(std::string("sqlite: ") + sqlite3_errmsg(database));
}

void bind(sqlite3_stmt* statement, int place, const orlop::Id& id) {
  sqlite3_bind_blob(statement, place, id.bytes.data(), static_cast<int>(id.bytes.size()), SQLITE_STATIC);
}

void copy_schema(sqlite3* database, const std::string& schema_file) {
  sqlite3* source = nullptr;
  check(sqlite3_open(schema_file.c_str(), &source), source);
  sqlite3_backup* backup = sqlite3_backup_init(database, "main", source, "main");
  sqlite3_backup_step(backup, -1);
  sqlite3_backup_finish(backup);
  sqlite3_close(source);
}

}  // namespace

RawSqlite::RawSqlite(const std::string& file, const char* synchronous, const std::string& schema_file) {
  check(sqlite3_open(file.c_str(), &database_), database_);
  if (!schema_file.empty()) copy_schema(database_, schema_file);
  const std::string pragmas = std::string("PRAGMA synchronous=") + synchronous + "; PRAGMA mmap_size=1073741824;";
  execute(pragmas);
  begin_ = prepare("BEGIN IMMEDIATE");
  commit_ = prepare("COMMIT");
  identity_ = prepare("INSERT INTO identity (id) VALUES (?1)");
  number_ = prepare("SELECT number FROM identity WHERE id = ?1");
  insert_ = prepare(
      "INSERT INTO record (number, family, parent, organization, revision, body, name_key) VALUES (?1, ?2, ?3, ?3, 1, "
      "?4, ?5)");
  child_ = prepare("INSERT INTO child (parent, family, id, number) VALUES (?1, ?2, ?3, ?4)");
  event_ = prepare(
      "INSERT INTO event (at, kind, family, from_state, to_state, subject, owner, organization, revision, id_count) "
      "VALUES (?1, 1, ?2, 0, 0, ?3, ?4, ?4, 1, ?5)");
  run_ = prepare("INSERT INTO event_run (way, key, first, last) VALUES (?1, ?2, ?3, ?4)");
  read_ = prepare("SELECT r.body FROM identity AS i CROSS JOIN record AS r ON r.number = i.number WHERE i.id = ?1");
  list_ = prepare(
      "SELECT r.body FROM child AS c CROSS JOIN record AS r ON r.number = c.number "
      "WHERE c.parent = (SELECT number FROM identity WHERE id = ?1) AND c.family = ?2 ORDER BY c.id");
}

RawSqlite::~RawSqlite() {
  for (sqlite3_stmt* statement : {begin_, commit_, identity_, number_, insert_, child_, event_, run_, read_, list_})
    sqlite3_finalize(statement);
  sqlite3_close(database_);
}

sqlite3_stmt* RawSqlite::prepare(const char* text) {
  sqlite3_stmt* statement = nullptr;
  check(sqlite3_prepare_v3(database_, text, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr), database_);
  return statement;
}

void RawSqlite::step(sqlite3_stmt* statement) {
  check(sqlite3_step(statement), database_);
  sqlite3_reset(statement);
}

orlop::Id RawSqlite::id_of(std::uint64_t index) {
  return orlop::IdMaker(random_source_, index, static_cast<std::uint32_t>(index),
                        {1'767'225'600'000 + static_cast<std::int64_t>(index) / 16})
      .make();
}

std::int64_t RawSqlite::make_number(const orlop::Id& id) {
  bind(identity_, 1, id);
  step(identity_);
  return sqlite3_last_insert_rowid(database_);
}

std::int64_t RawSqlite::number_of(const orlop::Id& id) {
  bind(number_, 1, id);
  check(sqlite3_step(number_), database_);
  const std::int64_t number = sqlite3_column_int64(number_, 0);
  sqlite3_reset(number_);
  return number;
}

void RawSqlite::create(std::string_view body, const orlop::Id& parent) {
  const orlop::Id id = id_of(count_);
  const std::string key = std::string(parent.bytes.begin(), parent.bytes.end()) + std::string("\x00\x1f", 2) +
                          "repository-" + std::to_string(count_);
  step(begin_);
  if (parent != last_parent_) {
    last_parent_ = parent;
    parent_number_ = number_of(parent);
    if (parent_number_ == 0) parent_number_ = make_number(parent);
  }
  const std::int64_t number = make_number(id);
  sqlite3_bind_int64(insert_, 1, number);
  sqlite3_bind_int(insert_, 2, family);
  sqlite3_bind_int64(insert_, 3, parent_number_);
  sqlite3_bind_text(insert_, 4, body.data(), static_cast<int>(body.size()), SQLITE_STATIC);
  sqlite3_bind_blob(insert_, 5, key.data(), static_cast<int>(key.size()), SQLITE_STATIC);
  step(insert_);
  sqlite3_bind_int64(child_, 1, parent_number_);
  sqlite3_bind_int(child_, 2, family);
  bind(child_, 3, id);
  sqlite3_bind_int64(child_, 4, number);
  step(child_);
  sqlite3_bind_int64(event_, 1, 1'767'225'600'000);
  sqlite3_bind_int(event_, 2, family);
  sqlite3_bind_int64(event_, 3, number);
  sqlite3_bind_int64(event_, 4, parent_number_);
  sqlite3_bind_int64(event_, 5, number);
  step(event_);
  const std::int64_t sequence = sqlite3_last_insert_rowid(database_);
  add_run(1, parent_number_, sequence, sequence);
  add_run(3, number, sequence, sequence);
  step(commit_);
  ++count_;
}

void RawSqlite::add_run(int way, std::int64_t key, std::int64_t first, std::int64_t last) {
  sqlite3_bind_int(run_, 1, way);
  sqlite3_bind_int64(run_, 2, key);
  sqlite3_bind_int64(run_, 3, first);
  sqlite3_bind_int64(run_, 4, last);
  step(run_);
}

std::size_t RawSqlite::read(std::uint64_t index) {
  const orlop::Id id = id_of(index);
  bind(read_, 1, id);
  check(sqlite3_step(read_), database_);
  const std::string body(reinterpret_cast<const char*>(sqlite3_column_text(read_, 0)),
                         static_cast<std::size_t>(sqlite3_column_bytes(read_, 0)));
  sqlite3_reset(read_);
  return body.size();
}

std::size_t RawSqlite::list(const orlop::Id& parent) { return list_below(parent, family); }

std::size_t RawSqlite::list(std::span<const orlop::Id> parents, orlop::FamilyNumber wanted) {
  std::size_t size = 0;
  execute("BEGIN");
  for (const orlop::Id& parent : parents) size += list_below(parent, wanted);
  execute("COMMIT");
  return size;
}

std::size_t RawSqlite::list_below(const orlop::Id& parent, orlop::FamilyNumber wanted) {
  std::string bodies;
  bind(list_, 1, parent);
  sqlite3_bind_int(list_, 2, wanted);
  while (sqlite3_step(list_) == SQLITE_ROW) {
    bodies.append(reinterpret_cast<const char*>(sqlite3_column_text(list_, 0)),
                  static_cast<std::size_t>(sqlite3_column_bytes(list_, 0)));
  }
  sqlite3_reset(list_);
  return bodies.size();
}

void RawSqlite::execute(const std::string& text) {
  check(sqlite3_exec(database_, text.c_str(), nullptr, nullptr, nullptr), database_);
}

std::int64_t RawSqlite::number(const char* text) {
  sqlite3_stmt* statement = prepare(text);
  check(sqlite3_step(statement), database_);
  const std::int64_t found = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  return found;
}

void RawSqlite::queue_services(const orlop::Id& environment) {
  sqlite3_stmt* ids = prepare("SELECT number, revision FROM machine WHERE owner = ?1 ORDER BY number");
  sqlite3_stmt* update = prepare(
      "UPDATE machine SET revision = ?2, state = 3, origin_state = 1, action = 1, request = ?3, changed_at = ?4, "
      "configuration = 1, active = 1, execution_id = ?5 WHERE number = ?1 AND revision = ?2 - 1");
  sqlite3_stmt* event = prepare(
      "INSERT INTO event (at, kind, family, from_state, to_state, subject, owner, organization, request, revision, "
      "author, id_count) "
      "VALUES (?1, 4, 11, 1, 3, ?2, ?3, ?3, ?3, 0, 'host', 0)");
  execute("BEGIN IMMEDIATE");
  const std::int64_t owner = number_of(environment);
  const std::string execution = orlop::to_text(environment) + "-1767225600";
  sqlite3_bind_int64(ids, 1, owner);
  std::vector<std::pair<std::int64_t, std::int64_t>> rows;
  while (sqlite3_step(ids) == SQLITE_ROW) rows.emplace_back(sqlite3_column_int64(ids, 0), sqlite3_column_int64(ids, 1));
  std::int64_t first = 0;
  std::int64_t last = 0;
  for (const auto& [number, revision] : rows) {
    sqlite3_bind_int64(update, 1, number);
    sqlite3_bind_int64(update, 2, revision + 1);
    sqlite3_bind_int64(update, 3, owner);
    sqlite3_bind_int64(update, 4, 1'767'225'600'000);
    sqlite3_bind_text(update, 5, execution.data(), static_cast<int>(execution.size()), SQLITE_STATIC);
    step(update);
    sqlite3_bind_int64(event, 1, 1'767'225'600'000);
    sqlite3_bind_int64(event, 2, number);
    sqlite3_bind_int64(event, 3, owner);
    step(event);
    last = sqlite3_last_insert_rowid(database_);
    if (first == 0) first = last;
    add_run(3, number, last, last);
  }
  for (const int way : {1, 2}) {
    if (first != 0) add_run(way, owner, first, last);
  }
  execute("COMMIT");
  for (sqlite3_stmt* statement : {ids, update, event}) sqlite3_finalize(statement);
}

void RawSqlite::checkpoint() { execute("PRAGMA wal_checkpoint(TRUNCATE)"); }
double RawSqlite::text_bytes() {
  return static_cast<double>(number("SELECT sum(length(CAST(body AS BLOB))) FROM record"));
}
std::int64_t RawSqlite::records() { return number("SELECT count(*) FROM record"); }

std::string RawSqlite::an_id_of(orlop::FamilyNumber wanted) {
  sqlite3_stmt* statement = prepare(
      "SELECT i.id FROM record AS r CROSS JOIN identity AS i ON i.number = r.number WHERE r.family = ?1 LIMIT 1");
  sqlite3_bind_int(statement, 1, wanted);
  std::string text;
  if (sqlite3_step(statement) == SQLITE_ROW) {
    orlop::Id id;
    std::copy_n(static_cast<const std::uint8_t*>(sqlite3_column_blob(statement, 0)), id.bytes.size(), id.bytes.begin());
    text = orlop::to_text(id);
  }
  sqlite3_finalize(statement);
  return text;
}

}  // namespace bench
