// Coordination data of engines that share a store (store/coordination.h). Skipped for a store that one engine uses
// alone.
#include <atomic>
#include <chrono>
#include <thread>

#include "contract/fixture.h"

// Changes set only the members that they need.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

namespace orlop::contract {
namespace {

class SharedStores : public Contract {
 protected:
  void SetUp() override {
    Contract::SetUp();
    if (HasFatalFailure()) return;
    const auto membership = store().join(id_of(1), nullptr);
    ASSERT_TRUE(membership) << membership.error().message;
    if (*membership == nullptr) GTEST_SKIP() << "one engine uses this store alone";
  }
  // Waits until `is_so`, at most ten seconds; a store may notify later than the change is made.
  template <typename Condition>
  static bool comes(const Condition& is_so) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!is_so() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    return is_so();
  }
  Result<void> write(const CoordinationChanges& coordination) {
    Changes changes;
    changes.coordination = coordination;
    return Contract::write(changes);
  }
  std::unique_ptr<Membership> joined(std::uint64_t engine, std::function<void()> notify = nullptr) {
    auto membership = store().join(id_of(engine), std::move(notify));
    EXPECT_TRUE(membership);
    return membership ? std::move(*membership) : nullptr;
  }
};

INSTANTIATE_TEST_SUITE_P(stores, SharedStores, testing::ValuesIn(all_kinds()),
                         [](const auto& info) { return info.param.name; });

TEST_P(SharedStores, peers_are_added_replaced_and_removed_in_order_of_their_ids) {
  ASSERT_TRUE(write({.peers = {{id_of(9), 1, 2}, {id_of(3), 1ULL << 40, 255}}}));
  ASSERT_TRUE(write({.departures = {id_of(3), id_of(77)}, .peers = {{id_of(9), 2, 1}, {id_of(12), 0, 0}}}));
  const auto transaction = reading();
  EXPECT_EQ(*transaction->coordination()->peers(), (std::vector<Peer>{{id_of(9), 2, 1}, {id_of(12), 0, 0}}));
}

TEST_P(SharedStores, a_peer_that_departs_and_comes_in_one_call_is_there) {
  ASSERT_TRUE(write({.peers = {{id_of(9), 1, 2}}}));
  ASSERT_TRUE(write({.departures = {id_of(9)}, .peers = {{id_of(9), 5, 2}}}));
  EXPECT_EQ(*reading()->coordination()->peers(), (std::vector<Peer>{{id_of(9), 5, 2}}));
}

TEST_P(SharedStores, leases_keep_their_epoch_without_a_holder) {
  ASSERT_TRUE(write({.leases = {{63, id_of(9), 7}, {0, id_of(9), 1ULL << 40}}}));
  ASSERT_TRUE(write({.leases = {{63, Id{}, 8}}}));
  EXPECT_EQ(*reading()->coordination()->leases(PartitionSet::all()),
            (std::vector<Lease>{{0, id_of(9), 1ULL << 40}, {63, Id{}, 8}}));
}

TEST_P(SharedStores, leases_are_read_of_the_partitions_that_are_asked_for) {
  ASSERT_TRUE(write({.leases = {{0, id_of(9), 1}, {5, id_of(9), 2}, {63, id_of(9), 3}}}));
  const auto of = [&](std::uint64_t bits) { return *reading()->coordination()->leases(PartitionSet(bits)); };
  EXPECT_EQ(of(1ULL << 5), (std::vector<Lease>{{5, id_of(9), 2}}));
  EXPECT_EQ(of(1ULL << 63 | 1), (std::vector<Lease>{{0, id_of(9), 1}, {63, id_of(9), 3}}));
  EXPECT_TRUE(of(0).empty());
  EXPECT_TRUE(of(1ULL << 62).empty());
}

TEST_P(SharedStores, a_fence_of_another_epoch_refuses_the_whole_transaction) {
  ASSERT_TRUE(write({.leases = {{4, id_of(9), 7}, {5, id_of(9), 1}}}));
  for (const std::uint64_t epoch : {6, 8, 0}) {
    Changes changes = changes_of({write_of(record_of(2))});
    changes.events = {event_of(2)};
    changes.coordination.fences = {{5, 1}, {4, epoch}};
    changes.coordination.wake_ups = {{4, id_of(2)}};
    const auto refused = Contract::write(changes);
    ASSERT_FALSE(refused) << epoch;
    EXPECT_EQ(refused.error().code, ErrorCode::lease_lost) << refused.error().message;
  }
  EXPECT_FALSE((*reading()->record(id_of(2))).has_value());
  EXPECT_TRUE(reading()->coordination()->wake_ups(PartitionSet::all(), 10)->empty());
  Changes changes = changes_of({write_of(record_of(2))});
  changes.coordination.fences = {{5, 1}, {4, 7}};
  ASSERT_TRUE(Contract::write(changes));
  EXPECT_TRUE((*reading()->record(id_of(2))).has_value());
}

TEST_P(SharedStores, a_fence_of_a_partition_that_was_never_held_does_not_hold) {
  const auto refused = write({.fences = {{4, 0}}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::lease_lost);
}

TEST_P(SharedStores, fences_come_before_leases_of_the_same_call_and_before_lost_updates) {
  ASSERT_TRUE(write({.leases = {{4, id_of(9), 7}}}));
  ASSERT_TRUE(write({.fences = {{4, 7}}, .leases = {{4, id_of(8), 8}}}));
  Changes changes = changes_of({write_of(record_of(2, 0, 1, 5))});  // a revision that does not match
  changes.coordination.fences = {{4, 7}};
  const auto refused = Contract::write(changes);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::lease_lost);
}

TEST_P(SharedStores, wake_ups_are_kept_once_until_they_are_taken) {
  ASSERT_TRUE(write({.wake_ups = {{4, id_of(2)}, {4, id_of(1)}, {63, id_of(3)}}}));
  ASSERT_TRUE(write({.wake_ups = {{4, id_of(1)}, {5, id_of(1)}}}));
  const auto of = [&](std::uint64_t bits, std::size_t limit) {
    return *reading()->coordination()->wake_ups(PartitionSet(bits), limit);
  };
  EXPECT_EQ(of(UINT64_MAX, 10), (std::vector<WakeUp>{{4, id_of(1)}, {4, id_of(2)}, {5, id_of(1)}, {63, id_of(3)}}));
  EXPECT_EQ(of(1ULL << 4, 10), (std::vector<WakeUp>{{4, id_of(1)}, {4, id_of(2)}}));
  EXPECT_EQ(of(1ULL << 63 | 1ULL << 4, 2), (std::vector<WakeUp>{{4, id_of(1)}, {4, id_of(2)}}));
  EXPECT_EQ(of(1ULL << 63, 10), (std::vector<WakeUp>{{63, id_of(3)}}));
  EXPECT_TRUE(of(0, 10).empty());
  // A wake-up that is taken and added in the same call exists.
  ASSERT_TRUE(write({.taken_wake_ups = {{4, id_of(1)}, {4, id_of(99)}, {63, id_of(3)}}, .wake_ups = {{63, id_of(3)}}}));
  EXPECT_EQ(of(UINT64_MAX, 10), (std::vector<WakeUp>{{4, id_of(2)}, {5, id_of(1)}, {63, id_of(3)}}));
}

TEST_P(SharedStores, reports_come_in_order_and_their_numbers_never_twice) {
  const InboxReport first = {0, 4, id_of(22), Instant{-5}, 10, 0, "gr\xC3\xBC\xC3\x9F"};
  const InboxReport second = {0, 63, id_of(23), Instant{1'700'000'000'000}, 12, 8, ""};
  ASSERT_TRUE(write({.reports = {first, second}}));
  ASSERT_TRUE(write({.reports = {first}}));
  const auto of = [&](std::uint64_t bits, std::size_t limit) {
    return *reading()->coordination()->reports(PartitionSet(bits), limit);
  };
  const auto all = of(UINT64_MAX, 10);
  ASSERT_EQ(all.size(), 3U);
  const auto is = [](InboxReport found, const InboxReport& given) { return found.number = 0, found == given; };
  EXPECT_TRUE(is(all[0], first));
  EXPECT_TRUE(is(all[1], second));
  EXPECT_TRUE(is(all[2], first));
  EXPECT_LT(all[0].number, all[1].number);
  EXPECT_LT(all[1].number, all[2].number);
  EXPECT_EQ(of(UINT64_MAX, 2).size(), 2U);
  EXPECT_EQ(of(1ULL << 63, 2), (std::vector<InboxReport>{all[1]}));
  ASSERT_TRUE(write({.taken_reports = {all[0].number, all[1].number, all[2].number, 999}}));
  EXPECT_TRUE(of(UINT64_MAX, 10).empty());
  ASSERT_TRUE(write({.reports = {first}}));
  EXPECT_GT(of(UINT64_MAX, 10)[0].number, all[2].number);
}

TEST_P(SharedStores, a_transaction_sees_its_own_changes_and_others_do_not_until_it_commits) {
  ASSERT_TRUE(write({.leases = {{4, id_of(9), 7}}}));
  const auto before = reading();
  ASSERT_EQ(before->coordination()->leases(PartitionSet::all())->size(), 1U);
  auto writer = writing();
  Changes changes;
  changes.coordination = {.peers = {{id_of(9), 1, 1}},
                          .leases = {{4, id_of(8), 8}},
                          .wake_ups = {{4, id_of(1)}},
                          .reports = {{0, 4, id_of(2), {}, 1, 0, ""}}};
  ASSERT_TRUE(writer->apply(changes));
  EXPECT_EQ(writer->coordination()->peers()->size(), 1U);
  EXPECT_EQ(writer->coordination()->leases(PartitionSet::all())->front().epoch, 8U);
  EXPECT_EQ(writer->coordination()->wake_ups(PartitionSet::all(), 9)->size(), 1U);
  EXPECT_EQ(writer->coordination()->reports(PartitionSet::all(), 9)->size(), 1U);
  const auto beside = reading();
  EXPECT_TRUE(beside->coordination()->peers()->empty());
  EXPECT_EQ(beside->coordination()->leases(PartitionSet::all())->front().epoch, 7U);
  ASSERT_TRUE(writer->commit());
  EXPECT_EQ(before->coordination()->leases(PartitionSet::all())->front().epoch, 7U);
  EXPECT_TRUE(beside->coordination()->wake_ups(PartitionSet::all(), 9)->empty());
  EXPECT_EQ(reading()->coordination()->leases(PartitionSet::all())->front().epoch, 8U);
}

TEST_P(SharedStores, what_is_rolled_back_was_never_there) {
  ASSERT_TRUE(write({.leases = {{4, id_of(9), 7}}, .wake_ups = {{4, id_of(1)}}}));
  auto writer = writing();
  Changes changes;
  changes.coordination = {.peers = {{id_of(9), 1, 1}}, .leases = {{4, id_of(8), 8}}, .taken_wake_ups = {{4, id_of(1)}}};
  ASSERT_TRUE(writer->apply(changes));
  writer.reset();
  const auto transaction = reading();
  EXPECT_TRUE(transaction->coordination()->peers()->empty());
  EXPECT_EQ(transaction->coordination()->leases(PartitionSet::all())->front().epoch, 7U);
  EXPECT_EQ(transaction->coordination()->wake_ups(PartitionSet::all(), 9)->size(), 1U);
}

TEST_P(SharedStores, it_survives_close_where_the_store_does) {
  if (!GetParam().survives_close) return;
  ASSERT_TRUE(write({.peers = {{id_of(9), 1, 2}},
                     .leases = {{4, id_of(9), 7}},
                     .wake_ups = {{4, id_of(1)}},
                     .reports = {{0, 4, id_of(2), {}, 1, 0, "x"}}}));
  reopen();
  const auto transaction = reading();
  EXPECT_EQ(transaction->coordination()->peers()->size(), 1U);
  EXPECT_EQ(transaction->coordination()->leases(PartitionSet::all())->size(), 1U);
  EXPECT_EQ(transaction->coordination()->wake_ups(PartitionSet::all(), 9)->size(), 1U);
  EXPECT_EQ(transaction->coordination()->reports(PartitionSet::all(), 9)->size(), 1U);
}

TEST_P(SharedStores, an_engine_has_not_ended_before_its_membership) {
  const auto first = joined(1);
  auto second = joined(2);
  EXPECT_FALSE(first->has_ended(id_of(1)));
  EXPECT_FALSE(first->has_ended(id_of(2)));
  EXPECT_FALSE(second->has_ended(id_of(1)));
  second.reset();
  EXPECT_EQ(first->has_ended(id_of(2)), GetParam().knows_at_once);
  EXPECT_FALSE(first->has_ended(id_of(1)));
}

TEST_P(SharedStores, an_engine_of_another_opening_of_the_store_is_seen) {
  if (!GetParam().survives_close) return;
  const auto first = joined(1);
  auto elsewhere = GetParam().open(folder());
  ASSERT_TRUE(elsewhere) << elsewhere.error().message;
  auto begun = (*elsewhere)->join(id_of(2), nullptr);
  ASSERT_TRUE(begun);
  auto second = std::move(*begun);
  EXPECT_FALSE(first->has_ended(id_of(2)));
  EXPECT_FALSE(second->has_ended(id_of(1)));
  EXPECT_EQ(second->has_ended(id_of(3)), GetParam().knows_at_once);
  const std::uint64_t before = *first->changes();
  if (GetParam().knows_at_once) { EXPECT_EQ(*first->changes(), before); }
  auto writing = (*elsewhere)->begin(Access::write);
  ASSERT_TRUE(writing);
  const auto& writer = *writing;
  Changes changes;
  changes.coordination.wake_ups = {{4, id_of(1)}};
  ASSERT_TRUE(writer->apply(changes));
  if (GetParam().knows_at_once) { EXPECT_EQ(*first->changes(), before); }
  ASSERT_TRUE(writer->commit());
  EXPECT_TRUE(comes([&] { return *first->changes() != before; }));
  second.reset();
  EXPECT_EQ(first->has_ended(id_of(2)), GetParam().knows_at_once);
}

TEST_P(SharedStores, an_engine_is_notified_until_it_leaves) {
  std::atomic<int> notified = 0;
  auto first = joined(1, [&notified] { ++notified; });
  if (GetParam().knows_at_once) {
    ASSERT_TRUE(write({.leases = {{7, id_of(1), 1}}}));
    const std::uint64_t before = *first->changes();
    const int notified_before = notified;
    ASSERT_TRUE(Contract::write(changes_of({write_of(record_of(2))})));
    ASSERT_TRUE(write({.fences = {{7, 1}}})) << "which only says that it holds";
    EXPECT_EQ(*first->changes(), before);
    EXPECT_EQ(notified, notified_before);
  }
  // Every change notifies. The first notification may only report that the store was reached.
  for (std::uint64_t round = 1; round <= 3; ++round) {
    const int notified_before = notified;
    const std::uint64_t before = *first->changes();
    ASSERT_TRUE(write({.wake_ups = {{4, id_of(round)}}}));
    if (GetParam().notifies) {
      EXPECT_TRUE(comes([&] { return *first->changes() != before; }));
      EXPECT_TRUE(comes([&] { return notified > notified_before; }));
    }
  }
  first.reset();
  const int notified_at_end = notified;
  ASSERT_TRUE(write({.wake_ups = {{4, id_of(9)}}}));
  EXPECT_EQ(notified, notified_at_end);
}

TEST_P(SharedStores, many_writers_lose_no_wake_up_and_number_reports_once) {
  constexpr std::uint64_t threads = 4;
  constexpr std::uint64_t each = 25;
  std::vector<std::thread> running;
  for (std::uint64_t thread = 0; thread < threads; ++thread) {
    running.emplace_back([&, thread] {
      for (std::uint64_t at = 0; at < each; ++at) {
        const Id id = id_of(thread * each + at + 1);
        EXPECT_TRUE(write({.wake_ups = {{4, id}}, .reports = {{0, 4, id, {}, 1, 0, ""}}}));
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  const auto transaction = reading();
  EXPECT_EQ(transaction->coordination()->wake_ups(PartitionSet::one(4), 1000)->size(), threads * each);
  const auto reports = *transaction->coordination()->reports(PartitionSet::one(4), 1000);
  ASSERT_EQ(reports.size(), threads * each);
  for (std::size_t at = 1; at < reports.size(); ++at) EXPECT_LT(reports[at - 1].number, reports[at].number);
}

}  // namespace
}  // namespace orlop::contract
