// Many threads on one store: readers see whole commits, writers lose nothing, event numbers have no gaps.
#include <atomic>
#include <latch>
#include <thread>

#include "contract/fixture.h"

namespace orlop::contract {
namespace {

constexpr std::uint64_t account_count = 8;

std::int64_t amount_of(const Record& record) { return std::stoll(record.body); }

class Threads : public Contract {
 protected:
  // Two accounts whose bodies are amounts; their sum never changes.
  void open_accounts() {
    Changes changes;
    for (std::uint64_t number = 1; number <= account_count; ++number) {
      RecordWrite write = write_of(record_of(number, 0));
      write.record.body = "1000";
      changes.records.push_back(write);
    }
    ASSERT_TRUE(write(changes));
  }

  // Moves 1 from one account to another, based on the amounts read in another transaction; lost_update if another
  // writer was faster.
  Result<void> transfer(std::uint64_t from, std::uint64_t to, bool read_in_writer) {
    ORLOP_TRY(earlier, store().begin(Access::read));
    ORLOP_TRY(transaction_a, earlier->record(id_of(from)));
    ORLOP_TRY(transaction_b, earlier->record(id_of(to)));
    Shared<Record> a = transaction_a;
    Shared<Record> b = transaction_b;
    ORLOP_CHECK(earlier->commit());
    if (!read_in_writer) {
      ORLOP_TRY(transaction, store().begin(Access::write));
      return move_between(*transaction, *a, *b);
    }
    return store().write([&](std::unique_ptr<Transaction> transaction) -> Result<void> {
      ORLOP_TRY(current_a, transaction->record(id_of(from)));
      ORLOP_TRY(current_b, transaction->record(id_of(to)));
      return move_between(*transaction, *current_a, *current_b);
    });
  }
  static Result<void> move_between(Transaction& transaction, const Record& a, const Record& b) {
    Changes changes;
    for (const auto& [record, by] : {std::pair{a, -1}, std::pair{b, 1}}) {
      RecordWrite write = write_of(record);
      write.expected_revision = record.revision;
      write.record.revision = record.revision + 1;
      write.record.body = std::to_string(amount_of(record) + by);
      changes.records.push_back(write);
      changes.events.push_back(event_of(1));
    }
    ORLOP_CHECK(transaction.apply(changes));
    return transaction.commit();
  }

