// Files of older versions are migrated to the current one, and read the same.
#include <SQLiteCpp/Statement.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "store/partition.h"
#include "store/sqlite/layout/schema.h"
#include "store/walk.h"
#include "unit/store/sqlite_file.h"

namespace orlop {
namespace {

TEST_F(SqliteFile, a_file_of_version_1_is_migrated_with_all_it_holds) {
  run(data("version_1.sql"));
  {
    Result<std::unique_ptr<Store>> store = open_sqlite_store(path, Durability::full);
    ASSERT_TRUE(store) << store.error().message;
    Result<std::unique_ptr<Transaction>> transaction = (*store)->begin(Access::read);
    const Id id = *parse_id("0198a1b2-c3d4-7e5f-8a9b-0c0d0e0f1001");
    EXPECT_EQ((*(*transaction)->record(id))->body, "{\"name\":\"acme\"}");
    EXPECT_EQ(*(*transaction)->find("organization/acme"), id);
    EXPECT_EQ((*(*transaction)->machine(id))->state, 9);
    EXPECT_EQ((*transaction)->feed_end()->sequence, 1U);
  }
  EXPECT_EQ(ask("PRAGMA user_version"), std::to_string(sqlite_schema_version()));
  EXPECT_EQ(ask("SELECT json_extract(body, '$.name') FROM resource"), "acme");
}

TEST_F(SqliteFile, a_file_of_version_2_is_migrated_and_its_events_have_no_author) {
  run(data("version_1.sql") + data("version_2.sql"));
  {
    Result<std::unique_ptr<Store>> store = open_sqlite_store(path, Durability::full);
    ASSERT_TRUE(store) << store.error().message;
    Changes changes;
    changes.events = {Event{}};
    changes.events[0].author = "zoe@example.com";
    changes.events[0].organization = *parse_id("0198a1b2-c3d4-7e5f-8a9b-0c0d0e0f1001");
    put(**store, changes);
    Result<std::unique_ptr<Transaction>> transaction = (*store)->begin(Access::read);
    std::vector<std::string> authors;
    ASSERT_TRUE((*transaction)->events({}, [&](const Event& event) { return authors.push_back(event.author), true; }));
    EXPECT_EQ(authors, (std::vector<std::string>{"", "zoe@example.com"}));
    std::vector<std::uint64_t> audited;
    ASSERT_TRUE((*transaction)->events({.organization = changes.events[0].organization}, [&](const Event& event) {
      return audited.push_back(event.sequence), true;
    }));
    EXPECT_EQ(audited, std::vector<std::uint64_t>{2});
  }
  EXPECT_EQ(ask("PRAGMA user_version"), std::to_string(sqlite_schema_version()));
  EXPECT_EQ(ask("SELECT group_concat(ifnull(author, '-')) FROM event_feed"), "-,zoe@example.com");
  EXPECT_EQ(ask("PRAGMA integrity_check"), "ok");
}

TEST_F(SqliteFile, a_file_of_version_3_is_migrated_and_its_events_are_found_by_request_and_subject) {
  run(data("version_1.sql") + data("version_2.sql"));
  SQLite::Database(path, SQLite::OPEN_READWRITE).exec(sqlite_migrations()[2]);
  run("PRAGMA user_version = 3; INSERT INTO event (at, kind, family, from_state, to_state, subject, request, revision) "
      "VALUES (1, 1, 1, 0, 0, x'0198a1b2c3d47e5f8a9b0c0d0e0f1001', x'0198a1b2c3d47e5f8a9b0c0d0e0f1002', 1)");
  Result<std::unique_ptr<Store>> store = open_sqlite_store(path, Durability::full);
  ASSERT_TRUE(store) << store.error().message;
  Result<std::unique_ptr<Transaction>> transaction = (*store)->begin(Access::read);
  for (const EventRange& range : {EventRange{.request = numbered(2)}, EventRange{.subject = numbered(1)}}) {
    std::uint64_t last = 0;
    ASSERT_TRUE((*transaction)->events(range, [&](const Event& event) { return last = event.sequence, true; }));
    EXPECT_EQ(last, (*transaction)->feed_end()->sequence);
  }
  EXPECT_EQ(ask("PRAGMA user_version"), std::to_string(sqlite_schema_version()));
}

// Returns an id of a file of version 4; nil for NULL.
Id id_in(const SQLite::Column& column) {
  Id id;
  if (!column.isNull())
    std::copy_n(static_cast<const std::uint8_t*>(column.getBlob()), id.bytes.size(), id.bytes.begin());
  return id;
}

class Version4 : public SqliteFile {
 protected:
  void SetUp() override {
    SqliteFile::SetUp();
    run(data("version_4.sql"));
    std::filesystem::copy_file(path, path + "-before");
    Result<std::unique_ptr<Store>> store = open_sqlite_store(path, Durability::full);
    ASSERT_TRUE(store) << store.error().message;
    store_ = std::move(*store);
    Result<std::unique_ptr<Transaction>> transaction = store_->begin(Access::read);
    ASSERT_TRUE(transaction);
    transaction_ = std::move(*transaction);
  }
  void TearDown() override {
    transaction_.reset();
    store_.reset();
    SqliteFile::TearDown();
  }
  Machine machine_at(const std::string& id) { return **transaction_->machine(*parse_id(id)); }
  Transaction& now() { return *transaction_; }
  SQLite::Database before() { return SQLite::Database(path + "-before"); }

