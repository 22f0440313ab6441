// A store that fails a tick, the recovery from that, and a store that works again: no report of a driver meanwhile is
// lost.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine.h"
#include "platform.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"
#include "unit/sim/refusing_store.h"

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

// An engine on a store that can fail, and a database that is deployed with one step.
class Recovery : public testing::Test {
 protected:
  void open(std::shared_ptr<Store> store) {
    EngineOptions options;
    options.store = std::move(store);
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.driver = &driver_;
    options.settings.require_cluster = false;
    auto opened = Engine::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().message;
    engine_ = std::move(*opened);
    platform_.emplace(*engine_);
    database_ = platform_->id_of("database");
  }
  void ask_for(const char* action) {
    ASSERT_LT(platform_->ask("POST", "/database/" + database_ + "/" + action).status, 300);
  }
  void expect_deployed() {
    EXPECT_NE(platform_->ask("GET", "/database/" + database_ + "/status").body.find("\"DEPLOYED\""), std::string::npos);
  }

  VirtualClock clock_{Instant{1'767'225'600'000}};
  SeededRandomSource random_source_{7};
  Noting driver_;
  std::unique_ptr<Engine> engine_;

 private:
  std::optional<Platform> platform_;
  std::string database_;
};

// On a store of several engines a tick may learn at its commit that its reads are outdated.
class OptimisticTicks : public Recovery {
 protected:
  void SetUp() override {
    store_->can_be_optimistic = true;
    open(store_);
  }
  // Deploys the database with one step; returns the number of optimistic ticks.
  std::size_t deploy(const char* action) {
    ask_for(action);
    const std::size_t before = store_->optimistic;
    driver_.steps.clear();
    for (int round = 0; round < 40 && engine_->is_ready(); ++round) {
      EXPECT_TRUE(engine_->tick()) << "it is not an error of the store";
      for (const Step& step : std::exchange(driver_.steps, {})) {
        ++started_;
        EXPECT_TRUE(engine_->report({step.id, ReportKind::started, RunningState::none, ""}));
        EXPECT_TRUE(engine_->report({step.id, ReportKind::succeeded, RunningState::none, ""}));
      }
    }
    EXPECT_FALSE(engine_->is_ready());
    expect_deployed();
    return store_->optimistic - before;
  }

  std::shared_ptr<tests::RefusingStore> store_ = std::make_shared<tests::RefusingStore>();
  int started_ = 0;
};

TEST_F(OptimisticTicks, AreDoneAgainWhereTheyWereInVain) {
  EXPECT_GT(deploy("deploy"), 1U);
  EXPECT_EQ(started_, 1);
  store_->is_stale = true;
  EXPECT_EQ(deploy("redeploy"), 1U) << "those that follow wait for others";
  EXPECT_EQ(started_, 2) << "each step is started once";
  store_->is_stale = false;
  std::size_t optimistic = 0;
  int rounds = 0;
  for (; rounds < 30 && optimistic == 0; ++rounds) optimistic = deploy("redeploy");
  EXPECT_GT(rounds, 3);
  EXPECT_LT(rounds, 30) << "some time later they are optimistic again";
}

TEST_F(OptimisticTicks, AreTriedMoreAndMoreSeldom) {
  deploy("deploy");
  store_->is_stale = true;
  std::size_t tried = 0;
  for (int round = 0; round < 200; ++round) tried += deploy("redeploy");
  EXPECT_GT(tried, 2U);
  EXPECT_LT(tried, 8U) << "after 16, 32, 64 ticks";
}

TEST_F(Recovery, IsTriedAgainUntilItSucceedsAndLosesNoReport) {
  const auto store = std::make_shared<SwitchedStore>();
  open(store);
  ask_for("deploy");
  for (int round = 0; round < 10 && driver_.steps.empty(); ++round) ASSERT_TRUE(engine_->tick());
  ASSERT_EQ(driver_.steps.size(), 1U);
  const Id step = driver_.steps[0].id;

  store->fails = true;
  ASSERT_TRUE(engine_->report({step, ReportKind::started, RunningState::none, ""}));
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(engine_->tick().error().code, ErrorCode::storage_failed);
    EXPECT_TRUE(engine_->is_ready());
  }
  EXPECT_TRUE(engine_->report({step, ReportKind::succeeded, RunningState::none, ""}))
      << "what is under way stays known";
  store->fails = false;
  for (int round = 0; round < 10; ++round) ASSERT_TRUE(engine_->tick());
  expect_deployed();
}

}  // namespace
}  // namespace orlop