  struct Totals {
    std::int64_t sum = 0;
    std::uint64_t revisions = 0;
    std::uint64_t events = 0;
  };
  static Result<Totals> totals_of(Transaction& transaction) {
    Totals totals;
    ORLOP_CHECK(transaction.records(children_of(0), [&](const Record& record) {
      totals.sum += amount_of(record);
      totals.revisions += record.revision - 1;
      return true;
    }));
    ORLOP_TRY(end, transaction.feed_end());
    totals.events = end.sequence;
    return totals;
  }
  static void expect_whole(const Totals& totals) {
    EXPECT_EQ(totals.sum, static_cast<std::int64_t>(1000 * account_count));
    // One event for each change of a record, in the same commit.
    EXPECT_EQ(totals.events, totals.revisions);
  }
  static void expect_whole(Transaction& transaction) {
    const Result<Totals> totals = totals_of(transaction);
    ASSERT_TRUE(totals) << totals.error().message;
    expect_whole(*totals);
  }
  // Through Store::read(), which a cache may answer.
  void expect_read_whole() {
    Totals totals;
    ASSERT_TRUE(store().read([&](std::unique_ptr<Transaction> transaction) -> Result<void> {
      ORLOP_TRY(read, totals_of(*transaction));
      totals = read;
      return {};
    }));
    expect_whole(totals);
  }
};

INSTANTIATE_TEST_SUITE_P(stores, Threads, testing::ValuesIn(all_kinds()),
                         [](const auto& info) { return info.param.name; });

TEST_P(Threads, readers_see_whole_commits_while_writers_write) {
  ASSERT_NO_FATAL_FAILURE(open_accounts());
  constexpr int writer_count = 6;
  constexpr int transfers = 60;
  std::atomic<int> writing_threads{writer_count};
  std::atomic<int> lost{0};
  std::latch start(writer_count + 4);
  std::vector<std::thread> threads;
  for (int writer = 0; writer < writer_count; ++writer) {
    threads.emplace_back([&, writer] {
      start.arrive_and_wait();
      for (int count = 0; count < transfers; ++count) {
        const std::uint64_t from = 1 + static_cast<std::uint64_t>(writer + count) % account_count;
        const std::uint64_t to = 1 + (from + static_cast<std::uint64_t>(count % 3)) % account_count;
        const Result<void> moved = transfer(from, to, count % 2 == 0);
        if (!moved) {
          EXPECT_EQ(moved.error().code, ErrorCode::lost_update) << moved.error().message;
          ++lost;
        }
      }
      --writing_threads;
    });
  }
  for (int reader = 0; reader < 4; ++reader) {
    threads.emplace_back([&, reader] {
      start.arrive_and_wait();
      while (writing_threads > 0) {
        if (reader % 2 == 0) expect_whole(*reading());
        else expect_read_whole();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  expect_whole(*reading());
  const std::vector<Event> events = events_of(*reading());
  EXPECT_EQ(events.size(), static_cast<std::size_t>(2 * (writer_count * transfers - lost)));
  for (std::size_t index = 0; index < events.size(); ++index) EXPECT_EQ(events[index].sequence, index + 1);
}

// Half of the writers use begin(), half write(), which lets threads share a transaction.
TEST_P(Threads, writers_that_roll_back_do_not_disturb_others) {
  constexpr int writer_count = 8;
  constexpr std::uint64_t rounds = 40;
  std::vector<std::thread> threads;
  for (std::uint64_t writer = 0; writer < writer_count; ++writer) {
    threads.emplace_back([&, writer] {
      for (std::uint64_t round = 0; round < rounds; ++round) {
        const std::uint64_t number = 1 + writer * rounds + round;
        Changes changes = changes_of({write_of(record_of(number))});
        changes.records[0].name_key = round % 4 == 3 ? "taken" : "name " + std::to_string(number);
        changes.events = {event_of(number), event_of(number)};
        const auto act = [&](std::unique_ptr<Transaction> transaction) -> Result<void> {
          ORLOP_CHECK(transaction->apply(changes));
          return round % 4 == 1 ? Result<void>() : transaction->commit();
        };
        const Result<void> written = writer % 2 == 0 ? store().write(act) : act(writing());
        EXPECT_TRUE(written || written.error().code == ErrorCode::conflict) << written.error().message;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto transaction = reading();
  const std::vector<Event> events = events_of(*transaction);
  // Half of the rounds commit, and one of the rounds with the same name.
  ASSERT_EQ(events.size(), 2 * (writer_count * rounds / 2 + 1));
  for (std::size_t index = 0; index < events.size(); ++index) {
    EXPECT_EQ(events[index].sequence, index + 1);
    EXPECT_TRUE(transaction->record(events[index].subject)->has_value());
  }
  EXPECT_EQ(ids_of(*transaction, children_of(0)).size(), events.size() / 2);
}

TEST_P(Threads, one_thread_can_read_and_write_at_once) {
  const auto early = reading();
  const auto before = early->record(id_of(1));
  ASSERT_TRUE(before) << before.error().message;
  EXPECT_FALSE(before->has_value());
  auto writer = writing();
  const auto late = reading();
  ASSERT_TRUE(writer->apply(changes_of({write_of(record_of(1))})));
  EXPECT_FALSE(late->record(id_of(1))->has_value());
  ASSERT_TRUE(writer->commit());
  EXPECT_FALSE(early->record(id_of(1))->has_value());
  std::vector<std::unique_ptr<Transaction>> many;
  for (int count = 0; count < 20; ++count) many.push_back(reading());
  for (const auto& transaction : many) {
    const auto found = transaction->record(id_of(1));
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_TRUE(found->has_value());
  }
}

}  // namespace
}  // namespace orlop::contract
