// Engines on one store that are stopped at critical instants: another engine takes over their partitions, and they
// start no step that it has started.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "model/registry.h"
#include "platform.h"
#include "whole/shared_engines.h"

namespace orlop::shared_engines {
namespace {

// `first` continues after its commit and starts nothing: `second` was given its only step.
void expect_resumed_by(Process& second, Process& first) {
  first.work();
  ASSERT_FALSE(first.clock().before_reading) << "it was not kept";
  ASSERT_EQ(second.steps().size(), 1U);
  EXPECT_TRUE(second.steps()[0].resumed);
  EXPECT_TRUE(first.steps().empty());
}

// Stopped between the commit that begins a step and the call of its driver, while another engine gives the step to its
// driver.
TEST_P(SharedEngines, OneThatStoodStillBehindItsCommitGivesNothingToItsDriver) {
  Process first(store(), 1);
  Platform platform(first.engine());
  const std::string container = platform.id_of("container");
  first.work();
  ASSERT_EQ(first.held(), partition_count);
  ASSERT_LT(platform.ask("POST", "/container/" + container + "/deploy").status, 300);
  Process second(store(), 2);
  second.work();
  first.clock().before_reading = [&] {
    if (count_in(second.engine(), "step.started") == 0) return;
    stand_still(first, second);
  };
  ASSERT_NO_FATAL_FAILURE(expect_resumed_by(second, first));
  second.succeed(second.steps()[0]);
  share(first, second);
  EXPECT_EQ(state_of(platform, container), "DEPLOYED");
  EXPECT_TRUE(first.steps().empty());
}

// The same with a late notification of the takeover.
TEST_P(SharedEngines, OneThatStoodStillBehindItsCommitWithoutNotificationsGivesNothingToItsDriver) {
  const auto silent = std::make_shared<SilentStore>(store());
  Process first(silent, 1);
  Platform platform(first.engine());
  const std::string container = platform.id_of("container");
  first.work();
  Process second(store(), 2);
  second.work();
  first.work();
  ASSERT_EQ(first.held(), partition_count - 1) << "it has seen the other one";
  ASSERT_LT(platform.ask("POST", "/container/" + container + "/deploy").status, 300);
  first.clock().before_reading = [&] {
    if (count_in(second.engine(), "step.started") == 0) return;
    silent->is_silent = true;
    stand_still(first, second);
  };
  ASSERT_NO_FATAL_FAILURE(expect_resumed_by(second, first));
  silent->is_silent = false;
  second.succeed(second.steps()[0]);
  share(first, second);
  EXPECT_EQ(state_of(platform, container), "DEPLOYED");
  EXPECT_TRUE(first.steps().empty());
}

// Stopped between two calls of its driver: the remaining calls belong to the other engine.
TEST_P(SharedEngines, OneThatStoodStillBetweenTwoStepsGivesTheSecondOneToNoDriver) {
  Process first(store(), 1);
  Platform platform(first.engine());
  const std::vector<std::string> services = {platform.id_of("container"),
                                             platform.make_another(*find_family("container"))};
  first.work();
  ASSERT_EQ(first.held(), partition_count);
  for (const std::string& service : services)
    ASSERT_LT(platform.ask("POST", "/container/" + service + "/deploy").status, 300);
  Process second(store(), 2);
  second.work();
  first.clock().before_reading = [&] {
    if (first.steps().empty()) return;
    stand_still(first, second);
  };
  first.work();
  ASSERT_FALSE(first.clock().before_reading) << "it was not kept";
  EXPECT_EQ(first.steps().size(), 1U);
  EXPECT_EQ(second.steps().size(), services.size());
  for (const Step& step : second.steps()) EXPECT_TRUE(step.resumed);
  for (std::size_t at = 0; at < second.steps().size(); ++at) {
    second.succeed(second.steps()[at]);
    share(first, second);
  }
  for (const std::string& service : services) EXPECT_EQ(state_of(platform, service), "DEPLOYED");
  EXPECT_EQ(first.steps().size(), 1U);
}

}  // namespace
}  // namespace orlop::shared_engines
