// Two engines on one store. Both may ask their drivers for the same steps; what either of them does must not disturb the other's memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/registry.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"
#include "unit/scratch.h"
#include "wire/json.h"
#include "whole/platform.h"

namespace orlop {
namespace {

constexpr Instant new_year = {1'767'225'600'000};
constexpr int service_count = 60;

// Takes every step and ends none.
class HoldingDriver final : public Driver {
 public:
  Result<void> start(const Step& step) override {
    steps_.push_back(step);
    return {};
  }
  void cancel(const Id&, CancelMode) override {}
  const std::vector<Step>& steps() const { return steps_; }

 private:
  std::vector<Step> steps_;
};

// One process: its engine, driver and clock.
class Process {
 public:
  Process(std::shared_ptr<Store> store, std::uint64_t seed) : clock_(new_year), random_source_(seed) {
    EngineOptions options;
    options.store = std::move(store);
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.settings.require_cluster = false;
    options.driver = &driver_;
    options.settings.max_parallel_deploys = service_count;
    auto opened = Engine::open(std::move(options));
    EXPECT_TRUE(opened) << opened.error().message;
    engine_ = std::move(*opened);
  }

  Engine& engine() { return *engine_; }
  const std::vector<Step>& steps() const { return driver_.steps(); }
  void succeed(const Step& step) { EXPECT_TRUE(engine_->report({step.id, ReportKind::succeeded, RunningState::none, {}})); }
  // Until nothing is left to do at this instant.
  void work() {
    do {
      const auto wanted = engine_->tick();
      ASSERT_TRUE(wanted) << wanted.error().message;
      if (!*wanted || **wanted > clock_.now()) return;
    } while (true);
  }
  // Past the deadline of every step.
  void let_steps_expire() {
    clock_.move_to(clock_.now() + seconds(7200));
    work();
  }

 private:
  VirtualClock clock_;
  SeededRandomSource random_source_;
  HoldingDriver driver_;
  std::unique_ptr<Engine> engine_;
};

class TwoEngines : public testing::TestWithParam<const char*> {
 protected:
  // Each call answers a store over the same data.
  std::shared_ptr<Store> store() {
    if (std::string(GetParam()) == "memory") {
      if (memory_ == nullptr) memory_ = open_memory_store();
      return memory_;
    }
    if (file_.empty()) file_ = tests::scratch_file("two_engines.db");
    auto opened = open_sqlite_store(file_, Durability::normal);
    EXPECT_TRUE(opened) << opened.error().message;
    return std::move(*opened);
  }

