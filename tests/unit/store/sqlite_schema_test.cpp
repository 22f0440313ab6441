// The file of a SQLite store: its application id, its version, damage, and its views for people.
#include "store/sqlite/layout/schema.h"

#include <algorithm>
#include <string>

#include "model/registry.h"
#include "unit/store/sqlite_file.h"

namespace orlop {
namespace {

Changes one_resource() {
  Changes changes;
  RecordWrite write;
  write.record.id = numbered(1);
  write.record.family = find_family("organization")->number;
  write.record.organization = numbered(1);
  write.record.revision = 1;
  write.record.body = "{\"name\":\"acme\"}";
  changes.records = {write};
  Event event;
  event.at = Instant{1767225600123};
  event.kind = EventKind::state_changed;
  event.family = find_family("organization")->number;
  event.from = 1;
  event.to = 3;
  event.subject = numbered(1);
  changes.events = {event};
  return changes;
}

TEST_F(SqliteFile, a_new_file_says_whose_it_is) {
  ASSERT_TRUE(open_sqlite_store(path, Durability::full));
  EXPECT_EQ(ask("PRAGMA application_id"), std::to_string(sqlite_application_id));
  EXPECT_EQ(ask("PRAGMA user_version"), std::to_string(sqlite_schema_version()));
  EXPECT_EQ(ask("PRAGMA journal_mode"), "wal");
  EXPECT_TRUE(open_sqlite_store(path, Durability::full));
}

TEST_F(SqliteFile, an_empty_file_becomes_a_store) {
  write_bytes("");
  EXPECT_TRUE(open_sqlite_store(path, Durability::full));
}

// As created by Litestream and other tools.
TEST_F(SqliteFile, tables_of_others_are_left_alone) {
  {
    Result<std::unique_ptr<Store>> store = open_sqlite_store(path, Durability::full);
    ASSERT_TRUE(store);
    put(**store, one_resource());
  }
  run("CREATE TABLE theirs (number INTEGER PRIMARY KEY, text); CREATE INDEX theirs_text ON theirs (text); INSERT INTO "
      "theirs VALUES (7, 'kept')");
  for (int opened = 0; opened < 2; ++opened) {
    Result<std::unique_ptr<Store>> store = open_sqlite_store(path, Durability::full);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ((*(*store)->begin(Access::read))->feed_end()->sequence, 1U);
  }
  EXPECT_EQ(ask("SELECT text FROM theirs"), "kept");
}

TEST_F(SqliteFile, a_newer_file_is_refused) {
  ASSERT_TRUE(open_sqlite_store(path, Durability::full));
  run("PRAGMA user_version = 99");
  expect_refused_and_untouched(ErrorCode::storage_newer);
  const std::string message = open_sqlite_store(path, Durability::full).error().message;
  EXPECT_NE(message.find("version 99"), std::string::npos) << message;
  EXPECT_NE(message.find("up to " + std::to_string(sqlite_schema_version())), std::string::npos) << message;
}

TEST_F(SqliteFile, a_newer_version_that_is_still_in_the_log_is_refused) {
  ASSERT_TRUE(open_sqlite_store(path, Durability::full));
  SQLite::Database other(path, SQLite::OPEN_READWRITE);
  other.exec("PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 99");
  const Result<std::unique_ptr<Store>> opened = open_sqlite_store(path, Durability::full);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::storage_newer);
}

TEST_F(SqliteFile, a_file_of_another_program_is_left_alone) {
  write_bytes("dear diary");
  expect_refused_and_untouched(ErrorCode::storage_foreign);
  write_bytes(std::string(10'000, 'x'));
  expect_refused_and_untouched(ErrorCode::storage_foreign);
  std::filesystem::remove(path);
  run("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)");
  expect_refused_and_untouched(ErrorCode::storage_foreign);
  run("PRAGMA application_id = 42; PRAGMA user_version = 1");
  expect_refused_and_untouched(ErrorCode::storage_foreign);
}

TEST_F(SqliteFile, what_this_library_did_not_make_is_refused_by_name) {
  const std::pair<const char*, const char*> planted[] = {
      {"CREATE TRIGGER planted AFTER INSERT ON event BEGIN DELETE FROM record; END",
       "holds what this library did not make: trigger \"planted\""},
      {"CREATE VIEW planted AS SELECT 1", "holds what this library did not make: view \"planted\""},
      {"CREATE INDEX planted ON record (length(body))", "holds what this library did not make: index \"planted\""},
      {"DROP VIEW resource; CREATE VIEW resource AS SELECT 1 AS id",
       "holds what this library did not make: view \"resource\""},
      {"DROP INDEX machine_owner", "lacks what this library made: index \"machine_owner\""},
      {"DROP TABLE family", "lacks what this library made: table \"family\""},
  };
  for (const auto& [sql, refusal] : planted) {
    std::filesystem::remove(path);
    ASSERT_TRUE(open_sqlite_store(path, Durability::full));
    run(sql);
    const Result<std::unique_ptr<Store>> opened = open_sqlite_store(path, Durability::full);
    ASSERT_FALSE(opened) << sql;
    EXPECT_EQ(opened.error().code, ErrorCode::storage_corrupt);
    EXPECT_EQ(opened.error().message, "\"" + path + "\" " + refusal);
  }
}

TEST_F(SqliteFile, what_a_person_had_sqlite_measure_is_no_matter) {
  ASSERT_TRUE(open_sqlite_store(path, Durability::full));
  run("ANALYZE");
  EXPECT_TRUE(open_sqlite_store(path, Durability::full));
}

TEST_F(SqliteFile, a_trigger_that_is_planted_while_it_is_open_does_not_run) {
  Result<std::unique_ptr<Store>> store = open_sqlite_store(path, Durability::full);
  put(**store, one_resource());
  run("CREATE TRIGGER planted AFTER INSERT ON event BEGIN DELETE FROM record; END");
  Changes changes;
  changes.events = {Event{}};
  put(**store, changes);
  EXPECT_EQ(ask("SELECT count(*) || ' ' || (SELECT count(*) FROM event) FROM record"), "1 2");
}

TEST_F(SqliteFile, a_text_that_is_no_utf_8_is_damage) {
  for (const char* column : {"record SET body", "event SET author", "event SET detail", "machine SET reason"}) {
    std::filesystem::remove(path);
    Result<std::unique_ptr<Store>> store = open_sqlite_store(path, Durability::full);
    Changes changes = one_resource();
    Machine machine;
    machine.id = numbered(1);
    machine.revision = 1;
    changes.machines = {machine};
    put(**store, changes);
    run("UPDATE " + std::string(column) + " = CAST(x'7b22ff227d' AS TEXT)");
    Result<std::unique_ptr<Transaction>> transaction = (*store)->begin(Access::read);
    const Result<Shared<Record>> record = (*transaction)->record(numbered(1));
    const Result<Shared<Machine>> found = (*transaction)->machine(numbered(1));
    const Result<void> events = (*transaction)->events({}, [](const Event&) { return true; });
    const std::string table = std::string(column).substr(0, 5);
    EXPECT_EQ(record ? ErrorCode::internal : record.error().code,
              table == "recor" ? ErrorCode::storage_corrupt : ErrorCode::internal)
        << column;
    EXPECT_EQ(found ? ErrorCode::internal : found.error().code,
              table == "machi" ? ErrorCode::storage_corrupt : ErrorCode::internal)
        << column;
    EXPECT_EQ(events ? ErrorCode::internal : events.error().code,
              table == "event" ? ErrorCode::storage_corrupt : ErrorCode::internal)
        << column;
  }
}

TEST_F(SqliteFile, damage_is_reported) {
  {
    Result<std::unique_ptr<Store>> store = open_sqlite_store(path, Durability::full);
    put(**store, one_resource());
  }
  std::string content = bytes();
  std::fill(content.begin() + 4096, content.end(), '\xFF');
  write_bytes(content);
  const Result<std::unique_ptr<Store>> store = open_sqlite_store(path, Durability::full);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::storage_corrupt) << store.error().message;
}

TEST_F(SqliteFile, a_person_can_read_it) {
  Result<std::unique_ptr<Store>> store = open_sqlite_store(path, Durability::full);
  put(**store, one_resource());
  EXPECT_EQ(ask("SELECT id || ' ' || family || ' ' || ifnull(parent, 'root') || ' ' || body FROM resource"),
            "0198a1b2-c3d4-7e5f-8a9b-0c0d0e0f1001 organization root {\"name\":\"acme\"}");
  EXPECT_EQ(
      ask("SELECT sequence || ' ' || at || ' ' || kind || ' ' || from_state || ' ' || to_state || ' ' || subject FROM "
          "event_feed"),
      "1 2026-01-01T00:00:00.123Z state_changed 1 3 0198a1b2-c3d4-7e5f-8a9b-0c0d0e0f1001");
  EXPECT_EQ(ask("SELECT family FROM event_feed"), "organization");
  run("UPDATE family SET word = 'firm' WHERE word = 'organization'; UPDATE record SET family = 65000");
  EXPECT_EQ(ask("SELECT family FROM resource"), "65000");
  *store = nullptr;
  ASSERT_TRUE(open_sqlite_store(path, Durability::full));
  EXPECT_EQ(ask("SELECT family FROM event_feed"), "organization");
}

TEST_F(SqliteFile, its_views_name_each_family) {
  Result<std::unique_ptr<Store>> store = open_sqlite_store(path, Durability::full);
  const auto id_of = [](const Family& family) {
    Id id = numbered(static_cast<std::uint8_t>(family.number));
    id.bytes[14] = static_cast<std::uint8_t>(family.number >> 8);
    return id;
  };
  Changes changes;
  for (const auto families : {all_families(), internal_families()}) {
    for (const Family* family : families) {
      Changes one = one_resource();
      one.records[0].record.id = id_of(*family);
      one.records[0].record.family = family->number;
      one.events[0].family = family->number;
      one.events[0].subject = id_of(*family);
      changes.records.push_back(one.records[0]);
      changes.events.push_back(one.events[0]);
    }
  }
  put(**store, changes);
  for (const auto families : {all_families(), internal_families()}) {
    for (const Family* family : families) {
      const std::string id = to_text(id_of(*family));
      EXPECT_EQ(ask("SELECT family FROM resource WHERE id = '" + id + "'"), family->name);
      EXPECT_EQ(ask("SELECT family FROM event_feed WHERE subject = '" + id + "'"), family->name);
    }
  }
}

TEST_F(SqliteFile, two_engines_on_one_file_see_each_other) {
  Result<std::unique_ptr<Store>> one = open_sqlite_store(path, Durability::full);
  Result<std::unique_ptr<Store>> two = open_sqlite_store(path, Durability::full);
  ASSERT_TRUE(one && two);
  put(**one, one_resource());
  Result<std::unique_ptr<Transaction>> transaction = (*two)->begin(Access::write);
  EXPECT_EQ((*transaction)->apply(one_resource()).error().code, ErrorCode::lost_update);
  transaction = (*two)->begin(Access::write);
  Changes changes;
  changes.events = {Event{}};
  ASSERT_TRUE((*transaction)->apply(changes));
  ASSERT_TRUE((*transaction)->commit());
  EXPECT_EQ((*(*one)->begin(Access::read))->feed_end()->sequence, 2U);
}

// No query scans a table that grows with the store.
TEST_F(SqliteFile, every_read_is_a_search_of_an_index) {
  ASSERT_TRUE(open_sqlite_store(path, Durability::full));
  SQLite::Database database(path);
  for (std::size_t number = 0; number < query_count; ++number) {
    const SqliteQuery query = static_cast<SqliteQuery>(number);
    const std::string text = text_of(query);
    if (text.rfind("SELECT", 0) != 0 && text.rfind("UPDATE", 0) != 0 && text.rfind("DELETE", 0) != 0) continue;
    SQLite::Statement plan(database, "EXPLAIN QUERY PLAN " + text);
    while (plan.executeStep()) {
      const std::string step = plan.getColumn(3).getString();
      // Messages between engines do not grow with the store: they are removed when handled, and there is one lease for
      // each partition.
      if (query == SqliteQuery::peers || query == SqliteQuery::wake_ups || query == SqliteQuery::inbox ||
          query == SqliteQuery::all_leases)
        continue;
      // A bounded read from one end of the index.
      const bool is_bounded = query == SqliteQuery::active_machines && step.find("machine_active") != std::string::npos;
      EXPECT_TRUE(is_bounded || step.rfind("SCAN", 0) != 0) << text << "\n" << step;
      EXPECT_EQ(step.find("TEMP B-TREE"), std::string::npos) << text << "\n" << step;
    }
  }
}

}  // namespace
}  // namespace orlop
