// A writer whose COMMIT is under way lets the next one begin: the rows that the next one sees, and its outcome if the
// first commit fails.
#include <libpq-fe.h>
#include <unistd.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "contract/fixture.h"
#include "postgresql/open_store.h"
#include "postgresql/server.h"

namespace orlop::contract {
namespace {

// The store belongs to one process. Its commits are held up in the server: events cannot be inserted while hold() has
// locked their table.
class PassedTurn : public testing::TestWithParam<Access> {
 protected:
  void SetUp() override {
    schema_ = "passed turn " + std::to_string(::getpid());
    name_ = "passing " + std::to_string(::getpid());
    auto opened = open_postgresql(connection_to("direct") + " application_name='" + name_ + "'", schema_);
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
    link_ = PQconnectdb((connection_to("direct") + " options='-c client_min_messages=warning'").c_str());
    Changes first = changes_of({write_of(record_of(1))});
    first.events = {event_of(1)};
    // By another thread: if only one thread writes, no turn is passed.
    ASSERT_TRUE(
        std::async(std::launch::async, [&] { return begin(Access::write)->apply_and_commit(std::move(first)); }).get());
  }
  void TearDown() override {
    store_.reset();
    execute("DROP SCHEMA \"" + schema_ + "\" CASCADE");
    PQfinish(link_);
  }

  std::unique_ptr<Transaction> begin(Access access = Access::optimistic) const {
    auto begun = store_->begin(access);
    EXPECT_TRUE(begun) << (begun ? "" : begun.error().message);
    return begun ? std::move(*begun) : nullptr;
  }
  // Returns the number of rows of the answer.
  int execute(const std::string& text) {
    PGresult* const result = PQexec(link_, text.c_str());
    EXPECT_NE(PQresultStatus(result), PGRES_FATAL_ERROR) << PQresultErrorMessage(result);
    const int rows = PQntuples(result);
    PQclear(result);
    return rows;
  }
  void hold() { execute("BEGIN; LOCK TABLE \"" + schema_ + "\".event_block IN SHARE MODE"); }
  void let_go() { execute("ROLLBACK"); }
  // Ends the server process that waits for the lock of the table, once there is one.
  void kill_held() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (kill_waiting() == 0) {
      ASSERT_LT(std::chrono::steady_clock::now(), end) << "none waits";
      std::this_thread::yield();
    }
  }
  int kill_waiting() {
    return execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '" + name_ +
                   "' AND pid IN (SELECT pid FROM pg_locks WHERE NOT granted AND relation = '\"" + schema_ +
                   "\".event_block'::regclass)");
  }

  // Writes record `number` below the first one, with two events, by a writer that cannot end before let_go(); its turn
  // is passed on earlier.
  std::future<Result<void>> write_held(std::uint64_t number, bool must_fail = false) {
    Changes changes = changes_of({write_of(record_of(number, 1))});
    if (must_fail) changes.coordination.fences = {{3, 7}};
    return write_held(number, std::move(changes));
  }
  std::future<Result<void>> write_held(std::uint64_t number, Changes changes) {
    auto writer = begin(GetParam());
    EXPECT_TRUE(writer->record(id_of(1))->has_value());
    changes.events = {event_of(number), event_of(number)};
    return std::async(std::launch::async, [writer = std::move(writer), changes = std::move(changes)]() mutable {
      return writer->apply_and_commit(std::move(changes));
    });
  }
  static Changes another(std::uint64_t number) {
    Changes changes = changes_of({write_of(record_of(number))});
    changes.events = {event_of(number)};
    return changes;
  }
  // Edits the first record in another process, with the revision that the killed writer had assigned.
  void edit_elsewhere() const {
    auto other = open_postgresql(connection_to("direct"), schema_);
    ASSERT_TRUE(other) << other.error().message;
    auto begun = (*other)->begin(Access::write);
    ASSERT_TRUE(begun);
    ASSERT_TRUE((*begun)->apply_and_commit(edited("elsewhere")));
  }
  static Changes edited(const char* body) {
    Changes changes = changes_of({write_of(record_of(1, 0, 1, 2))});
    changes.records[0].record.body = body;
    return changes;
  }
  void expect_stored(std::uint64_t events, std::initializer_list<std::uint64_t> there,
                     std::initializer_list<std::uint64_t> missing) const {
    for (const Access access : {Access::read, Access::optimistic, Access::write}) {
      const auto reader = begin(access);
      EXPECT_EQ(reader->feed_end()->sequence, events);
      for (const std::uint64_t number : there) EXPECT_TRUE(reader->record(id_of(number))->has_value()) << number;
      for (const std::uint64_t number : missing) EXPECT_FALSE(reader->record(id_of(number))->has_value()) << number;
    }
    std::uint64_t last = 0;
    for (const Event& event : events_of(*begin(Access::read))) EXPECT_EQ(event.sequence, ++last);
    EXPECT_EQ(last, events);
  }

