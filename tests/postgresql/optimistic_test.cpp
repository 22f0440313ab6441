// Optimistic transactions: the server numbers their events, and actions whose transaction was outdated run again.
#include <algorithm>
#include <atomic>
#include <thread>

#include "contract/optimistic.h"
#include "postgresql/open_store.h"
#include "postgresql/proxy.h"
#include "postgresql/server.h"
#include "stores/postgresql/known/read_cache.h"

namespace orlop::contract {
namespace {

class PostgreSQLOptimistic : public Optimistic {};
INSTANTIATE_TEST_SUITE_P(over, PostgreSQLOptimistic, testing::ValuesIn(optimistic_kinds()),
                         [](const auto& info) { return info.param.name; });

// Returns a record of `organization` whose id encodes `count` as the number of ids generated before it.
Record counted(std::uint32_t count, std::uint64_t organization, std::uint64_t number = 0) {
  Record record = record_of(1000 * organization + number);
  for (std::size_t at = 0; at < 4; ++at) record.id.bytes[at] = static_cast<std::uint8_t>(count >> (8 * (3 - at)));
  record.organization = id_of(organization);
  return record;
}

Changes counted_changes(std::uint32_t count, std::uint64_t organization, std::int64_t at = 1000,
                        std::uint64_t number = 0) {
  Changes changes = changes_of({write_of(counted(count, organization, number))});
  changes.events = {event_of(1), event_of(2)};
  for (Event& event : changes.events) event.at = Instant{at};
  changes.events.back().id_count = count;
  return changes;
}

TEST_P(PostgreSQLOptimistic, two_are_open_at_once_and_the_feed_has_no_gaps) {
  know_end(other());
  for (std::uint32_t round = 0; round < 5; ++round) {
    auto mine = begin();
    auto theirs = begin(other(), Access::optimistic);
    const std::uint32_t count = mine->feed_end()->id_count;
    EXPECT_TRUE(mine->find("unknown"));
    EXPECT_TRUE(theirs->find("unknown"));
    Changes one = counted_changes(count + 1, 8, 4000);
    if (round % 2 == 0) one.events.erase(one.events.begin());
    const std::uint64_t added = one.events.size();
    const Result<void> first = theirs->apply_and_commit(counted_changes(count + 3, 7, 5000));
    const Result<void> second = mine->apply_and_commit(Changes(one));
    ASSERT_TRUE(first) << first.error().message;
    ASSERT_TRUE(second) << second.error().message;
    EXPECT_EQ(mine->last_number(), theirs->last_number().value() + added);
    theirs.reset();
    mine.reset();
    know_end(store());
    know_end(other());
  }
  const std::vector<Event> events = feed();
  ASSERT_EQ(events.size(), 18U);
  std::uint32_t given = 0;
  for (std::size_t at = 0; at < events.size(); ++at) {
    EXPECT_EQ(events[at].sequence, at + 1);
    EXPECT_GE(events[at].at, events[at == 0 ? 0 : at - 1].at) << "time does not run backwards";
    EXPECT_TRUE(events[at].id_count == 0 || events[at].id_count >= given);
    given = std::max(given, events[at].id_count);
  }
  EXPECT_EQ(std::ranges::count(events, 0U, &Event::id_count), 7) << "only the last one of a commit says it";
  EXPECT_EQ(given, 115U);
}

TEST_P(PostgreSQLOptimistic, ids_of_an_organization_differ_and_ascend) {
  struct Case {
    const char* name;
    std::uint64_t organization;
    std::uint32_t others;
    bool is_valid;
  };
  for (const Case& each : {Case{"of the same organization", 7, 1, false}, Case{"of another organization", 8, 1, true},
                           Case{"of another organization, many", 8, 64, true},
                           Case{"of another organization, too many to be searched", 8, 65, false}}) {
    SCOPED_TRACE(each.name);
    begin_anew();
    auto transaction = begin();
    Changes theirs = counted_changes(100 + each.others, each.organization, 1000, 1);
    write(other(), theirs);
    const Result<void> outcome = transaction->apply_and_commit(counted_changes(101, 7));
    EXPECT_EQ(outcome.ok(), each.is_valid);
    EXPECT_TRUE(outcome || outcome.error().code == ErrorCode::lost_update);
  }
}

TEST_P(PostgreSQLOptimistic, time_that_would_move_far_is_found_out) {
  for (const std::int64_t later : {1'000, 1'001}) {
    begin_anew();
    auto transaction = begin();
    write(other(), counted_changes(101, 8, 2000 + later));
    EXPECT_EQ(transaction->apply_and_commit(counted_changes(101, 7, 2000)).ok(), later == 1'000);
  }
}

TEST_P(PostgreSQLOptimistic, it_may_apply_several_times) {
  auto transaction = begin();
  ASSERT_TRUE(transaction->find("unknown"));
  Changes silent = changes_of({write_of(record_of(30))});
  ASSERT_TRUE(transaction->apply(silent));
  EXPECT_EQ(transaction->feed_end()->sequence, 1U);
  ASSERT_TRUE(transaction->apply(write_beside()));
  EXPECT_EQ(transaction->last_number(), 2U);
  EXPECT_EQ(transaction->feed_end()->sequence, 2U);
  EXPECT_TRUE(transaction->record(id_of(30))->has_value());
  ASSERT_TRUE(transaction->apply(counted_changes(101, 7)));
  EXPECT_EQ(transaction->last_number(), 4U);
  ASSERT_TRUE(transaction->commit());
  transaction.reset();
  EXPECT_EQ(feed().size(), 4U);
  auto left = begin();
  ASSERT_TRUE(left->apply(counted_changes(102, 7)));
  left.reset();
  EXPECT_EQ(feed().size(), 4U) << "what was not committed is rolled back";
}

TEST_P(PostgreSQLOptimistic, acts_run_again_until_what_they_have_read_is_so) {
  int runs = 0;
  const auto create = [&](std::unique_ptr<Transaction> transaction) -> Result<void> {
    ORLOP_TRY(found, transaction->find("nine"));
    if (found) return make_error(ErrorCode::conflict, "the name is taken");
    if (++runs == 1) write(other(), with_name(9, "nine"));
    Changes changes = with_name(10, "nine");
    changes.events = {event_of(10)};
    return transaction->apply_and_commit(Changes(changes));
  };
  const Result<void> created = store().write(create);
  ASSERT_FALSE(created);
  EXPECT_EQ(created.error().message, "the name is taken") << "by the act, not by the store";
  EXPECT_EQ(runs, 1);

  open_again();
  int refusals = 0;
  const auto refuse = [&](std::unique_ptr<Transaction> transaction) -> Result<void> {
    ORLOP_TRY(found, transaction->find("two"));
    if (++refusals == 1) write(other(), erasure_of(2));
    return found ? make_error(ErrorCode::conflict, "the name is taken") : Result<void>();
  };
  EXPECT_TRUE(store().write(refuse)) << "a refusal that is no longer right is not given";
  EXPECT_EQ(refusals, 2);
}

// Cached rows are checked against later commits: a change by another process is not missed, however long ago it was.
TEST_P(PostgreSQLOptimistic, nothing_follows_from_what_was_known_long_ago) {
  const auto revision_of = [&](std::uint64_t number) {
    std::uint64_t revision = 0;
    EXPECT_TRUE(store().write([&](std::unique_ptr<Transaction> transaction) -> Result<void> {
      ORLOP_TRY(found, transaction->record(id_of(number)));
      revision = found ? found->revision : 0;
      return {};
    }));
    return revision;
  };
  EXPECT_EQ(revision_of(2), 1U);
  write(other(), edit(2));
  EXPECT_EQ(revision_of(2), 2U);
  write(other(), erasure_of(2));
  EXPECT_EQ(revision_of(2), 0U);
}

// The same for a pessimistic writer, after an optimistic one has committed following another process.
TEST_P(PostgreSQLOptimistic, what_others_committed_in_between_is_read_again) {
  auto transaction = begin();
  ASSERT_TRUE(transaction->record(id_of(2)));
  write(other(), edit(3));
  ASSERT_TRUE(transaction->apply_and_commit(write_beside()));
  transaction.reset();
  EXPECT_EQ((*begin(store(), Access::write)->record(id_of(3)))->revision, 2U);
}

// After several consecutive commits of its own, a process uses the short comparison again.
TEST(PostgreSQLReadCache, AProcessIsAloneAgainAfterSomeCommits) {
  postgresql::ReadCache known;
  const orlop_id mark{};
  known.begin(5, mark);
  known.commit(6, mark);
  EXPECT_EQ(known.number(), 6);
  known.commit(8, mark);  // another process has made commit 7
  for (std::int64_t number = 9; number < 15; ++number) {
    known.commit(number, mark);
    EXPECT_EQ(known.number(), 0) << number;
  }
  known.commit(15, mark);
  EXPECT_EQ(known.number(), 15);
  EXPECT_TRUE(known.forget_number());
  EXPECT_FALSE(known.forget_number());
  known.commit(0, mark);  // the number of the commit is unknown
  known.commit(17, mark);
  EXPECT_EQ(known.number(), 0);
}

TEST_P(PostgreSQLOptimistic, many_count_up_together) {
  constexpr int writers = 4, rounds = 40;
  std::vector<std::thread> threads;
  std::atomic<int> failures = 0;
  for (int writer = 0; writer < writers; ++writer) {
    threads.emplace_back([&, writer] {
      const auto opened = GetParam().open(folder());
      for (int round = 0; round < rounds; ++round) {
        const Result<void> written = (*opened)->write([&](std::unique_ptr<Transaction> transaction) -> Result<void> {
          ORLOP_TRY(shared, transaction->record(id_of(writer % 2 == 0 ? 2 : 3)));
          Record next = *shared;
          ++next.revision;
          Changes changes = changes_of({write_of(next)});
          changes.events = {event_of(2)};
          return transaction->apply_and_commit(Changes(changes));
        });
        failures += written.ok() ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  const auto reader = begin(store(), Access::read);
  EXPECT_EQ((*reader->record(id_of(2)))->revision + (*reader->record(id_of(3)))->revision, 2U + writers * rounds);
  EXPECT_EQ(reader->feed_end()->sequence, 1U + writers * rounds);
}

// A lost connection costs at most a second run, whether the commit was applied or not.
TEST(PostgreSQLOptimisticConnection, WhatIsLostRunsAgainAndIsKeptOnce) {
  const std::string direct = connection_to("direct");
  Proxy proxy(std::stoi(direct.substr(direct.find("port=") + 5)));
  const auto opened = open_postgresql(
      "host=127.0.0.1 port=" + std::to_string(proxy.port()) + " user=orlop dbname=platform sslmode=disable",
      "optimistic lost " + std::to_string(::getpid()));
  ASSERT_TRUE(opened) << opened.error().message;
  int runs = 0;
  const auto write = [&](std::uint64_t number) {
    runs = 0;
    return (*opened)->write([&](std::unique_ptr<Transaction> transaction) -> Result<void> {
      ++runs;
      ORLOP_TRY(found, transaction->record(id_of(number)));
      if (found) return make_error(ErrorCode::conflict, "it is there");
      Changes changes = changes_of({write_of(record_of(number))});
      changes.events = {event_of(number)};
      return transaction->apply_and_commit(Changes(changes));
    });
  };
  ASSERT_TRUE(write(1));
  ASSERT_TRUE(write(2));
  EXPECT_EQ(runs, 1);
  int cuts = 0;
  for (const auto cut : {Proxy::Cut::before_commit, Proxy::Cut::after_commit, Proxy::Cut::before_insert}) {
    for (const bool is_optimistic : {true, true, false}) {
      if (!is_optimistic) (void)(*opened)->begin(Access::write);
      proxy.cut_next(cut);
      const Result<void> written = write(static_cast<std::uint64_t>(10 + cuts));
      EXPECT_EQ(proxy.cuts(), ++cuts);
      EXPECT_TRUE(written || written.error().code == ErrorCode::storage_busy) << written.error().message;
      EXPECT_TRUE(written || write(static_cast<std::uint64_t>(9 + cuts)));
    }
  }
  const auto reading = (*opened)->begin(Access::read);
  ASSERT_TRUE(reading);
  const auto& reader = *reading;
  EXPECT_EQ(reader->feed_end()->sequence, static_cast<std::uint64_t>(2 + cuts));
  for (int number = 10; number < 10 + cuts; ++number)
    EXPECT_TRUE(reader->record(id_of(static_cast<std::uint64_t>(number)))->has_value());
}

}  // namespace
}  // namespace orlop::contract
