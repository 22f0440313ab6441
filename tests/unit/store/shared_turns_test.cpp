// Transactions of several threads in one turn of the writer: one commit, with a separate outcome for each.
#include "store/shared_turns.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "model/registry.h"
#include "store/sqlite/layout/schema.h"
#include "store/sqlite/log/files.h"
#include "store/sqlite/readers.h"
#include "store/sqlite/rows/row_cache.h"
#include "store/sqlite/write_transaction.h"
#include "unit/store/sqlite_file.h"
#include "unit/store/watched_writes.h"

namespace orlop {
namespace {

Changes organization_of(std::uint8_t number, std::uint64_t revision = 1, std::size_t bytes = 10) {
  Changes changes;
  RecordWrite& write = changes.records.emplace_back();
  write.record.id = numbered(number);
  write.record.family = find_family("organization")->number;
  write.record.organization = write.record.id;
  write.record.revision = revision;
  write.expected_revision = revision - 1;
  write.record.body = "{\"name\":\"" + std::string(bytes, 'a') + "\"}";
  Event& event = changes.events.emplace_back();
  event.subject = write.record.id;
  event.family = write.record.family;
  return changes;
}

// A request of one thread: an action that counts its runs.
struct Asked {
  Asked(std::uint8_t record_number, std::function<Result<void>(std::unique_ptr<Transaction>, const Changes&)> work)
      : number(record_number), act(std::move(work)) {}

  std::uint8_t number;
  std::function<Result<void>(std::unique_ptr<Transaction>, const Changes&)> act;
  int runs = 0;
  std::optional<Result<void>> outcome;
  std::string thrown;
  std::thread::id ran_in;
};

Result<void> keep(std::unique_ptr<Transaction> transaction, const Changes& changes) {
  ORLOP_CHECK(transaction->apply(changes));
  return transaction->commit();
}
Result<void> keep_at_once(std::unique_ptr<Transaction> transaction, const Changes& changes) {
  return transaction->apply_and_commit(Changes(changes));
}
Result<void> refuse_before_writing(std::unique_ptr<Transaction>, const Changes&) {
  return make_error(ErrorCode::invalid, "no");
}
Result<void> write_what_is_lost(std::unique_ptr<Transaction> transaction, const Changes& changes) {
  Changes lost = changes;
  lost.records.front().expected_revision = 7;
  lost.records.front().record.revision = 8;
  Changes first = organization_of(200);  // written before the change that fails
  first.records.push_back(lost.records.front());
  return keep(std::move(transaction), first);
}
Result<void> write_and_leave(std::unique_ptr<Transaction> transaction, const Changes& changes) {
  return transaction->apply(changes);
}
Result<void> write_and_throw(std::unique_ptr<Transaction> transaction, const Changes& changes) {
  EXPECT_TRUE(transaction->apply(changes));
  throw std::runtime_error("thrown by the act");
}

// The turns of a store in a file: its own implementation, and the one for any store with transactions.
class OnSqlite {
 public:
  explicit OnSqlite(const std::string& path) {
    auto connection = std::make_unique<SqliteConnection>(path, false);
    connection->database().exec(sqlite_connection_pragmas);
    EXPECT_EQ(connection->use_log(), "wal");
    (void)connection->database().execAndGet("SELECT count(*) FROM sqlite_schema");
    EXPECT_TRUE(connection->prepare_log_header());
    files_.emplace(connection->path());
    readers_.emplace(connection->path(), *files_, 0);
    writer.emplace(std::move(connection), lock_, *files_, cache_, *readers_);
    turn_writer_.emplace(*writer);
    turns.emplace(*turn_writer_);
  }

 private:
  SqliteFileLock lock_;
  SqliteRowCache cache_;
  std::optional<SqliteFiles> files_;
  std::optional<SqliteReaders> readers_;

 public:
  std::optional<SqliteWriter> writer;

 private:
  std::optional<SqliteTurnWriter> turn_writer_;

 public:
  std::optional<SharedTurns> turns;
};

class OnTransactions {
 public:
  explicit OnTransactions(const std::string& path)
      : store_(open_sqlite_store(path, Durability::full).value()), turn_writer_(*store_) {
    turns.emplace(turn_writer_);
  }

 private:
  std::unique_ptr<Store> store_;
  TransactionTurns turn_writer_;

