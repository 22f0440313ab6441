// Answers of the runner to reports that do not match its plan.
#include "deploy/run/runner.h"

#include <gtest/gtest.h>

#include <vector>

#include "model/plan_flag.h"

namespace orlop {
namespace {

Plan plan_of(std::size_t count) {
  std::vector<Machine> services(count);
  for (Machine& service : services) service.plan_flags = PlanFlag::restartable | PlanFlag::stoppable;
  return make_plan(services, Action::deploy, ForcedEvent::none);
}

void expect_unchanged(const Runner& runner, const Result<void>& answer, const std::vector<Decision>& decisions) {
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::internal);
  EXPECT_TRUE(decisions.empty());
  EXPECT_FALSE(runner.has_ended());
}

TEST(Runner, RefusesPartsThatThePlanDoesNotHave) {
  Runner runner(plan_of(2), {1, 1});
  std::vector<Decision> decisions;
  runner.begin(decisions);
  ASSERT_EQ(decisions.size(), 1U);
  decisions.clear();
  for (const std::uint32_t part : {2U, 1000U, 0xFFFFFFFFU}) {
    EXPECT_EQ(runner.progress(part), Progress::done);
    expect_unchanged(runner, runner.succeeded(part, decisions), decisions);
    expect_unchanged(runner, runner.failed(part, decisions), decisions);
    expect_unchanged(runner, runner.left(part, decisions), decisions);
  }
}

TEST(Runner, RefusesTheEndOfAPartThatDoesNotRun) {
  Runner runner(plan_of(2), {1, 1});
  std::vector<Decision> decisions;
  runner.begin(decisions);
  const std::uint32_t running = decisions.front().part;
  const std::uint32_t waiting = 1 - running;
  decisions.clear();
  expect_unchanged(runner, runner.succeeded(waiting, decisions), decisions);
  expect_unchanged(runner, runner.failed(waiting, decisions), decisions);
  ASSERT_TRUE(runner.succeeded(running, decisions));
  decisions.clear();
  expect_unchanged(runner, runner.succeeded(running, decisions), decisions);
  expect_unchanged(runner, runner.failed(running, decisions), decisions);
  ASSERT_TRUE(runner.succeeded(waiting, decisions));
  EXPECT_TRUE(runner.has_ended());
  EXPECT_EQ(runner.outcome(), RunOutcome::succeeded);
}

}  // namespace
}  // namespace orlop
