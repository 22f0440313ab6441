// A store that fails a tick and the recovery from it, and then heals: nothing that a driver reported meanwhile is lost.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "engine.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"
#include "whole/platform.h"

namespace orlop {
namespace {

class SwitchedStore final : public Store {
 public:
  Result<std::unique_ptr<Transaction>> begin(Access access) override {
    if (fails) return make_error(ErrorCode::storage_failed, "the disk is gone for a while");
    return held_->begin(access);
  }
  bool fails = false;

 private:
  std::unique_ptr<Store> held_ = open_memory_store();
};

class Noting final : public Driver {
 public:
  Result<void> start(const Step& step) override {
    steps.push_back(step);
    return {};
  }
  void cancel(const Id&, CancelMode) override {}
  std::vector<Step> steps;
};

TEST(Recovery, IsTriedAgainUntilItSucceedsAndLosesNoReport) {
  VirtualClock clock(Instant{1'767'225'600'000});
  SeededRandomSource random_source(7);
  Noting driver;
  const auto store = std::make_shared<SwitchedStore>();
  EngineOptions options;
  options.store = store;
  options.clock = &clock;
  options.random_source = &random_source;
  options.driver = &driver;
  options.settings.require_cluster = false;
  auto opened = Engine::open(std::move(options));
  ASSERT_TRUE(opened) << opened.error().message;
  Engine& engine = **opened;
  Platform platform(engine);
  const std::string database = platform.id_of("database");
  ASSERT_LT(platform.ask("POST", "/database/" + database + "/deploy").status, 300);
  for (int round = 0; round < 10 && driver.steps.empty(); ++round) ASSERT_TRUE(engine.tick());
  ASSERT_EQ(driver.steps.size(), 1U);
  const Id step = driver.steps[0].id;

  store->fails = true;
  ASSERT_TRUE(engine.report({step, ReportKind::started, RunningState::none, ""}));
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(engine.tick().error().code, ErrorCode::storage_failed);
    EXPECT_TRUE(engine.is_ready());
  }
  EXPECT_TRUE(engine.report({step, ReportKind::succeeded, RunningState::none, ""})) << "what is under way stays known";
  store->fails = false;
  for (int round = 0; round < 10; ++round) ASSERT_TRUE(engine.tick());
  EXPECT_NE(platform.ask("GET", "/database/" + database + "/status").body.find("\"DEPLOYED\""), std::string::npos);
}

}  // namespace
}  // namespace orlop
