// A commit of several instants that fails: the clock is not ahead of the store, and all reports of the driver at these
// instants are repeated, as if the commit had not failed.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unit/sim/course.h"
#include "unit/sim/refusing_store.h"
#include "wire/json.h"

namespace orlop {
namespace {

using tests::Course;
using tests::CourseTrace;
using tests::Simulation;

class SharedCommitFailures : public testing::Test {
 protected:
  // The clock after a failure, and the last stored event at that time.
  struct Failure {
    Instant now;
    std::uint64_t stored;
  };

  // `begin`: sets the changes that are refused, after the preparation. Changes of requests are not refused.
  template <typename Begin>
  CourseTrace trace_of(std::uint64_t seed, const Begin& begin) {
    store_ = std::make_shared<tests::RefusingStore>();
    failures_.clear();
    Simulation simulation({}, Authentication::off, "memory:", Course::set, store_);
    Course course(simulation, seed, [&](std::optional<Duration> duration) { move(simulation, duration); });
    store_->is_on = false;
    course.prepare(4);
    begin(*store_);
    course.run_once();
    course.run_once();
    const CourseTrace trace = tests::trace_of(simulation);
    expect_clocks(trace.events);
    return trace;
  }

  // Repeats the call until it succeeds.
  void move(Simulation& simulation, std::optional<Duration> duration) {
    const Instant end = simulation->engine().now() + duration.value_or(Duration{});
    store_->is_on = true;
    for (int tries = 0; tries < 1000; ++tries) {
      const bool has_moved =
          duration ? simulation->advance(end - simulation->engine().now()).ok() : simulation->run_until_idle().ok();
      if (has_moved) {
        store_->is_on = false;
        return;
      }
      failures_.push_back({simulation->engine().now(), simulation->engine().last_stored_event()});
    }
    FAIL() << "it fails for ever";
  }

  // Checks for each failure that the next event to be stored is not older than the clock.
  void expect_clocks(const std::string& events) {
    const auto all = parse_stored(events);
    ASSERT_TRUE(all);
    for (const Failure& failure : failures_) {
      if (failure.stored == all->items().size()) continue;  // the refused change has no event
      const Value& next = all->items()[failure.stored];
      ASSERT_EQ(static_cast<std::uint64_t>(next.integer_or("sequence", 0)), failure.stored + 1);
      EXPECT_LE(failure.now, parse_instant(next.text_or("at", "")).value())
          << "the clock is ahead of event " << failure.stored + 1;
    }
  }

  std::shared_ptr<tests::RefusingStore> store_;
  std::vector<Failure> failures_;
};

TEST_F(SharedCommitFailures, LeaveTheSameTraceWhicheverChangeIsRefused) {
  for (const std::uint64_t seed : {4U, 9U, 11U}) {
    const CourseTrace undisturbed = trace_of(seed, [](tests::RefusingStore& store) { store.refuse_at(0); });
    ASSERT_TRUE(failures_.empty());
    std::size_t refused = 0;
    for (std::size_t number = 1;; ++number) {
      const CourseTrace after = trace_of(seed, [number](tests::RefusingStore& store) { store.refuse_at(number); });
      if (!store_->has_refused()) break;
      ++refused;
      EXPECT_EQ(failures_.size(), 1U) << "seed " << seed << ", change " << number;
      expect_alike(after, undisturbed, "seed " + std::to_string(seed) + ", change " + std::to_string(number));
      if (HasFailure()) return;
    }
    EXPECT_GT(refused, 10U);
  }
}

TEST_F(SharedCommitFailures, LeaveTheSameTraceWhereChangesAreRefusedAgainAndAgain) {
  for (std::uint64_t seed = 0; seed < 2 * tests::course_parts; ++seed) {
    if (Course::part_of(seed) == tests::CoursePart::lifetime)
      continue;  // the deletion is a request, which is not
                 // repeated
    const CourseTrace undisturbed = trace_of(seed, [](tests::RefusingStore& store) { store.refuse_at(0); });
    for (const std::size_t each : {2U, 3U, 5U, 7U}) {
      const CourseTrace after = trace_of(seed, [each](tests::RefusingStore& store) { store.refuse_each(each); });
      EXPECT_GT(failures_.size(), 1U);
      expect_alike(after, undisturbed,
                   "seed " + std::to_string(seed) + ", each change that " + std::to_string(each) + " divides");
      if (HasFailure()) return;
    }
  }
}

// Repeated reports are not lost if the simulation was opened from a snapshot, saved, or forked before.
TEST_F(SharedCommitFailures, LoseNothingInACopy) {
  const auto ends = [](Simulation& simulation) {
    EXPECT_TRUE(simulation->run_until_idle().ok());
    const std::string events = simulation.events();
    const auto count = [&events](std::string_view kind) {
      std::size_t found = 0;
      for (std::size_t at = events.find(kind); at != std::string::npos; at = events.find(kind, at + 1)) ++found;
      return found;
    };
    EXPECT_EQ(count("\"step.started\""), count("\"step.ended\""));
    EXPECT_EQ(count("\"deployment.queued\""), count("\"deployment.ended\""));
    return count("\"service.deployed\"");
  };
  std::size_t copied = 0;
  for (std::size_t number = 1; number < 12; ++number) {
    const auto store = std::make_shared<tests::RefusingStore>();
    Simulation simulation({}, Authentication::off, "memory:", Course::set, store);
    Course course(simulation, 3, [](std::optional<Duration>) {});
    store->is_on = false;
    course.prepare(3);
    ASSERT_EQ(simulation
                  .ask("PUT", "/-/sim/rules",
                       R"({"rules":[{"step":"deploy","after":{"distribution":"uniform","least":"5s","most":"60s"}}]})")
                  .status,
              204);
    course.run_once();
    store->refuse_at(number);
    store->is_on = true;
    if (simulation->run_until_idle().ok()) break;
    store->is_on = false;
    const std::string snapshot = simulation->snapshot().value();
    ++copied;
    Simulation copy(snapshot, Authentication::off, "memory:", Course::set);
    const std::size_t deployed = ends(copy);
    EXPECT_EQ(deployed, ends(simulation)) << "change " << number;
  }
  EXPECT_GT(copied, 3U);
}

}  // namespace
}  // namespace orlop
