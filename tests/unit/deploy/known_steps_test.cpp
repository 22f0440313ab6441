#include "deploy/run/steps/known_steps.h"

#include <gtest/gtest.h>

#include <cstring>

namespace orlop {
namespace {

Id id_numbered(std::uint64_t number) {
  Id id;
  std::memcpy(id.bytes.data(), &number, sizeof number);
  return id;
}

TEST(KnownSteps, KnowsWhatIsUnderWayAndWhatEnded) {
  KnownSteps known;
  EXPECT_FALSE(known.knows(id_numbered(1)));
  known.began(id_numbered(1), {});
  EXPECT_TRUE(known.knows(id_numbered(1)));
  known.ended(id_numbered(1));
  EXPECT_TRUE(known.knows(id_numbered(1)));
  EXPECT_FALSE(known.knows(id_numbered(2)));
}

TEST(KnownSteps, ForgetsTheOldestOfThoseThatEndedAndNoneThatRuns) {
  KnownSteps known;
  known.began(id_numbered(1), {});
  for (std::uint64_t number = 2; number < KnownSteps::ended_kept + 3; ++number) {
    known.began(id_numbered(number), {});
    known.ended(id_numbered(number));
    known.ended(id_numbered(number));  // a second end of the same step takes no space
  }
  EXPECT_TRUE(known.knows(id_numbered(1)));
  EXPECT_FALSE(known.knows(id_numbered(2)));
  EXPECT_TRUE(known.knows(id_numbered(3)));
  EXPECT_TRUE(known.knows(id_numbered(KnownSteps::ended_kept + 2)));
}

// A tick that was not stored leaves steps that do not exist: they are forgotten with the ended ones, not kept
// indefinitely.
TEST(KnownSteps, ConfirmsWhatRuns) {
  KnownSteps known;
  for (std::uint64_t number = 1; number < KnownSteps::ended_kept + 5; ++number) known.began(id_numbered(number), {});
  known.read_again();
  EXPECT_EQ(known.find(id_numbered(1)), nullptr);
  EXPECT_TRUE(known.knows(id_numbered(1)));
  known.began(id_numbered(1), {});
  known.confirm();
  EXPECT_NE(known.find(id_numbered(1)), nullptr);
  EXPECT_TRUE(known.knows(id_numbered(1)));
  std::size_t left = 0;
  for (std::uint64_t number = 2; number < KnownSteps::ended_kept + 5; ++number)
    left += known.knows(id_numbered(number)) ? 1 : 0;
  EXPECT_EQ(left, KnownSteps::ended_kept);
}

TEST(KnownSteps, HasLostWhatRanInPartitionsThatWereTakenAway) {
  KnownSteps known;
  const Id here = step_id_in(id_numbered(1), 3);
  const Id elsewhere = step_id_in(id_numbered(2), 4);
  known.began(here, {});
  known.began(elsewhere, {});
  known.read_again();
  known.forget(PartitionSet::all().without(PartitionSet::one(3)));
  known.began(here, {});
  known.confirm();
  EXPECT_TRUE(known.has_lost());
  EXPECT_TRUE(known.has_run(here));
  EXPECT_TRUE(known.has_run(elsewhere));
  EXPECT_FALSE(known.knows(elsewhere));
  const PartitionSet held = PartitionSet::one(3);
  EXPECT_TRUE(known.take_lost(held, PartitionSet()).empty()) << "no other engine has taken it";
  EXPECT_EQ(known.take_lost(held, PartitionSet::one(4)), std::vector<Id>{elsewhere});
  EXPECT_FALSE(known.has_lost());
  EXPECT_TRUE(known.has_run(elsewhere));
}

TEST(KnownSteps, HasNotLostWhatHasComeBack) {
  KnownSteps known;
  const Id step = step_id_in(id_numbered(1), 3);
  known.began(step, {});
  known.read_again();
  known.forget(PartitionSet::all());
  known.confirm();
  EXPECT_TRUE(known.take_lost(PartitionSet::one(3), PartitionSet()).empty());
  EXPECT_FALSE(known.has_lost());
  EXPECT_FALSE(known.has_run(step));
}

// A step that another engine drives is neither running here nor among the ended ones.
TEST(KnownSteps, ForgetsPartitionsThatWereTakenAway) {
  KnownSteps known;
  const Id here = step_id_in(id_numbered(1), 3);
  const Id elsewhere = step_id_in(id_numbered(2), 4);
  known.began(here, {});
  known.began(elsewhere, {});
  known.read_again();
  PartitionSet lost;
  lost.add(4);
  known.forget(lost);
  known.confirm();
  EXPECT_TRUE(known.knows(here));
  EXPECT_FALSE(known.knows(elsewhere));
}

}  // namespace
}  // namespace orlop