 private:
  std::unique_ptr<Store> store_;
  std::unique_ptr<Transaction> transaction_;
};

TEST_F(Version4, records_read_the_same) {
  SQLite::Database old = before();
  SQLite::Statement rows(old,
                         "SELECT id, family, parent, organization, revision, CAST(name_key AS BLOB), secrets, body "
                         "FROM record ORDER BY id");
  std::size_t count = 0;
  for (; rows.executeStep(); ++count) {
    const Id id = id_in(rows.getColumn(0));
    const Record record = **now().record(id);
    EXPECT_EQ(record.family, rows.getColumn(1).getUInt());
    EXPECT_EQ(record.parent, id_in(rows.getColumn(2)));
    EXPECT_EQ(record.organization, id_in(rows.getColumn(3)));
    EXPECT_EQ(record.revision, rows.getColumn(4).getUInt());
    EXPECT_EQ(record.secrets, rows.getColumn(6).isNull() ? std::string() : rows.getColumn(6).getString());
    EXPECT_EQ(record.body, rows.getColumn(7).getString());
    const RecordLinks links = *now().links(id);
    const std::string key(static_cast<const char*>(rows.getColumn(5).getBlob()),
                          static_cast<std::size_t>(rows.getColumn(5).getBytes()));
    EXPECT_EQ(links.name_key, key);
    if (!key.empty()) { EXPECT_EQ(*now().find(key), id); }
    SQLite::Statement targets(old, "SELECT target FROM reference WHERE source = ?1 ORDER BY target");
    targets.bind(1, id.bytes.data(), 16);
    std::vector<Id> references;
    while (targets.executeStep()) references.push_back(id_in(targets.getColumn(0)));
    EXPECT_EQ(links.references, references);
    std::vector<Id> siblings;
    ASSERT_TRUE(now().records({.key = record.parent, .family = record.family},
                              [&](const Record& each) { return siblings.push_back(each.id), true; }));
    EXPECT_TRUE(std::ranges::binary_search(siblings, id));
  }
  EXPECT_GT(count, 10U);
  EXPECT_EQ(ask("SELECT count(*) FROM record"), std::to_string(count));
}

TEST_F(Version4, machines_read_the_same) {
  SQLite::Database old = before();
  SQLite::Statement rows(old,
                         "SELECT id, family, owner, revision, state, active, attempt, request, stage, step, "
                         "changed_at, deployed FROM machine");
  std::size_t count = 0;
  for (; rows.executeStep(); ++count) {
    const Machine machine = **now().machine(id_in(rows.getColumn(0)));
    EXPECT_EQ(machine.family, rows.getColumn(1).getUInt());
    EXPECT_EQ(machine.owner, id_in(rows.getColumn(2)));
    EXPECT_EQ(machine.revision, rows.getColumn(3).getUInt());
    EXPECT_EQ(machine.state, rows.getColumn(4).getUInt());
    EXPECT_EQ(machine.active, rows.getColumn(5).getInt() == 1);
    EXPECT_EQ(machine.attempt, rows.getColumn(6).getUInt());
    EXPECT_EQ(machine.request, id_in(rows.getColumn(7)));
    EXPECT_EQ(machine.stage, id_in(rows.getColumn(8)));
    EXPECT_EQ(machine.step, id_in(rows.getColumn(9)));
    EXPECT_EQ(machine.changed_at.milliseconds, rows.getColumn(10).getInt64());
    EXPECT_EQ(machine.deployed, rows.getColumn(11).getUInt());
    EXPECT_EQ(machine.partition, partition_of((*now().record(machine.id))->organization));
  }
  EXPECT_EQ(count, 9U);
}

TEST_F(Version4, what_shared_a_column_or_was_a_text_has_its_own) {
  const Machine failed = machine_at("019b76da-a800-7000-8000-e000b4a9e94c");
  EXPECT_EQ(failed.detail->reason, "OUT_OF_DISK");
  EXPECT_EQ(failed.detail->execution_id, "019b76da-a800-7000-8001-7000cf7f7d11-1767225600");
  EXPECT_EQ(failed.timing.phases, (PhaseTimings{*PhaseTiming::of(3, 1, 0), *PhaseTiming::of(4, 2, 30'000)}));
  EXPECT_EQ(failed.timing.started_at, Instant{1767225600000});
  EXPECT_EQ(failed.timing.ended_at, Instant{1767225630000});
  EXPECT_FALSE(failed.timing.canceled_at);
  EXPECT_EQ(failed.stage_order, 2);
  EXPECT_EQ(failed.plan_flags, 25166208U & 0xFFFF);
  EXPECT_EQ(failed.planned_flags, 25166208U >> 16);
  EXPECT_EQ(failed.configuration, ConfigurationState::read);
  EXPECT_EQ(failed.configured, 1U);
  const Machine job = machine_at("019b76da-a800-7000-8000-f000647247f0");
  EXPECT_EQ(job.timing.phases.size(), 3U);
  const Machine cluster = machine_at("019b76da-a800-7000-8000-100050c75938");
  EXPECT_EQ(cluster.detail->triggered_by, "host");
  EXPECT_TRUE(cluster.timing.phases.empty());
  const Machine waiting = machine_at("019b76db-1d30-7000-8003-8000773a10a0");
  EXPECT_EQ(waiting.configuration, ConfigurationState::pending);
  EXPECT_EQ(waiting.configured, 0U);
  EXPECT_FALSE(waiting.timing.started_at);
  EXPECT_FALSE(waiting.step_started_at || waiting.deadline || waiting.last_deployment_at);
  EXPECT_TRUE(failed.step_started_at);
  const Machine request = machine_at("019b76da-a800-7000-8001-7000cf7f7d11");
  EXPECT_EQ(request.number, 1);
  EXPECT_EQ(request.stage_order, 0);
  EXPECT_EQ(request.configuration, ConfigurationState::none);
}

TEST_F(Version4, new_ids_sort_behind_those_that_are_there) {
  const FeedEnd end = *now().feed_end();
  EXPECT_GT(end.id_count, 0x019b0000U);
  EXPECT_LT(end.id_count, 0x01a00000U);
  SQLite::Database old = before();
  SQLite::Statement ids(old, "SELECT id FROM record WHERE family <> 1003");
  while (ids.executeStep()) EXPECT_LE(id_count_of(id_in(ids.getColumn(0))), end.id_count);
}

TEST_F(Version4, counts_are_kept_of_what_was_there) {
  std::vector<Id> ids;
  ASSERT_TRUE(for_each_record(now(), [&](const Record& record) { return ids.push_back(record.id), Result<void>(); }));
  std::size_t count = 0;
  for (const CountRange& range :
       {CountRange{RecordRange::By::reference, ids, 0}, CountRange{RecordRange::By::parent, ids, environment_number}}) {
    std::vector<RecordCount> kept = *now().counts(range);
    std::vector<RecordCount> counted = *now().counted(range);
    for (auto* counts : {&kept, &counted})
      std::ranges::sort(*counts, {}, [](const RecordCount& each) { return std::pair(each.key, each.family); });
    EXPECT_EQ(kept, counted);
    count += kept.size();
  }
  EXPECT_GT(count, 2U);
}

TEST_F(Version4, events_read_the_same) {
  SQLite::Database old = before();
  SQLite::Statement rows(old,
                         "SELECT sequence, at, kind, family, from_state, to_state, subject, owner, organization, "
                         "request, revision, author, detail FROM event");
  std::vector<Event> events;
  ASSERT_TRUE(now().events({}, [&](const Event& event) { return events.push_back(event), true; }));
  for (const Event& event : events) {
    ASSERT_TRUE(rows.executeStep());
    EXPECT_EQ(event.sequence, rows.getColumn(0).getUInt());
    EXPECT_EQ(event.at.milliseconds, rows.getColumn(1).getInt64());
    EXPECT_EQ(static_cast<unsigned>(event.kind), rows.getColumn(2).getUInt());
    EXPECT_EQ(event.family, rows.getColumn(3).getUInt());
    EXPECT_EQ(event.from, rows.getColumn(4).getUInt());
    EXPECT_EQ(event.to, rows.getColumn(5).getUInt());
    EXPECT_EQ(event.subject, id_in(rows.getColumn(6)));
    EXPECT_EQ(event.owner, id_in(rows.getColumn(7)));
    EXPECT_EQ(event.organization, id_in(rows.getColumn(8)));
    EXPECT_EQ(event.request, id_in(rows.getColumn(9)));
    EXPECT_EQ(event.revision, rows.getColumn(10).getUInt());
    EXPECT_EQ(event.author, rows.getColumn(11).getString());
    EXPECT_EQ(event.detail.text(), rows.getColumn(12).getString());
  }
  EXPECT_FALSE(rows.executeStep());
  EXPECT_EQ(events.size(), 59U);
}

TEST_F(Version4, events_are_found_by_organization_request_and_subject) {
  std::vector<Event> all;
  ASSERT_TRUE(now().events({}, [&](const Event& event) { return all.push_back(event), true; }));
  const auto expect_found = [&](const EventRange& range, const auto& is_wanted) {
    std::vector<std::uint64_t> found;
    std::vector<std::uint64_t> wanted;
    ASSERT_TRUE(now().events(range, [&](const Event& event) { return found.push_back(event.sequence), true; }));
    for (const Event& event : all) {
      if (is_wanted(event)) wanted.push_back(event.sequence);
    }
    EXPECT_EQ(found, wanted);
  };
  for (const Event& one : all) {
    if (!one.organization.is_nil()) {
      expect_found({.organization = one.organization},
                   [&](const Event& event) { return event.organization == one.organization && !event.author.empty(); });
    }
    if (!one.request.is_nil())
      expect_found({.request = one.request}, [&](const Event& event) { return event.request == one.request; });
    if (!one.subject.is_nil())
      expect_found({.subject = one.subject}, [&](const Event& event) { return event.subject == one.subject; });
  }
}

}  // namespace
}  // namespace orlop