 private:
  std::shared_ptr<Store> memory_;
  std::string file_;
};

std::vector<std::string> make_containers(Platform& platform) {
  std::vector<std::string> ids;
  for (int made = 0; made < service_count; ++made) ids.push_back(platform.make_another(*find_family("container")));
  return ids;
}

std::string deployment_of_one(const std::string& container, const char* tag) {
  return R"({"containers":[{"id":")" + container + R"(","image_tag":")" + tag + R"("}]})";
}

std::string state_of(Platform& platform, const std::string& container) {
  const auto status = parse_stored(platform.ask("GET", "/container/" + container + "/status").body);
  return status ? std::string(status->text_or("state", "")) : std::string();
}

// How often the feed says that a request has ended.
std::size_t ends_in(Engine& engine) {
  const std::string events = *engine.events({});
  std::size_t count = 0;
  for (std::size_t at = events.find("\"deployment.ended\""); at != std::string::npos; at = events.find("\"deployment.ended\"", at + 1)) ++count;
  return count;
}

TEST_P(TwoEngines, LateReportsOfALargeRequestLeaveTheSmallOneAlone) {
  Process first(store(), 1);
  Platform platform(first.engine());
  const std::string deploy = "/environment/" + platform.id_of("environment") + "/deploy";
  const std::vector<std::string> containers = make_containers(platform);
  ASSERT_LT(platform.ask("POST", deploy).status, 300);
  first.work();
  const std::vector<Step> late = first.steps();
  ASSERT_GE(late.size(), containers.size());

  Process second(store(), 2);
  second.work();
  for (const Step& step : std::vector<Step>(second.steps())) {
    EXPECT_TRUE(step.resumed);
    second.succeed(step);
  }
  second.work();
  ASSERT_EQ(ends_in(second.engine()), 1U);

  const std::string small = "/environment/" + platform.id_of("environment") + "/service/deploy";
  ASSERT_LT(platform.ask("POST", small, deployment_of_one(containers[0], "2")).status, 300);
  first.work();
  ASSERT_EQ(first.steps().size(), late.size() + 1);  // the first engine saw that the large request has ended
  const Step running = first.steps().back();
  for (auto step = late.rbegin(); step != late.rend(); ++step) first.succeed(*step);
  first.work();
  EXPECT_EQ(ends_in(first.engine()), 1U);
  EXPECT_EQ(state_of(platform, containers[0]), "WAITING_RUNNING");

  first.succeed(running);
  first.work();
  EXPECT_EQ(ends_in(first.engine()), 2U);
  EXPECT_EQ(state_of(platform, containers[0]), "DEPLOYED");
}

TEST_P(TwoEngines, LateDeadlinesOfALargeRequestLeaveTheSmallOneAlone) {
  Process first(store(), 1);
  Platform platform(first.engine());
  const std::vector<std::string> containers = make_containers(platform);
  ASSERT_LT(platform.ask("POST", "/environment/" + platform.id_of("environment") + "/deploy").status, 300);
  first.work();
  const std::size_t late = first.steps().size();

  Process second(store(), 2);
  second.work();
  for (const Step& step : std::vector<Step>(second.steps())) second.succeed(step);
  second.work();
  const std::string small = "/environment/" + platform.id_of("environment") + "/service/deploy";
  Platform other(second.engine(), platform);
  ASSERT_LT(other.ask("POST", small, deployment_of_one(containers[0], "2")).status, 300);
  second.work();
  first.let_steps_expire();  // of the large request; the small one is not known to the first engine
  EXPECT_EQ(ends_in(second.engine()), 1U);
  second.succeed(second.steps().back());
  second.work();
  EXPECT_EQ(state_of(other, containers[0]), "DEPLOYED");
  EXPECT_EQ(first.steps().size(), late);
  EXPECT_EQ(ends_in(first.engine()), 2U);
}

TEST_P(TwoEngines, ARequestEndsOnceAlthoughBothDriversEndItsSteps) {
  Process first(store(), 1);
  Platform platform(first.engine());
  make_containers(platform);
  ASSERT_LT(platform.ask("POST", "/environment/" + platform.id_of("environment") + "/deploy").status, 300);
  first.work();
  Process second(store(), 2);
  second.work();
  const std::vector<Step> steps = first.steps();
  ASSERT_EQ(second.steps().size(), steps.size());
  for (std::size_t at = 0; at < steps.size(); ++at) (at % 2 == 0 ? first : second).succeed(steps[at]);
  first.work();
  second.work();
  for (const Step& step : steps) {
    first.succeed(step);
    second.succeed(step);
  }
  first.work();
  second.work();
  EXPECT_EQ(ends_in(first.engine()), 1U);
}

TEST_P(TwoEngines, OneCancelsWhatTheOtherHasEndedInPart) {
  Process first(store(), 1);
  Platform platform(first.engine());
  const std::string environment = "/environment/" + platform.id_of("environment");
  make_containers(platform);
  ASSERT_LT(platform.ask("POST", environment + "/deploy").status, 300);
  first.work();
  const std::vector<Step> late = first.steps();
  Process second(store(), 2);
  second.work();
  for (std::size_t at = 0; at < late.size(); at += 2) second.succeed(late[at]);
  second.work();

  ASSERT_LT(platform.ask("POST", environment + "/cancelDeployment").status, 300);
  first.work();
  for (auto step = late.rbegin(); step != late.rend(); ++step) first.succeed(*step);
  first.work();
  for (const Step& step : late) second.succeed(step);
  second.work();
  EXPECT_EQ(ends_in(first.engine()), 1U);
}

INSTANTIATE_TEST_SUITE_P(Stores, TwoEngines, testing::Values("memory", "sqlite"), [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace orlop
