// The times at which a step is offered to a busy driver, and at which a step fails that does not begin or end.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine.h"
#include "model/registry.h"
#include "platform.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"
#include "wire/json.h"

namespace orlop {
namespace {

class BusyDriver final : public Driver {
 public:
  Result<void> start(const Step& step) override {
    offered.push_back(step);
    if (is_busy) return make_error(ErrorCode::try_later, "all hands are busy");
    return {};
  }
  void cancel(const Id& step, CancelMode) override { canceled.push_back(step); }
  bool is_busy = false;
  std::vector<Step> offered;
  std::vector<Id> canceled;
};

class StepTimes : public testing::Test {
 protected:
  StepTimes() : clock_(start_), store_(open_memory_store()) { open(); }

  // Opens another engine, as after a crash.
  void open() {
    engine_.reset();
    EngineOptions options;
    options.store = store_;
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.driver = &driver_;
    options.settings.require_cluster = false;
    options.settings.start_deadline = seconds(100);
    options.settings.step_deadline = seconds(1000);
    auto opened = Engine::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().message;
    engine_ = std::move(*opened);
    if (platform_) platform_ = std::make_unique<Platform>(*engine_, *platform_);
  }

  // Ticks at the times that the engine asks for, until `second` after the start.
  void run_until(std::int64_t second) {
    const Instant end = start_ + seconds(second);
    for (;;) {
      const auto wanted = engine_->tick();
      ASSERT_TRUE(wanted) << wanted.error().message;
      if (!*wanted || **wanted > end) break;
      clock_.move_to(std::max(**wanted, clock_.now()));
    }
    clock_.move_to(end);
    ASSERT_TRUE(engine_->tick());
  }

  std::string deploy() {
    platform_ = std::make_unique<Platform>(*engine_);
    container_ = platform_->id_of("container");
    EXPECT_LT(platform_->ask("POST", "/container/" + container_ + "/deploy").status, 300);
    return container_;
  }

  std::string state() {
    const auto status = parse_stored(platform_->ask("GET", "/container/" + container_ + "/status").body);
    return status ? std::string(status->text_or("state", "")) : std::string();
  }

  void report(ReportKind kind) {
    ASSERT_TRUE(engine_->report({driver_.offered.back().id, kind, RunningState::none, ""}));
  }

  const Instant start_{1'767'225'600'000};
  VirtualClock clock_;
  SeededRandomSource random_source_{1};
  BusyDriver driver_;
  std::shared_ptr<Store> store_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Platform> platform_;
  std::string container_;
};

TEST_F(StepTimes, AStepThatTheDriverPutsOffIsOfferedAgainAndNothingFails) {
  driver_.is_busy = true;
  deploy();
  run_until(20);
  EXPECT_EQ(driver_.offered.size(), 5U) << "after 0, 1, 3, 7 and 15 seconds";
  for (const Step& step : driver_.offered) EXPECT_EQ(step.id, driver_.offered.front().id);
  EXPECT_EQ(state(), "WAITING_RUNNING");
  driver_.is_busy = false;
  run_until(32);
  EXPECT_EQ(driver_.offered.size(), 6U);
  run_until(90);
  EXPECT_EQ(driver_.offered.size(), 6U) << "it was taken";
  report(ReportKind::succeeded);
  run_until(91);
  EXPECT_EQ(state(), "DEPLOYED");
}

TEST_F(StepTimes, AStepThatIsNeverTakenFailsAtItsStartDeadline) {
  driver_.is_busy = true;
  deploy();
  run_until(99);
  EXPECT_EQ(state(), "WAITING_RUNNING");
  run_until(100);
  EXPECT_EQ(state(), "DEPLOYMENT_ERROR");
  const std::size_t offered = driver_.offered.size();
  run_until(600);
  EXPECT_EQ(driver_.offered.size(), offered);
  EXPECT_TRUE(driver_.canceled.empty()) << "the driver knows nothing of it";
}

TEST_F(StepTimes, AStepThatIsPutOffIsCanceledWithoutTheDriver) {
  driver_.is_busy = true;
  deploy();
  run_until(2);
  ASSERT_LT(platform_->ask("POST", "/environment/" + platform_->id_of("environment") + "/cancelDeployment").status,
            300);
  run_until(3);
  EXPECT_EQ(state(), "CANCELED");
  EXPECT_TRUE(driver_.canceled.empty());
  const std::size_t offered = driver_.offered.size();
  run_until(600);
  EXPECT_EQ(driver_.offered.size(), offered);
}

TEST_F(StepTimes, AnEngineThatIsOpenedAnewOffersAtOnce) {
  driver_.is_busy = true;
  deploy();
  run_until(40);
  const std::size_t offered = driver_.offered.size();
  driver_.is_busy = false;
  open();
  run_until(40);
  ASSERT_EQ(driver_.offered.size(), offered + 1);
  EXPECT_TRUE(driver_.offered.back().resumed);
}

TEST_F(StepTimes, AStepThatDoesNotBeginFailsAtItsStartDeadline) {
  deploy();
  run_until(99);
  EXPECT_NE(state(), "DEPLOYMENT_ERROR");
  run_until(100);
  EXPECT_EQ(state(), "DEPLOYMENT_ERROR");
  EXPECT_EQ(driver_.canceled.size(), 1U);
}

TEST_F(StepTimes, TheDeadlineOfAStepRunsFromItsBeginning) {
  deploy();
  run_until(90);
  report(ReportKind::started);
  run_until(95);
  report(ReportKind::started);  // repeated, it has no effect
  open();                       // the deadline is stored
  run_until(1089);
  EXPECT_EQ(state(), "DEPLOYING");
  run_until(1090);
  EXPECT_EQ(state(), "DEPLOYMENT_ERROR");
}

}  // namespace
}  // namespace orlop