  std::unique_ptr<Store> store_;

 private:
  std::string schema_;
  std::string name_;
  PGconn* link_ = nullptr;
};
INSTANTIATE_TEST_SUITE_P(of, PassedTurn, testing::Values(Access::write, Access::optimistic), [](const auto& info) {
  return info.param == Access::write ? "a_writer" : "an_optimistic_writer";
});

TEST_P(PassedTurn, goes_to_one_that_sees_what_is_being_committed) {
  hold();
  auto first = write_held(2);
  auto second = begin();
  EXPECT_TRUE(second->record(id_of(2))->has_value());
  EXPECT_EQ(second->feed_end()->sequence, 3U);
  EXPECT_FALSE((*store_->begin(Access::read))->record(id_of(2))->has_value()) << "no reader does";
  auto committed = std::async(std::launch::async, [&] { return second->apply_and_commit(another(4)); });
  let_go();
  EXPECT_TRUE(first.get());
  EXPECT_TRUE(committed.get());
  EXPECT_EQ(second->last_number(), 4U);
  second.reset();
  expect_stored(4, {1, 2, 4}, {});
}

TEST_P(PassedTurn, of_one_that_is_killed_makes_what_follows_run_again) {
  hold();
  auto first = write_held(2);
  auto second = begin();
  EXPECT_TRUE(second->record(id_of(2))->has_value());
  kill_held();
  const Result<void> killed = first.get();
  EXPECT_EQ(killed.error().code, GetParam() == Access::write ? ErrorCode::storage_busy : ErrorCode::lost_update)
      << "it was not kept, and can run again";
  let_go();
  const Result<void> followed = second->apply_and_commit(another(4));
  ASSERT_FALSE(followed);
  EXPECT_EQ(followed.error().code, ErrorCode::lost_update);
  second.reset();
  expect_stored(1, {1}, {2, 4});
  ASSERT_TRUE(begin(Access::write)->apply_and_commit(another(4)));
  ASSERT_TRUE(begin()->apply_and_commit(another(5)));
  expect_stored(3, {1, 4, 5}, {2});
}

// The follower commits, or validates before it answers.
TEST_P(PassedTurn, of_one_that_is_killed_lets_nothing_out) {
  for (const bool commits : {true, false}) {
    hold();
    auto first = write_held(2);
    auto second = begin();
    EXPECT_TRUE(second->record(id_of(2))->has_value());
    auto followed = std::async(std::launch::async,
                               [&] { return commits ? second->apply_and_commit(another(4)) : second->validate(); });
    kill_held();
    EXPECT_FALSE(first.get());
    let_go();
    const Result<void> outcome = followed.get();
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::lost_update);
    second.reset();
    expect_stored(1, {1}, {2, 4});
    TearDown();  // a follower of a failed writer waits for others from then on
    SetUp();
  }
}

// Both have committed following the previous commit, each on a connection of its own: the server is not asked for it
// again.
TEST_P(PassedTurn, of_one_that_is_killed_is_no_commit_to_go_on_behind) {
  for (const std::uint64_t number : {2U, 4U}) {
    hold();
    auto first = write_held(number);
    auto followed = std::async(std::launch::async,
                               [number, second = begin()] { return second->apply_and_commit(another(number + 1)); });
    if (number == 4) kill_held();
    let_go();
    EXPECT_EQ(first.get().ok(), number == 2);
    EXPECT_EQ(followed.get().ok(), number == 2);
  }
  expect_stored(4, {1, 2, 3}, {4, 5});
}

