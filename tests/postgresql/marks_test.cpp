// A writer that follows the last commit of its own process does not ask the server for changes. If another process has
// committed in between, the number of the commit is taken. Other cases of commit marks follow.
#include <libpq-fe.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <utility>

#include "contract/fixture.h"
#include "postgresql/open_store.h"
#include "postgresql/server.h"

namespace orlop::contract {
namespace {

class PostgreSQLMarks : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    schema_ = "marks " + name.substr(0, 40) + " " + std::to_string(::getpid());
    link_ = PQconnectdb((connection_to("direct") + " options='-c client_min_messages=warning'").c_str());
    store_ = open();
    other_ = open();
    Changes first = changes_of({write_of(record_of(1)), write_of(record_of(2, 1)), write_of(record_of(3, 1))});
    first.events = {event_of(1)};
    ASSERT_TRUE(begin(*store_, Access::write)->apply_and_commit(std::move(first)));
    // The first write asks the server for commits after the last known one; the later ones do not.
    for (const std::uint64_t number : {4U, 5U}) ASSERT_TRUE(begin(*store_)->apply_and_commit(another(number)));
  }
  void TearDown() override {
    execute("DROP SCHEMA \"" + schema_ + "\" CASCADE");
    PQfinish(link_);
  }
  std::unique_ptr<Store> open() const {
    auto opened = open_postgresql(connection_to("direct"), schema_);
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
    return opened ? std::move(*opened) : nullptr;
  }
  static std::unique_ptr<Transaction> begin(Store& store, Access access = Access::optimistic) {
    auto begun = store.begin(access);
    EXPECT_TRUE(begun) << (begun ? "" : begun.error().message);
    return begun ? std::move(*begun) : nullptr;
  }
  std::string execute(std::string text) {
    for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@'))
      text.replace(at, 1, "\"" + schema_ + "\".");
    PGresult* const result = PQexec(link_, text.c_str());
    EXPECT_NE(PQresultStatus(result), PGRES_FATAL_ERROR) << PQresultErrorMessage(result);
    std::string value = PQntuples(result) > 0 ? PQgetvalue(result, 0, 0) : "";
    PQclear(result);
    return value;
  }
  static Changes another(std::uint64_t number) {
    Changes changes = changes_of({write_of(record_of(number, 1))});
    changes.events = {event_of(number)};
    return changes;
  }
  static Changes edited(std::uint64_t number, const char* body, std::uint64_t revision = 2) {
    Changes changes = changes_of({write_of(record_of(number, number == 1 ? 0 : 1, 1, revision))});
    changes.records[0].record.body = body;
    return changes;
  }
  void edit_elsewhere(std::uint64_t number) {
    ASSERT_TRUE(begin(*other_, Access::write)->apply_and_commit(edited(number, "elsewhere")));
  }
  // Writes after reading a cached record, while another process changes record 3 in between.
  Result<void> write_after_reading(std::uint64_t number) {
    auto writer = begin(*store_);
    EXPECT_TRUE(writer->record(id_of(number))->has_value());
    edit_elsewhere(3);
    return writer->apply_and_commit(another(6));
  }
  // Checks the number of events and of commit marks; each commit has one mark.
  void expect_stored(std::uint64_t events, std::uint64_t marks) {
    std::uint64_t last = 0;
    for (const Event& event : events_of(*begin(*open(), Access::read))) EXPECT_EQ(event.sequence, ++last);
    EXPECT_EQ(last, events);
    EXPECT_EQ(execute("SELECT count(*) = max(number) AND count(*) = " + std::to_string(marks) + " FROM @commit_mark"),
              "t")
        << execute("SELECT string_agg(number::text, ' ' ORDER BY number) FROM @commit_mark");
  }

  std::unique_ptr<Store> store_;
  std::unique_ptr<Store> other_;

 private:
  std::string schema_;
  PGconn* link_ = nullptr;
};

TEST_F(PostgreSQLMarks, a_commit_in_between_is_found_by_its_number) {
  // The transaction leaves answers on the connection that later reads must not use.
  begin(*store_, Access::write).reset();
  EXPECT_EQ(write_after_reading(3).error().code, ErrorCode::lost_update);
  expect_stored(3, 4);
}

TEST_F(PostgreSQLMarks, a_commit_in_between_that_changes_nothing_of_what_was_read) {
  const Result<void> written = write_after_reading(2);
  EXPECT_TRUE(written) << written.error().message;
  expect_stored(4, 5);
}