 public:
  std::optional<SharedTurns> turns;
};

template <typename Turns>
class SharedTurnsOf : public SqliteFile {
 protected:
  void open() {
    { ASSERT_TRUE(open_sqlite_store(path, Durability::full)); }
    under_test.emplace(path);
    observer = std::make_unique<SqliteConnection>(path, false);
    (void)observer->database().execAndGet("SELECT count(*) FROM sqlite_schema");
    ASSERT_TRUE(observer->prepare_log_header());
  }
  void TearDown() override {
    observer.reset();
    under_test.reset();
    SqliteFile::TearDown();
  }
  void begin_again() {
    TearDown();
    SetUp();
  }

  // Runs all of them in one turn, in this order: the first one continues when the others wait after it.
  void run_in_one_turn(std::vector<Asked>& asked) {
    is_led = false;
    std::vector<std::thread> threads;
    for (std::size_t at = 0; at < asked.size(); ++at) {
      threads.emplace_back([&, at] { run(asked[at], at == 0 ? asked.size() - 1 : 0); });
      const bool is_last = at + 1 == asked.size();  // lets the first one continue
      while (!is_last && (at == 0 ? !is_led : turns().waiting() != at)) std::this_thread::yield();
    }
    for (std::thread& thread : threads) thread.join();
  }

  SharedTurns& turns() { return *under_test->turns; }
  std::uint32_t commits() const { return observer->log_header().commit_count(); }
  bool is_stored(int number) { return read_record(*observer, numbered(static_cast<std::uint8_t>(number))).has_value(); }
  std::uint64_t last_event() { return read_feed_end(*observer).sequence; }

  std::optional<Turns> under_test;
  std::unique_ptr<SqliteConnection> observer;
  std::atomic<bool> is_led = false;

