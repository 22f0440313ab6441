// The deadlines of steps, compared with an ordered map.
#include "deploy/run/steps/step_deadlines.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace orlop {
namespace {

Id step_with(unsigned number) {
  Id id;
  id.bytes[14] = static_cast<std::uint8_t>(number >> 8);
  id.bytes[15] = static_cast<std::uint8_t>(number);
  return id;
}

// The deadlines under test next to a plain model. A step has one deadline, as in InFlight.
class Compared {
 public:
  void set(const Id& step, Instant at) {
    reset(step);
    due_[step] = at;
    by_instant_.emplace(at, step);
    deadlines_.add(at, step);
  }
  void reset(const Id& step) {
    const auto due = due_.find(step);
    if (due == due_.end()) return;
    const Instant at = due->second;
    due_.erase(due);
    const auto [begin, end] = by_instant_.equal_range(at);
    for (auto entry = begin; entry != end; ++entry) {
      if (entry->second != step) continue;
      by_instant_.erase(entry);
      break;
    }
    deadlines_.remove(at, has());
  }
  void expect_first_by(Instant end) {
    const bool is_due = !by_instant_.empty() && by_instant_.begin()->first <= end;
    ASSERT_EQ(deadlines_.first_by(end, has()), is_due ? std::optional(by_instant_.begin()->first) : std::nullopt)
        << "by " << end.milliseconds;
  }
  void expect_taken(Instant now) {
    std::vector<Id> due;
    deadlines_.take_due(now, has(), due);
    const auto end = by_instant_.upper_bound(now);
    std::set<std::pair<Instant, Id>> wanted(by_instant_.begin(), end);
    by_instant_.erase(by_instant_.begin(), end);
    std::vector<Id> steps;
    for (const auto& [at, step] : wanted) {
      steps.push_back(step);
      due_.erase(step);
    }
    ASSERT_EQ(due, steps) << "at " << now.milliseconds;
  }
  std::optional<Instant> first() const {
    return by_instant_.empty() ? std::nullopt : std::optional(by_instant_.begin()->first);
  }
  std::optional<Instant> last() const {
    return by_instant_.empty() ? std::nullopt : std::optional(by_instant_.rbegin()->first);
  }

 private:
  StepDeadlines::Has has() const {
    return [this](Instant at, const Id& step) {
      const auto due = due_.find(step);
      return due != due_.end() && due->second == at;
    };
  }

  StepDeadlines deadlines_;
  std::map<Id, Instant> due_;
  std::multimap<Instant, Id> by_instant_;
};

// `scale`: milliseconds between instants. `steps`: number of steps; few have the same deadline repeatedly, many fill a
// time slot. Time begins before 1970, where instants are negative.
void compare_with_an_ordered_map(std::uint32_t seed, std::int64_t scale, unsigned steps) {
  std::mt19937 random(seed);
  Compared compared;
  for (int round = 0; round < 6000; ++round) {
    const std::int64_t now = scale * (round / 10 - 300);
    const Id step = step_with(static_cast<unsigned>(random()) % steps);
    switch (random() % 8) {
      case 0:
      case 1:
      case 2:
      case 3: compared.set(step, {now + scale * static_cast<std::int64_t>(random() % 40)}); break;
      case 4: compared.set(step, compared.first().value_or(Instant{now})); break;  // several have this deadline
      case 5: compared.set(step, compared.last().value_or(Instant{now})); break;
      default: compared.reset(step); break;
    }
    compared.expect_first_by({now + scale * static_cast<std::int64_t>(random() % 50)});
    if (round % 3 == 0) compared.expect_first_by({INT64_MAX});
    if (round % 11 == 0) compared.expect_taken({now});
    if (round % 500 == 0) {
      for (unsigned number = 0; number < steps; ++number) compared.reset(step_with(number));
      compared.expect_first_by({INT64_MAX});
    }
    if (testing::Test::HasFatalFailure())
      FAIL() << "seed " << seed << ", scale " << scale << ", " << steps << " steps, round " << round;
  }
  compared.expect_taken({INT64_MAX});
  EXPECT_EQ(compared.first(), std::nullopt);
}

TEST(StepDeadlines, AreThoseOfAnOrderedMap) {
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    // In few time slots, several in each slot, and most alone in a slot.
    for (const std::int64_t scale : {1, 900, 20'000}) {
      for (const unsigned steps : {5U, 60U, 700U}) compare_with_an_ordered_map(seed, scale, steps);
    }
  }
}

TEST(StepDeadlines, AreTakenInTheOrderOfInstantsAndIds) {
  Compared compared;
  for (const unsigned number : {4U, 1U, 3U}) compared.set(step_with(number), {10});
  compared.set(step_with(2), {-10});
  compared.set(step_with(9), {-5000});
  compared.expect_first_by({-5001});
  compared.expect_first_by({-5000});
  compared.expect_taken({-10});
  compared.expect_first_by({9});
  compared.expect_taken({9});
  compared.set(step_with(0), {10});
  compared.set(step_with(2), {11});
  compared.expect_taken({10});
  compared.expect_first_by({11});
}

// A step that is removed and added again counts once, although the others of its slot were searched meanwhile.
TEST(StepDeadlines, ThatComeAgainCountOnce) {
  Compared compared;
  compared.set(step_with(1), {10});
  compared.set(step_with(2), {20});
  compared.set(step_with(3), {30});
  compared.reset(step_with(1));
  compared.expect_first_by({100});
  compared.set(step_with(1), {10});
  compared.expect_first_by({100});
  compared.reset(step_with(3));
  compared.set(step_with(3), {30});
  compared.reset(step_with(1));
  compared.reset(step_with(2));
  compared.expect_first_by({100});
  compared.reset(step_with(3));
  compared.expect_first_by({100});
  compared.set(step_with(3), {30});
  compared.expect_taken({30});
  compared.expect_first_by({INT64_MAX});
}

// Thousands of steps that begin and end leave one deadline behind, which is found.
TEST(StepDeadlines, OfStepsThatHaveEndedAreNotKept) {
  Compared compared;
  compared.set(step_with(0), {4000});
  for (unsigned number = 1; number < 5000; ++number) {
    compared.set(step_with(number), {static_cast<std::int64_t>(number % 4000)});
    compared.reset(step_with(number));
  }
  compared.expect_first_by({3999});
  compared.expect_first_by({4000});
  compared.expect_taken({4000});
}

// Thousands of deadlines pass one after the other in one slot: each is visited a few times, not once for each other.
TEST(StepDeadlines, ThatPassCostWhatPasses) {
  constexpr unsigned count = 3000;
  StepDeadlines deadlines;
  std::map<Id, Instant> due;
  std::size_t looks = 0;
  const StepDeadlines::Has has = [&](Instant at, const Id& step) {
    ++looks;
    const auto found = due.find(step);
    return found != due.end() && found->second == at;
  };
  for (unsigned number = 0; number < count; ++number) {
    due[step_with(number)] = {number};
    deadlines.add({number}, step_with(number));
  }
  for (unsigned number = 0; number < count; ++number) {
    std::vector<Id> steps;
    deadlines.take_due({number}, has, steps);
    ASSERT_EQ(steps, std::vector<Id>{step_with(number)});
    due.erase(step_with(number));
  }
  EXPECT_EQ(deadlines.first_by({INT64_MAX}, has), std::nullopt);
  EXPECT_LE(looks, 4 * count);
}

}  // namespace
}  // namespace orlop