// A name that the process has not looked up may have been taken long ago.
TEST_F(PostgreSQLMarks, a_name_that_is_only_taken_to_be_free_is_asked_for) {
  Changes named = another(6);
  named.records[0].name_key = "six";
  ASSERT_TRUE(begin(*store_)->apply_and_commit(std::move(named)));
  auto writer = begin(*store_);
  EXPECT_EQ(*writer->find("six", Expected::absent), std::nullopt);
  EXPECT_EQ(writer->apply_and_commit(another(7)).error().code, ErrorCode::lost_update);
  expect_stored(4, 4);
}

// The marks of old commits are erased, including that of the commit in between.
TEST_F(PostgreSQLMarks, a_number_is_not_taken_to_be_free_because_its_mark_is_erased) {
  auto writer = begin(*store_);
  ASSERT_TRUE(writer->record(id_of(3))->has_value());
  edit_elsewhere(3);
  execute("SET synchronous_commit = off");
  execute("DO $$ BEGIN FOR transaction IN 1 .. 131072 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$");
  execute("DELETE FROM @commit_mark");
  EXPECT_EQ(writer->apply_and_commit(another(6)).error().code, ErrorCode::lost_update);
  EXPECT_EQ(execute("SELECT count(*) FROM @commit_mark"), "0");
}

// Replaces the tables as the restoration of an older dump does, while an engine is open.
TEST_F(PostgreSQLMarks, tables_that_were_made_anew_hold_no_commit_that_is_known) {
  auto writer = begin(*store_);
  ASSERT_TRUE(writer->record(id_of(3))->has_value());
  for (const char* table : {"record", "machine", "event_block", "event_key", "commit_mark"}) {
    const std::string name = table;
    execute("ALTER TABLE @" + name + " RENAME TO before; CREATE TABLE @" + name +
            " (LIKE @before INCLUDING ALL); INSERT INTO @" + name +
            " SELECT * FROM @before; DROP TABLE @before CASCADE");
  }
  execute("DELETE FROM @commit_mark WHERE number > 1; DELETE FROM @event_block WHERE first > 1");
  EXPECT_FALSE(writer->apply_and_commit(another(6)));
  writer.reset();
  expect_stored(1, 1);
  EXPECT_TRUE(begin(*store_, Access::write)->apply_and_commit(another(7)));
  expect_stored(2, 2);
}

// A deferred constraint fails at COMMIT: the server reports the error only at the end of the pipeline.
TEST_F(PostgreSQLMarks, a_commit_that_fails_leaves_nothing_behind) {
  execute(
      "CREATE FUNCTION @refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused at the end'; "
      "END $$; "
      "CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON @record DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE "
      "FUNCTION @refuse()");
  for (int attempt = 0; attempt < 2; ++attempt) {
    const Result<void> refused = store_->write(
        [](std::unique_ptr<Transaction> transaction) { return transaction->apply_and_commit(another(6)); });
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::storage_failed);
    EXPECT_NE(refused.error().message.find("refused at the end"), std::string::npos) << refused.error().message;
    expect_stored(3, 3);
  }
  execute("DROP TRIGGER refuse ON @record");
  for (const std::uint64_t number : {6U, 7U, 8U})
    ASSERT_TRUE(store_->write([&](std::unique_ptr<Transaction> transaction) {
      return transaction->apply_and_commit(another(number));
    })) << number;
  expect_stored(6, 6);
}

// Changes that need several pipelines are still one transaction.
TEST_F(PostgreSQLMarks, changes_whose_second_half_fails_leave_nothing_behind) {
  Changes twice = another(6);
  twice.records.push_back(edited(6, "again").records[0]);
  Changes halved = twice;
  halved.records.push_back(edited(6, "once more", 7).records[0]);
  for (const bool fails : {true, false}) {
    const Result<void> written = begin(*store_)->apply_and_commit(fails ? Changes(halved) : Changes(twice));
    EXPECT_EQ(written.ok(), !fails) << written.error().message;
    EXPECT_EQ(begin(*open(), Access::read)->record(id_of(6))->has_value(), !fails);
  }
  expect_stored(4, 4);
}

// A rollback in the middle leaves the connection usable.
TEST_F(PostgreSQLMarks, a_name_that_is_taken) {
  Changes named = another(6);
  named.records[0].name_key = "six";
  ASSERT_TRUE(begin(*other_, Access::write)->apply_and_commit(Changes(named)));
  Changes same = another(7);
  same.records[0].name_key = "six";
  EXPECT_FALSE(begin(*store_)->apply_and_commit(std::move(same)));
  ASSERT_TRUE(begin(*store_)->apply_and_commit(another(8)));
  expect_stored(5, 5);
}

}  // namespace
}  // namespace orlop::contract