TEST_P(PassedTurn, of_one_that_is_killed_makes_a_request_run_again) {
  hold();
  auto first = write_held(2);
  int runs = 0;
  auto request = std::async(std::launch::async, [&] {
    return store_->write([&](std::unique_ptr<Transaction> transaction) -> Result<void> {
      ++runs;
      // Reads from the server, after the outcome of the first writer is known.
      ORLOP_CHECK(
          transaction->records({.by = RecordRange::By::parent, .key = id_of(1)}, [](const Record&) { return true; }));
      return transaction->apply_and_commit(another(4));
    });
  });
  kill_held();
  EXPECT_FALSE(first.get());
  let_go();
  const Result<void> done = request.get();
  EXPECT_TRUE(done) << done.error().message;
  EXPECT_EQ(runs, 2);
  expect_stored(2, {1, 4}, {2});
}

TEST_P(PassedTurn, of_one_that_is_kept_lets_an_answer_out) {
  hold();
  auto first = write_held(2);
  auto second = begin();
  EXPECT_TRUE(second->record(id_of(2))->has_value());
  auto answered = std::async(std::launch::async, [&] { return second->validate(); });
  let_go();
  EXPECT_TRUE(answered.get());
  EXPECT_TRUE(first.get());
}

// The fence is checked after the validation, when the turn has been passed.
TEST_P(PassedTurn, of_one_whose_fence_does_not_hold) {
  hold();
  const Result<void> fenced = write_held(2, true).get();
  ASSERT_FALSE(fenced);
  EXPECT_EQ(fenced.error().code, ErrorCode::lease_lost);
  let_go();
  ASSERT_TRUE(begin(Access::write)->apply_and_commit(another(4)));
  expect_stored(2, {1, 4}, {2});
}

// A revision that was not stored is assigned again, to another row.
TEST_P(PassedTurn, of_one_that_is_killed_leaves_no_row_behind) {
  using Transacts = Result<void> (*)(Transaction&);
  static constexpr Transacts ends[] = {
      [](Transaction& transaction) { return transaction.apply_and_commit(another(4)); },
      [](Transaction& transaction) { return transaction.validate(); },
      [](Transaction& transaction) { return transaction.events({}, [](const Event&) { return true; }); }};
  for (const Transacts end : ends) {
    for (const bool is_followed : {true, false}) {
      hold();
      auto first = write_held(2, edited("of the one that is killed"));
      auto second = is_followed ? begin() : nullptr;
      EXPECT_TRUE(!is_followed || second->record(id_of(1)).value()->body == "of the one that is killed");
      kill_held();
      EXPECT_FALSE(first.get());
      let_go();
      edit_elsewhere();
      if (!is_followed) second = begin();
      const auto found = second->record(id_of(1));
      const Result<void> ended = end(*second);
      EXPECT_TRUE(!ended || (*found)->body == "elsewhere") << "what it has read was never stored";
      second.reset();
      EXPECT_EQ(begin(Access::write)->record(id_of(1)).value()->body, "elsewhere");
      TearDown();
      SetUp();
    }
  }
}

TEST_P(PassedTurn, waits_for_what_the_server_is_asked) {
  hold();
  auto first = write_held(2);
  auto second = begin();
  auto asked = std::async(std::launch::async, [&] {
    std::vector<Id> below;
    EXPECT_TRUE(second->records({.by = RecordRange::By::parent, .key = id_of(1)}, [&below](const Record& record) {
      below.push_back(record.id);
      return true;
    }));
    return below;
  });
  auto third = std::async(std::launch::async, [&] {
    auto writer = begin(Access::write);  // takes the lock, so it waits for both
    return writer->record(id_of(2))->has_value() && writer->record(id_of(4))->has_value();
  });
  EXPECT_EQ(asked.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout)
      << "what the server would answer now is what stood before";
  let_go();
  EXPECT_TRUE(first.get());
  EXPECT_EQ(asked.get(), std::vector<Id>{id_of(2)});
  EXPECT_TRUE(second->apply_and_commit(another(4)));
  second.reset();
  EXPECT_TRUE(third.get());
}

}  // namespace
}  // namespace orlop::contract
