// Number of store calls of a tick: the same for many services and for few, if the store reads in batches.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine.h"
#include "platform.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"
#include "unit/deploy/counting_store.h"
#include "whole/times.h"
#include "wire/json.h"

namespace orlop {
namespace {

class ReadingDriver final : public Driver {
 public:
  explicit ReadingDriver(bool reads) : reads_(reads) {}
  Result<void> start(const Step& step) override { return running.push_back(step.id), Result<void>(); }
  StepTexts reads(const Machine&) const override { return {.name = true, .configuration = reads_}; }
  void cancel(const Id&, CancelMode) override {}
  std::vector<Id> running;

 private:
  bool reads_;
};

std::string environment_of(Engine& engine, int services) {
  Platform platform(engine);
  for (int at = 0; at < services; ++at)
    platform.create_container(platform.id_of("environment"), "s" + std::to_string(at));
  return platform.id_of("environment");
}

// Returns the most reads of one tick of each request (deploy, stop, and deploy again), and the reads until another
// engine has handed all steps of one more deployment to the driver again.
std::vector<std::size_t> reads_of(int services, bool reads_configuration, bool in_batches) {
  VirtualClock clock(new_year);
  SeededRandomSource random_source(3);
  ReadingDriver driver(reads_configuration);
  StoreCounts counts;
  const std::shared_ptr<Store> store = count_store(open_memory_store(), counts, in_batches);
  const auto open = [&] {
    EngineOptions options;
    options.store = store;
    options.clock = &clock;
    options.random_source = &random_source;
    options.driver = &driver;
    options.settings.require_cluster = false;
    options.settings.max_parallel_deploys = options.settings.max_parallel_builds = 1000;
    return std::move(Engine::open(std::move(options))).value();
  };
  std::unique_ptr<Engine> engine = open();
  const std::string environment = environment_of(*engine, services);
  std::vector<std::size_t> most;
  for (const char* action : {"/deploy", "/stop", "/deploy"}) {
    const auto asked = engine->dispatch({"POST", "/environment/" + environment + action, "", {}});
    EXPECT_TRUE(asked && asked->status == 202) << action << (asked ? asked->body : "");
    most.push_back(0);
    for (int ticks = 0; ticks < 50; ++ticks) {
      counts.asked = 0;
      EXPECT_TRUE(engine->tick());
      most.back() = std::max(most.back(), counts.asked);
      for (const Id& step : std::exchange(driver.running, {}))
        EXPECT_TRUE(engine->report({step, ReportKind::succeeded, RunningState::none, {}}));
    }
    EXPECT_EQ(engine->work_due(), std::nullopt);
  }
  EXPECT_TRUE(engine->dispatch({"POST", "/environment/" + environment + "/redeploy", "", {}}));
  const auto hand_over = [&] {
    for (int ticks = 0; ticks < 50 && driver.running.size() < static_cast<std::size_t>(services); ++ticks)
      EXPECT_TRUE(engine->tick());
    EXPECT_EQ(driver.running.size(), static_cast<std::size_t>(services));
  };
  hand_over();
  engine.reset();
  driver.running.clear();
  counts.asked = 0;
  engine = open();
  hand_over();
  most.push_back(counts.asked);
  return most;
}

TEST(StoreCalls, of_a_tick_do_not_grow_with_the_services) {
  for (const bool reads_configuration : {false, true}) {
    const std::vector<std::size_t> few = reads_of(10, reads_configuration, true);
    const std::vector<std::size_t> many = reads_of(200, reads_configuration, true);
    for (std::size_t at = 0; at < few.size(); ++at) {
      EXPECT_GT(many[at], 0U);
      EXPECT_LE(many[at], few[at]) << "request " << at << (reads_configuration ? ", with configurations" : "");
      EXPECT_LT(few[at], 60U);
    }
  }
}

TEST(StoreCalls, without_batches_grow) {
  EXPECT_GT(reads_of(200, false, false).front(), 200U) << "what the other test looks at";
}

// An organization with `environments` environments of one container each, and `variables` variables of its project.
class CountedPlatform {
 public:
  CountedPlatform(int environments, int variables) : store_(count_store(open_memory_store(), counts_)) {
    EngineOptions options;
    options.store = store_;
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.settings.require_cluster = false;
    engine_ = std::move(Engine::open(std::move(options))).value();
    platform_.emplace(*engine_);
    organization = platform_->id_of("organization");
    project = platform_->id_of("project");
    for (int at = 0; at < environments; ++at) {
      environment = platform_->create_environment("e" + std::to_string(at));
      platform_->create_container(environment, "api");
    }
    for (int at = 0; at < variables; ++at) create_variable("V" + std::to_string(at), at == 0 ? "x" : "{{V0}}");
  }

  StoreCounts list(const std::string& path, std::size_t results) {
    counts_ = {};
    const auto reply = engine_->dispatch({"GET", "/organization/" + organization + path, "", {}});
    EXPECT_TRUE(reply && reply->status == 200) << path;
    EXPECT_EQ(parse_stored(reply->body)->find("results")->items().size(), results) << path;
    return counts_;
  }
  StoreCounts create_variable(const std::string& key, const std::string& value) {
    counts_ = {};
    platform_->create("/variable", R"({"key":")" + key + R"(","value":")" + value +
                                       R"(","is_secret":false,"variable_scope":"PROJECT","variable_parent_id":")" +
                                       project + R"("})");
    return counts_;
  }

  std::string organization;
  std::string project;
  std::string environment;  // id of the last one

 private:
  StoreCounts counts_;
  VirtualClock clock_{new_year};
  SeededRandomSource random_source_{3};
  std::shared_ptr<Store> store_;
  std::unique_ptr<Engine> engine_;
  std::optional<Platform> platform_;
};

TEST(StoreCalls, OfAListOverAnOrganizationAreThoseOfItsAnswer) {
  CountedPlatform few(5, 0);
  CountedPlatform many(50, 0);
  EXPECT_EQ(few.list("/services?environment_id=" + few.environment, 1),
            many.list("/services?environment_id=" + many.environment, 1));
  EXPECT_EQ(few.list("/services?environment_id=" + few.project, 0),
            many.list("/services?environment_id=" + many.project, 0));
  // One more environment and service: the rows of both, and their machines.
  const StoreCounts before = many.list("/services", 50);
  const StoreCounts after = CountedPlatform(51, 0).list("/services", 51);
  EXPECT_LE(after.rows - before.rows, 5U);
}

TEST(StoreCalls, OfAVariableAreThoseOfItsReferences) {
  CountedPlatform few(1, 5);
  CountedPlatform many(1, 200);
  EXPECT_EQ(few.create_variable("NEW", "{{V0}}"), many.create_variable("NEW", "{{V0}}"));
}

}  // namespace
}  // namespace orlop
