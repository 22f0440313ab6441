// Ids go on counting over commits, also over those that leave no event in the feed.
#include "ops/commit/commit.h"

#include <gtest/gtest.h>

#include <memory>

#include "base/family_number.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"

namespace orlop {
namespace {

class CommitterIds : public testing::Test {
 protected:
  // Puts a record of the engine's own, of which the feed says nothing.
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
  Committer jobs_{*store_, clock_, random_source_, settings_, Hooks{}};
};

TEST_F(CommitterIds, CountOnOverCommitsWithoutEvents) {
  EXPECT_EQ(id_count_of(put_silently(requests_)), 1U);
  EXPECT_EQ(id_count_of(put_silently(requests_)), 2U);
  EXPECT_EQ(id_count_of(put_silently(requests_)), 3U);
}

TEST_F(CommitterIds, TwoCommittersOfOneStoreCountTogether) {
  jobs_.count_ids_with(requests_);
  EXPECT_EQ(id_count_of(put_silently(requests_)), 1U);
  EXPECT_EQ(id_count_of(put_silently(jobs_)), 2U);
  EXPECT_EQ(id_count_of(put_silently(requests_)), 3U);
  EXPECT_EQ(id_count_of(put_silently(jobs_)), 4U);
}

TEST_F(CommitterIds, ARefusedUnitGivesItsIdsBack) {
  const auto refused = requests_.run([](Unit& unit) -> Result<void> {
    (void)unit.make_id();
    return make_error(ErrorCode::conflict, "refused");
  });
  EXPECT_FALSE(refused);
  EXPECT_EQ(id_count_of(put_silently(requests_)), 1U);
}

}  // namespace
}  // namespace orlop
