// Requests of an optimistic transaction to the server: which reads it avoids, and which it makes only under the lock.
// The contract suite tests that it detects changes.
#include <atomic>
#include <functional>
#include <thread>

#include "contract/optimistic.h"
#include "store/coordination.h"

namespace orlop::contract {
namespace {

class PostgreSQLOptimisticReads : public Optimistic {};
INSTANTIATE_TEST_SUITE_P(over, PostgreSQLOptimisticReads, testing::ValuesIn(optimistic_kinds()),
                         [](const auto& info) { return info.param.name; });

template <typename T>
Result<void> outcome_of(const Result<T>& answer) {
  return answer ? Result<void>() : Result<void>(answer.error());
}

TEST_P(PostgreSQLOptimisticReads, a_name_is_taken_to_be_free_until_it_is_validated) {
  auto optimistic = begin();
  EXPECT_EQ(*optimistic->find("two", Expected::absent), std::nullopt);
  EXPECT_EQ(optimistic->validate().error().code, ErrorCode::lost_update);
  EXPECT_FALSE(optimistic->find("two", Expected::absent));  // the transaction has failed
  optimistic = nullptr;
  EXPECT_EQ(*begin(store(), Access::write)->find("two", Expected::absent), id_of(2));
  EXPECT_EQ(*begin(store(), Access::read)->find("two", Expected::absent), id_of(2));
}

// Noted reads are repeated while all writers wait: large reads are therefore not noted.
TEST_P(PostgreSQLOptimisticReads, much_is_read_once_the_others_wait) {
  Changes many;
  for (std::uint64_t number = 1000; number < 4000; ++number) many.records.push_back(write_of(record_of(number, 2)));
  write(other(), many);
  auto transaction = begin();
  ASSERT_TRUE(transaction->record(id_of(3)));
  write(other(), edit(3));
  EXPECT_TRUE(transaction->records(children_of(2), [](const Record&) { return true; })) << "the first pages are noted";
  const Result<void> outcome = transaction->records(children_of(1), [](const Record&) { return true; });
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::lost_update);
}

// Reads that cannot be noted are made under the lock, and earlier reads are validated then.
TEST_P(PostgreSQLOptimisticReads, what_is_not_noted_is_read_once_the_others_wait) {
  const std::vector<std::pair<const char*, std::function<Result<void>(Transaction&)>>> reads = {
      {"active machines",
       [](Transaction& transaction) {
         return transaction.machines(active_machines(), [](const Machine&) { return true; });
       }},
      {"records below several",
       [](Transaction& transaction) {
         const Id parents[] = {id_of(1), id_of(2)};
         return outcome_of(transaction.rows({.parents = parents}));
       }},
      {"events", [](Transaction& transaction) { return transaction.events({}, [](const Event&) { return true; }); }},
      {"peers", [](Transaction& transaction) { return outcome_of(transaction.coordination()->peers()); }},
      {"reports", [](Transaction& transaction) {
         return outcome_of(transaction.coordination()->reports(PartitionSet::all(), 9));
       }}};
  for (const auto& [name, read] : reads) {
    SCOPED_TRACE(name);
    begin_anew();
    {
      auto transaction = begin();
      ASSERT_TRUE(transaction->record(id_of(2)));
      write(other(), edit(2));
      const Result<void> outcome = read(*transaction);
      ASSERT_FALSE(outcome);
      EXPECT_EQ(outcome.error().code, ErrorCode::lost_update) << outcome.error().message;
    }
    open_again();
    auto transaction = begin();
    ASSERT_TRUE(transaction->record(id_of(2)));
    const Result<void> outcome = read(*transaction);
    ASSERT_TRUE(outcome) << outcome.error().message;
    std::atomic<bool> has_written = false;
    std::thread waiting([&] {
      write(other(), edit(3));
      has_written = true;
    });
    EXPECT_TRUE(transaction->validate());
    EXPECT_TRUE(transaction->apply_and_commit(write_beside()));
    transaction.reset();
    waiting.join();
    EXPECT_TRUE(has_written);
  }
}

TEST_P(PostgreSQLOptimisticReads, lists_that_are_known_are_validated) {
  const Id parents[] = {id_of(1), id_of(2)};
  const std::vector<std::pair<const char*, std::function<Result<void>(Transaction&)>>> reads = {
      {"children",
       [](Transaction& transaction) {
         return transaction.records(children_of(1), [](const Record&) { return true; });
       }},
      {"children of a family, without text",
       [](Transaction& transaction) {
         return transaction.records({.key = id_of(1), .family = 1, .fields = RecordRange::Fields::no_text},
                                    [](const Record&) { return true; });
       }},
      {"records below several",
       [&](Transaction& transaction) { return outcome_of(transaction.rows({.parents = parents})); }},
      {"counts", [&](Transaction& transaction) { return outcome_of(transaction.counts({.keys = parents})); }},
      {"counts of a family",
       [&](Transaction& transaction) { return outcome_of(transaction.counts({.keys = parents, .family = 1})); }}};
  for (const auto& [name, read] : reads) {
    SCOPED_TRACE(name);
    for (const bool is_changed : {false, true}) {
      begin_anew();
      {
        auto knowing = begin(store(), Access::write);
        // The counts of a family are derived from the counts of all families.
        ASSERT_TRUE(read(*knowing) && knowing->counts({.keys = parents}));
      }
      write(other(), changes_of({write_of(record_of(30, is_changed ? 1 : 3))}));
      auto transaction = begin();
      ASSERT_TRUE(read(*transaction));
      const Result<void> outcome = transaction->apply_and_commit(write_beside());
      EXPECT_EQ(outcome.ok(), !is_changed);
      EXPECT_TRUE(outcome || outcome.error().code == ErrorCode::lost_update) << outcome.error().message;
    }
  }
}

TEST_P(PostgreSQLOptimisticReads, behind_its_changes_it_reads_what_others_have_changed) {
  {
    auto knowing = begin(store(), Access::write);
    ASSERT_TRUE(knowing->record(id_of(2)) && knowing->record(id_of(3)));
  }
  write(other(), edit(3));
  auto transaction = begin();
  ASSERT_TRUE(transaction->record(id_of(2)));
  ASSERT_TRUE(transaction->apply(write_beside()));
  EXPECT_EQ((*transaction->record(id_of(3)))->revision, 2U);
  EXPECT_TRUE(transaction->commit());
}

// A record that is cached in an older revision may have had another parent since.
TEST_P(PostgreSQLOptimisticReads, a_record_that_comes_back_is_counted_where_it_was) {
  ASSERT_TRUE(begin(store(), Access::write)->record(id_of(3)));
  write(other(), changes_of({write_of(record_of(3, 2, 1, 2))}));
  ASSERT_TRUE(begin()->apply_and_commit(changes_of({write_of(record_of(3, 1, 1, 3))})));
  const Id parents[] = {id_of(1), id_of(2)};
  const std::vector<RecordCount> counts = begin(store(), Access::read)->counts({.keys = parents}).value();
  ASSERT_EQ(counts.size(), 1U);
  EXPECT_EQ(counts[0].key, id_of(1));
  EXPECT_EQ(counts[0].count, 2U);
}

}  // namespace
}  // namespace orlop::contract
