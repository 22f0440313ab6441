#include "deploy/run/deadlines.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace orlop {
namespace {

Id step_at(unsigned number) {
  Id id;
  id.bytes[15] = static_cast<std::uint8_t>(number);
  return id;
}

// Some entries are removed at once, some stay until many others were added, and several have the same instant. `scale`:
// milliseconds between instants.
void compare_with_an_ordered_set(std::int64_t scale) {
  std::mt19937 random(5);
  Deadlines deadlines;
  std::set<std::pair<Instant, Id>> expected;
  for (int round = 0; round < 5000; ++round) {
    const Instant at{scale * static_cast<std::int64_t>(random() % 40 + static_cast<unsigned>(round) / 10)};
    const Id step = step_at(static_cast<unsigned>(random()) % 60);
    if (random() % 3 == 0 || expected.contains({at, step})) {
      deadlines.remove(at, step);
      expected.erase({at, step});
    } else {
      deadlines.add(at, step);
      expected.insert({at, step});
    }
    if (round % 2 == 0 && !expected.empty()) {
      const auto old = random() % 4 == 0 ? *expected.begin() : *expected.rbegin();
      deadlines.remove(old.first, old.second);
      expected.erase(old);
    }
    ASSERT_EQ(deadlines.first(), expected.empty() ? std::nullopt : std::optional(expected.begin()->first));
    if (round % 7 != 0) continue;
    const Instant now{scale * (round / 10 + 5)};
    std::vector<Id> due;
    deadlines.take_due(now, due);
    std::vector<Id> wanted;
    while (!expected.empty() && expected.begin()->first <= now) {
      wanted.push_back(expected.begin()->second);
      expected.erase(expected.begin());
    }
    ASSERT_EQ(due, wanted) << "round " << round;
  }
}

TEST(Deadlines, PassInTheOrderOfInstantsAndIds) {
  compare_with_an_ordered_set(1);
  compare_with_an_ordered_set(900);     // several in one time slot, in many slots
  compare_with_an_ordered_set(20'000);  // most alone in a time slot
}

std::vector<Id> due_at(Deadlines& deadlines, std::int64_t now) {
  std::vector<Id> due;
  deadlines.take_due({now}, due);
  return due;
}

TEST(Deadlines, ThatAreAddedForTheInstantThatWasTakenComeInTheirPlace) {
  Deadlines deadlines;
  EXPECT_EQ(due_at(deadlines, 10), std::vector<Id>());
  deadlines.add({20}, step_at(2));
  deadlines.add({10}, step_at(3));
  deadlines.add({10}, step_at(1));
  deadlines.add({10}, step_at(4));
  EXPECT_EQ(deadlines.first(), Instant{10});
  deadlines.add({5}, step_at(9));
  EXPECT_EQ(deadlines.first(), Instant{5});
  deadlines.remove({10}, step_at(4));
  EXPECT_EQ(due_at(deadlines, 4), std::vector<Id>());
  EXPECT_EQ(due_at(deadlines, 5), std::vector{step_at(9)}) << "an instant of the past";
  EXPECT_EQ(deadlines.first(), Instant{10});
  deadlines.add({10}, step_at(0));
  deadlines.add({5}, step_at(8));
  EXPECT_EQ(due_at(deadlines, 20), (std::vector{step_at(8), step_at(0), step_at(1), step_at(3), step_at(2)}));
  EXPECT_EQ(deadlines.first(), std::nullopt);
  for (const unsigned number : {5U, 6U, 5U, 6U}) deadlines.add({20}, step_at(number));
  deadlines.remove({20}, step_at(5));
  EXPECT_EQ(due_at(deadlines, 20), std::vector{step_at(6)}) << "added twice";
  EXPECT_EQ(deadlines.first(), std::nullopt);
}

}  // namespace
}  // namespace orlop
