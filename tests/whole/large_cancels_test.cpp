// The cancel of a large running request: its commit changes only the request, and the tick that handles it reads only
// services with a step.
#include <gtest/gtest.h>

#include <map>

#include "whole/large_environment.h"

namespace orlop {
namespace {

class HeldDriver final : public Driver {
 public:
  Result<void> start(const Step& step) override {
    if (!step.resumed) started.push_back(step.id);
    return {};
  }
  StepTexts reads(const Machine&) const override { return {.name = false, .configuration = false}; }
  void cancel(const Id& step, CancelMode mode) override { canceled[step].push_back(mode); }

  std::vector<Id> started;
  std::map<Id, std::vector<CancelMode>> canceled;
};

constexpr std::uint32_t parallel = 16;  // the default of max_parallel_deploys

class LargeCancels : public LargeEnvironment {
 protected:
  void SetUp() override {
    driver_ = &held_;
    LargeEnvironment::SetUp();
  }
  std::string path() const { return "/environment/" + environment_; }
  std::string state() { return std::string(parse_stored(ask("GET", path() + "/status").body)->text_or("state", "")); }
  std::map<std::string, int> states() {
    std::map<std::string, int> counts;
    const auto statuses = parse_stored(ask("GET", path() + "/container/status").body);
    for (const Value& service : statuses->find("results")->items()) ++counts[std::string(service.text_or("state", ""))];
    return counts;
  }
  void tick_until_started(std::size_t count) {
    for (int ticks = 0; held_.started.size() < count; ++ticks) {
      ASSERT_LT(ticks, 100);
      tick();
    }
  }
  void deploy(std::size_t starts = parallel) {
    ASSERT_EQ(status("POST", path() + "/deploy"), 202);
    tick_until_started(starts);
    watch_ = {};
  }
  void cancel(std::string_view body = "") {
    ASSERT_EQ(status("POST", path() + "/cancelDeployment", body), 202);
    EXPECT_EQ(state(), "CANCELING");
  }
  void report(const Id& step, ReportKind kind) { ASSERT_TRUE(engine_->report({step, kind, RunningState::none, {}})); }
  // Checks that each started step was asked to end, once.
  void expect_all_asked() {
    EXPECT_EQ(held_.canceled.size(), held_.started.size());
    for (const Id& step : held_.started) EXPECT_EQ(held_.canceled[step].size(), 1U);
  }
  void end_canceled() {
    for (const auto& [step, modes] : held_.canceled) report(step, ReportKind::canceled);
    finish();
  }

  HeldDriver held_;
};

TEST_F(LargeCancels, ReadOnlyWhatHasAStep) {
  deploy();
  cancel();
  EXPECT_EQ(watch_.commits, 1U);
  EXPECT_LE(watch_.most_machines_read, 10U);
  EXPECT_LE(watch_.largest, 5U);
  tick();
  EXPECT_LE(watch_.most_machines_read, large / 2);
  expect_all_asked();
  EXPECT_EQ(states()["CANCELING"], static_cast<int>(parallel));
  finish();
  EXPECT_LT(watch_.most_machines_read, static_cast<std::size_t>(large));
  EXPECT_EQ(state(), "CANCELING");
  EXPECT_EQ(states()["CANCELED"], large - static_cast<int>(parallel));
  end_canceled();
  EXPECT_EQ(state(), "CANCELED");
  EXPECT_EQ(states()["CANCELED"], large);
  EXPECT_EQ(held_.started.size(), parallel);
}

TEST_F(LargeCancels, AStepThatEndsBeforeTheTickCounts) {
  deploy();
  cancel();
  report(held_.started.front(), ReportKind::succeeded);
  finish();
  end_canceled();
  EXPECT_EQ(state(), "CANCELED");
  EXPECT_EQ(states()["DEPLOYED"], 1);
  EXPECT_EQ(states()["CANCELED"], large - 1);
  EXPECT_EQ(held_.started.size(), parallel);
}

TEST_F(LargeCancels, GoOnAfterACrashBeforeTheTickThatTakesThem) {
  deploy();
  cancel();
  reopen();
  EXPECT_EQ(held_.canceled.size(), 0U);
  finish();
  expect_all_asked();
  EXPECT_EQ(states()["CANCELING"], static_cast<int>(parallel));
  end_canceled();
  EXPECT_EQ(state(), "CANCELED");
  EXPECT_EQ(states()["CANCELED"], large);
  EXPECT_EQ(held_.started.size(), parallel);
}

// An engine with a higher limit resumes the request, and the cancel comes before its first tick: pending starts do not
// happen.
TEST_F(LargeCancels, OvertakeTheFirstTickAfterACrash) {
  max_parallel_steps_ = 3;
  reopen();
  deploy(3);
  max_parallel_steps_ = 0;
  reopen();
  cancel();
  finish();
  expect_all_asked();
  end_canceled();
  EXPECT_EQ(state(), "CANCELED");
  EXPECT_EQ(states()["CANCELED"], large);
  EXPECT_EQ(held_.started.size(), 3U);
}

// A job runs to its end unless the cancel is forced. It is alone in the first non-empty stage.
TEST_F(LargeCancels, LeaveWhatCannotBeInterruptedUntilTheyAreForced) {
  create(path() + "/job", R"({"name":"job","healthchecks":{},"source":{"image":{"registry_id":")" + registry_ +
                              R"(","image_name":"a","tag":"1"}}})");
  deploy(1);
  cancel();
  finish();
  EXPECT_EQ(held_.canceled.size(), 0U);
  EXPECT_EQ(states()["CANCELED"], large);
  EXPECT_EQ(state(), "CANCELING");
  cancel(R"({"force_cancel":true})");
  reopen();
  finish();
  expect_all_asked();
  EXPECT_EQ(held_.canceled.begin()->second, std::vector<CancelMode>{CancelMode::force});
  end_canceled();
  EXPECT_EQ(state(), "CANCELED");
}

// Pending starts are canceled at once.
TEST_F(LargeCancels, GiveUpStartsThatWaitForTheirTurn) {
  max_parallel_steps_ = 3;
  reopen();
  deploy(3);
  cancel();
  finish();
  expect_all_asked();
  EXPECT_EQ(states()["CANCELED"], large - 3);
  end_canceled();
  EXPECT_EQ(state(), "CANCELED");
  EXPECT_EQ(states()["CANCELED"], large);
  EXPECT_EQ(held_.started.size(), 3U);
}

}  // namespace
}  // namespace orlop
