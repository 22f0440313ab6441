#include "deploy/run/offers.h"

#include <gtest/gtest.h>

#include <vector>

namespace orlop {
namespace {

Step step_of(std::uint8_t number) {
  Step step;
  step.id.bytes[0] = number;
  return step;
}

TEST(Offers, ComeAfterPausesThatDoubleUpToAMinute) {
  Offers offers;
  EXPECT_EQ(offers.first(), std::nullopt);
  Instant now{0};
  std::vector<std::int64_t> pauses;
  for (int time = 0; time < 9; ++time) {
    offers.put_off(step_of(1), now);
    ASSERT_TRUE(offers.first());
    pauses.push_back((*offers.first() - now).milliseconds / 1000);
    EXPECT_TRUE(offers.take_due(*offers.first() + Duration{-1}).empty());
    now = *offers.first();
    EXPECT_EQ(offers.take_due(now).size(), 1U);
  }
  EXPECT_EQ(pauses, (std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 60, 60, 60}));
  EXPECT_EQ(offers.first(), std::nullopt);
}

TEST(Offers, OfDifferentStepsComeInTheOrderOfTheirTimes) {
  Offers offers;
  offers.put_off(step_of(1), Instant{500});
  offers.put_off(step_of(2), Instant{0});
  const std::vector<Step> due = offers.take_due(Instant{2'000});
  ASSERT_EQ(due.size(), 2U);
  EXPECT_EQ(due[0].id, step_of(2).id);
  EXPECT_EQ(due[1].id, step_of(1).id);
}

TEST(Offers, AStepThatIsForgottenBeginsWithTheShortestPause) {
  Offers offers;
  offers.put_off(step_of(1), Instant{0});
  EXPECT_TRUE(offers.forget(step_of(1).id)) << "it waited";
  EXPECT_FALSE(offers.forget(step_of(1).id));
  EXPECT_EQ(offers.first(), std::nullopt);
  offers.put_off(step_of(1), Instant{0});
  EXPECT_EQ(offers.first(), Instant{1'000});
  EXPECT_EQ(offers.take_due(Instant{1'000}).size(), 1U);
  EXPECT_FALSE(offers.forget(step_of(1).id)) << "it was offered";
}

}  // namespace
}  // namespace orlop
