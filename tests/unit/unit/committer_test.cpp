// Ids are counted on over commits, also over commits without an event in the feed.
#include "commit/commit.h"

#include <gtest/gtest.h>

#include <memory>

#include "base/family_number.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"
#include "store/sealing/sealed_store.h"
#include "unit/sim/refusing_store.h"

namespace orlop {
namespace {

class CommitterIds : public testing::Test {
 protected:
  // Puts an internal record, which causes no event in the feed.
  Id put_silently(Committer& committer) {
    Id made;
    const auto done = committer.run([&made](Unit& unit) -> Result<void> {
      Record record;
      record.id = made = unit.make_id();
      record.family = token_digest_number;
      record.body = "{}";
      unit.put(std::move(record));
      return {};
    });
    EXPECT_TRUE(done);
    const auto transaction = std::move(store_->begin(Access::read)).value();
    EXPECT_EQ(transaction->feed_end().value().sequence, 0U);
    return made;
  }

  std::unique_ptr<Store> store_ = open_memory_store();
  VirtualClock clock_{{1'767'225'600'000}};
  SeededRandomSource random_source_{1};
  Settings settings_;
  Committer requests_{*store_, clock_, random_source_, settings_, Hooks{}};
};

TEST_F(CommitterIds, CountOnOverCommitsWithoutEvents) {
  EXPECT_EQ(id_count_of(put_silently(requests_)), 1U);
  EXPECT_EQ(id_count_of(put_silently(requests_)), 2U);
  EXPECT_EQ(id_count_of(put_silently(requests_)), 3U);
}

TEST_F(CommitterIds, ARefusedUnitGivesItsIdsBack) {
  const auto refused = requests_.run([](Unit& unit) -> Result<void> {
    (void)unit.make_id();
    return make_error(ErrorCode::conflict, "refused");
  });
  EXPECT_FALSE(refused);
  EXPECT_EQ(id_count_of(put_silently(requests_)), 1U);
}

TEST(OptimisticCommitter, LetsNothingOutThatFollowsFromWhatIsNoLongerSo) {
  const auto store = std::make_shared<tests::RefusingStore>();
  store->can_be_optimistic = true;
  VirtualClock clock{{1'767'225'600'000}};
  SeededRandomSource random_source{1};
  const Settings settings;
  const auto sealed = open_sealed_store(store, Cipher(std::string(Cipher::key_size, 'k')), random_source);
  Committer committer{*sealed, clock, random_source, settings, Hooks{}};
  const Committer::Work works[] = {[](Unit&) { return Result<void>(); },
                                   [](Unit&) -> Result<void> { return make_error(ErrorCode::conflict, "refused"); },
                                   [](Unit& unit) -> Result<void> {
                                     Record record;
                                     record.id = unit.make_id();
                                     record.family = token_digest_number;
                                     record.body = "{}";
                                     unit.put(std::move(record));
                                     return {};
                                   }};
  store->is_stale = true;
  for (const Committer::Work& work : works) {
    const auto done = committer.run(work, Access::optimistic);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::lost_update);
  }
  const auto failed =
      committer.run([](Unit&) -> Result<void> { return make_error(ErrorCode::storage_busy, "the server is gone"); },
                    Access::optimistic);
  EXPECT_EQ(failed.error().code, ErrorCode::storage_busy) << "it says more than that nothing can be validated";
  store->is_stale = false;
  EXPECT_TRUE(committer.run(works[0], Access::optimistic));
  EXPECT_EQ(committer.run(works[1], Access::optimistic).error().code, ErrorCode::conflict);
  EXPECT_TRUE(committer.run(works[2], Access::optimistic));
  EXPECT_EQ(store->optimistic, 7U);
}

}  // namespace
}  // namespace orlop