 private:
  void run(Asked& asked, std::size_t awaited) {
    const Changes changes = organization_of(asked.number);
    try {
      asked.outcome = turns().run([&](std::unique_ptr<Transaction> transaction) {
        ++asked.runs;
        asked.ran_in = std::this_thread::get_id();
        is_led = true;
        while (asked.runs == 1 && turns().waiting() < awaited) std::this_thread::yield();
        return asked.act(std::move(transaction), changes);
      });
    } catch (const std::runtime_error& error) { asked.thrown = error.what(); }
  }
};

using AllTurns = testing::Types<OnSqlite, OnTransactions>;
TYPED_TEST_SUITE(SharedTurnsOf, AllTurns);
using SharedSqliteTurns = SharedTurnsOf<OnSqlite>;

TYPED_TEST(SharedTurnsOf, ShareOneCommitAndRunInTheThreadThatLeads) {
  this->open();
  std::vector<Asked> asked;
  for (std::uint8_t number = 1; number <= 8; ++number)
    asked.emplace_back(number, number % 2 == 0 ? keep_at_once : keep);
  const std::uint32_t before = this->commits();
  this->run_in_one_turn(asked);
  EXPECT_EQ(this->commits(), before + 1);
  for (const Asked& each : asked) {
    EXPECT_TRUE(each.outcome->ok());
    EXPECT_EQ(each.runs, 1);
    EXPECT_EQ(each.ran_in, asked.front().ran_in);
    EXPECT_TRUE(this->is_stored(each.number));
  }
  EXPECT_EQ(this->last_event(), 8U);
}

TYPED_TEST(SharedTurnsOf, OneThatIsRefusedBeforeItWritesCostsTheOthersNothing) {
  this->open();
  std::vector<Asked> asked{{1, keep}, {2, refuse_before_writing}, {3, keep}};
  const std::uint32_t before = this->commits();
  this->run_in_one_turn(asked);
  EXPECT_EQ(this->commits(), before + 1);
  EXPECT_EQ(asked[1].outcome->error().code, ErrorCode::invalid);
  for (const Asked& each : asked) EXPECT_EQ(each.runs, 1);
  EXPECT_TRUE(this->is_stored(1));
  EXPECT_FALSE(this->is_stored(2));
  EXPECT_TRUE(this->is_stored(3));
}

TYPED_TEST(SharedTurnsOf, OneWhoseChangesFailLetsThoseBeforeItRunAgain) {
  for (const auto& act : {write_what_is_lost, write_and_leave, write_and_throw}) {
    this->open();
    std::vector<Asked> asked{{1, keep}, {2, refuse_before_writing}, {3, keep}, {4, act}, {5, keep}};
    this->run_in_one_turn(asked);
    EXPECT_EQ(asked[0].runs, 2);
    EXPECT_EQ(asked[1].runs, 1);
    EXPECT_EQ(asked[2].runs, 2);
    EXPECT_EQ(asked[3].runs, 1);
    EXPECT_EQ(asked[4].runs, 1);
    for (const int number : {1, 3, 5}) EXPECT_TRUE(this->is_stored(number));
    for (const int number : {2, 4, 200}) EXPECT_FALSE(this->is_stored(number));
    EXPECT_EQ(this->last_event(), 3U);
    EXPECT_EQ(asked[3].thrown, act == write_and_throw ? "thrown by the act" : "");
    EXPECT_EQ(asked[3].outcome && !asked[3].outcome->ok(), act == write_what_is_lost);
    this->begin_again();
  }
}

// Includes the first one, without one before it, and the last one, without one after it.
TYPED_TEST(SharedTurnsOf, OnlyWhatIsCommittedIsKeptWhereverItStands) {
  this->open();
  std::vector<Asked> asked{{1, write_and_leave}, {2, keep}, {3, write_what_is_lost}};
  this->run_in_one_turn(asked);
  EXPECT_FALSE(this->is_stored(1));
  EXPECT_TRUE(this->is_stored(2));
  EXPECT_FALSE(this->is_stored(3));
  std::vector<Asked> alone{{4, write_and_leave}};
  this->run_in_one_turn(alone);
  EXPECT_FALSE(this->is_stored(4));
  std::vector<Asked> after{{5, keep}};
  this->run_in_one_turn(after);
  EXPECT_TRUE(this->is_stored(5));
}

// An action that runs again and then fails does not affect the others.
TYPED_TEST(SharedTurnsOf, OneThatFailsWhenItRunsAgainIsNotKept) {
  this->open();
  int runs = 0;
  const auto once = [&runs](std::unique_ptr<Transaction> transaction, const Changes& changes) {
    return ++runs == 1 ? keep(std::move(transaction), changes) : write_what_is_lost(std::move(transaction), changes);
  };
  std::vector<Asked> asked{{1, keep}, {2, once}, {3, keep}, {4, write_what_is_lost}};
  this->run_in_one_turn(asked);
  EXPECT_EQ(asked[1].outcome->error().code, ErrorCode::lost_update);
  EXPECT_TRUE(asked[0].outcome->ok());
  EXPECT_TRUE(asked[2].outcome->ok());
  EXPECT_TRUE(this->is_stored(1));
  EXPECT_FALSE(this->is_stored(2));
  EXPECT_TRUE(this->is_stored(3));
  EXPECT_EQ(this->last_event(), 2U);
}

TYPED_TEST(SharedTurnsOf, AllFailWithTheirCommit) {
  std::atomic<bool> is_full = false;
  const WatchedWrites writes(SQLITE_OPEN_WAL, [&is_full](int) { return is_full ? SQLITE_FULL : SQLITE_OK; });
  this->open();
  std::vector<Asked> asked;
  asked.emplace_back(std::uint8_t{5}, refuse_before_writing);
  for (std::uint8_t number = 1; number <= 4; ++number)
    asked.emplace_back(number, number % 2 == 0 ? keep_at_once : keep);
  is_full = true;
  this->run_in_one_turn(asked);
  is_full = false;
  for (std::size_t at = 1; at <= 4; ++at) {
    ASSERT_FALSE(asked[at].outcome->ok());
    EXPECT_EQ(asked[at].outcome->error().code, ErrorCode::storage_failed);
    EXPECT_EQ(asked[at].runs, 1) << "a store may not know what became of a commit";
    EXPECT_FALSE(this->is_stored(asked[at].number));
  }
  EXPECT_EQ(asked[0].outcome->error().code, ErrorCode::invalid);
  std::vector<Asked> after{{6, keep}};
  this->run_in_one_turn(after);
  EXPECT_TRUE(after[0].outcome->ok());
  EXPECT_EQ(this->last_event(), 1U);
  this->observer.reset();  // before the watched files
  this->under_test.reset();
}

// A writer that has the turn alone and passes it on shares its commit with the pieces of the next turn, and keeps its
// changes when one of them fails.
TEST_F(SharedSqliteTurns, AWriterBeforeThemSharesTheirCommit) {
  for (const auto& act : {keep, write_what_is_lost}) {
    open();
    const std::uint32_t before = commits();
    ASSERT_TRUE(under_test->writer->begin());
    ASSERT_TRUE(under_test->writer->apply(organization_of(9)));
    std::vector<Asked> asked{{1, keep}, {2, act}};
    std::thread others([&] { run_in_one_turn(asked); });
    while (!under_test->writer->is_awaited()) std::this_thread::yield();
    EXPECT_TRUE(under_test->writer->commit());
    others.join();
    EXPECT_EQ(commits(), before + 1);
    EXPECT_TRUE(is_stored(9));
    EXPECT_TRUE(is_stored(1));
    EXPECT_EQ(is_stored(2), act == keep);
    begin_again();
  }
}

}  // namespace
}  // namespace orlop
