// Instants of a simulation that share a commit leave the same trace as one commit for each.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "unit/sim/course.h"
#include "unit/sim/refusing_store.h"

namespace orlop {
namespace {

using tests::Course;
using tests::CoursePart;
using tests::CourseTrace;
using tests::Simulation;

Course::Move shares(Simulation& simulation) {
  return [&simulation](std::optional<Duration> duration) {
    const bool has_moved = duration ? simulation->advance(*duration).ok() : simulation->run_until_idle().ok();
    EXPECT_TRUE(has_moved);
  };
}

Course::Move moves_singly(Simulation& simulation) {
  return [&simulation](std::optional<Duration> duration) { tests::move_singly(simulation, duration); };
}

CourseTrace trace_from(std::uint64_t seed, bool is_shared,
                       const std::shared_ptr<tests::RefusingStore>& store = nullptr) {
  Simulation simulation({}, Authentication::off, "memory:", Course::set, store);
  Course course(simulation, seed, is_shared ? shares(simulation) : moves_singly(simulation));
  course.prepare();
  course.run();
  return tests::trace_of(simulation);
}

std::string named(std::uint64_t seed) { return "seed " + std::to_string(seed); }

TEST(SharedCommits, LeaveTheTraceOfOneCommitForEachInstant) {
  std::string all;
  for (std::uint64_t seed = 0; seed < 4 * tests::course_parts; ++seed) {
    const CourseTrace shared = trace_from(seed, true);
    expect_alike(shared, trace_from(seed, false), named(seed));
    if (testing::Test::HasFatalFailure()) return;
    all += shared.events;
  }
  for (const char* needed : {"service.deployed", "service.deployment_error", "service.canceled", "service.build_error",
                             "service.unavailable", "service.executing", "service.stopped", "task.succeeded", "no room",
                             "did not end within its time", "step.log"}) {
    EXPECT_NE(all.find(needed), std::string::npos) << needed << ": the courses show less than they should";
  }
}

// Consequences of a change, such as a webhook's message, take a separate commit; other commits are saved.
TEST(SharedCommits, AreFewer) {
  std::size_t few = 0;
  std::size_t many = 0;
  for (std::uint64_t seed = 0; seed < tests::course_parts; ++seed) {
    const auto of_shared = std::make_shared<tests::RefusingStore>();
    const auto of_single = std::make_shared<tests::RefusingStore>();
    const CourseTrace shared = trace_from(seed, true, of_shared);
    expect_alike(shared, trace_from(seed, false, of_single), named(seed));
    EXPECT_LE(of_shared->changes(), of_single->changes()) << named(seed);
    few += of_shared->changes();
    many += of_single->changes();
  }
  EXPECT_LT(few * 100, many * 95) << few << " in place of " << many;
}

// Reports at one instant for two environments, and again for one of them at the next.
TEST(SharedCommits, TakeAllThatHappensAtAnInstant) {
  const auto trace = [](bool is_shared) {
    Simulation simulation({}, Authentication::off, "memory:", Course::set);
    Course course(simulation, 3, is_shared ? shares(simulation) : moves_singly(simulation));
    course.prepare(6);
    simulation.ask(
        "PUT", "/-/sim/rules",
        R"({"rules":[{"step":"deploy","after":"30s","log":[{"after":"10s","text":"a"},{"after":"20s","text":"b"}]})"
        R"(,{"step":"build","after":"10s"}]})");
    course.run_once();
    return tests::trace_of(simulation);
  };
  expect_alike(trace(true), trace(false), "six environments");
}

// The clock stops at the requested instant, and later events have not happened.
TEST(SharedCommits, EndWhereTheClockIsSentTo) {
  Simulation simulation({}, Authentication::off, "memory:", Course::set);
  Course course(simulation, 0, shares(simulation));
  course.prepare();
  for (const std::string& environment : course.environments())
    simulation.ask("POST", "/environment/" + environment + "/deploy", "{}");
  for (int round = 0; round < 400; ++round) {
    const Instant end = simulation->engine().now() + Duration{777};
    ASSERT_TRUE(simulation->advance(Duration{777}).ok());
    ASSERT_EQ(simulation->engine().now(), end);
    const auto due = simulation->engine().work_due();
    ASSERT_TRUE(!due || *due > end);
  }
  const auto ran = simulation->run_until_idle(seconds(1));
  ASSERT_TRUE(ran.ok());
  EXPECT_LE(ran->passed, seconds(1));
}

}  // namespace
}  // namespace orlop
