// Cost of a tick while schedules wait: alert rules between two evaluations, deployment rules between two changes of
// their hours, accounts before the end of their month. It must not depend on their number.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "base/port.h"
#include "engine.h"
#include "model/registry.h"
#include "platform.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"
#include "unit/deploy/counting_store.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// A metrics store without any samples: no rule alerts.
class QuietMetrics final : public ExternalSystems {
 public:
  Result<std::string> ask(std::string_view question, std::string_view) override {
    if (question != "query_cluster_metrics") return make_error(ErrorCode::unanswered, "not this");
    return std::string(R"x("{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}")x");
  }
  bool answers(std::string_view question) const override { return question == "query_cluster_metrics"; }
};

struct Cost {
  std::size_t calls = 0;    // reads, rows that they returned, and writes of the store in one tick
  double microseconds = 0;  // of processor and store in one tick, on average
};

class Waiting {
 public:
  Waiting() : clock_(Instant{1'767'225'600'000}) {
    EngineOptions options;
    options.store = count_store(open_memory_store(), counts_);
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.settings.external_systems = &systems_;
    options.settings.require_cluster = false;
    options.settings.billing = {"currency=EUR", "plan.TEAM=31"};
    engine_ = std::move(Engine::open(std::move(options))).value();
    platform_ = std::make_unique<Platform>(*engine_);
  }

  // Creates the rules: half alert rules, half deployment rules, with one account for ten of them; each is evaluated
  // once.
  void make(std::size_t rules) {
    const Value alert = platform_->sample_of(*find_family("alert_rule"));
    const std::string alert_text = to_json(alert);
    const std::string project = platform_->id_of("project");
    for (std::size_t made = 0; made < rules / 10; ++made) {
      ASSERT_EQ(
          platform_
              ->ask("POST", "/organization", R"({"name": "customer )" + std::to_string(made) + R"(", "plan": "TEAM"})")
              .status,
          201);
    }
    for (std::size_t made = 0; made < rules / 2; ++made) {
      ASSERT_EQ(platform_->ask("POST", "/alert-rules", alert_text).status, 201);
      const Reply environment = platform_->ask("POST", "/project/" + project + "/environment",
                                               R"({"name": "e)" + std::to_string(made) + R"("})");
      ASSERT_EQ(environment.status, 201) << environment.body;
      const std::string id(parse_stored(environment.body)->text_or("id", ""));
      const Reply saved =
          platform_->ask("PUT", "/environment/" + id + "/deploymentRule/" + id,
                         R"({"auto_stop": true, "timezone": "UTC", "start_time": "1970-01-01T08:00:00Z", "stop_time": )"
                         R"("1970-01-01T19:00:00Z", "weekdays": ["MONDAY"]})");
      ASSERT_EQ(saved.status, 200) << saved.body;
    }
    // Ticks until nothing is due at this instant.
    for (std::size_t ticks = 0; ticks < rules + 100; ++ticks) {
      const auto wanted = engine_->tick();
      ASSERT_TRUE(wanted) << wanted.error().message;
      if (*wanted && **wanted > clock_.now()) return;
    }
    FAIL() << "something is due for ever";
  }

  Cost idle_tick() {
    constexpr int ticks = 200;
    clock_.move_to(clock_.now() + Duration{1});
    const std::size_t before = counts_.asked + counts_.rows + counts_.written;
    const auto begin = std::chrono::steady_clock::now();
    for (int tick = 0; tick < ticks; ++tick) EXPECT_TRUE(engine_->tick());
    const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - begin;
    return {(counts_.asked + counts_.rows + counts_.written - before) / ticks, spent.count() / ticks};
  }

 private:
  VirtualClock clock_;
  SeededRandomSource random_source_{7};
  QuietMetrics systems_;
  StoreCounts counts_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Platform> platform_;
};

Cost cost_of(std::size_t rules) {
  Waiting waiting;
  waiting.make(rules);
  return waiting.idle_tick();
}

constexpr std::size_t calls_max = 4;

TEST(IdleSchedules, CostNoCallOfTheStoreHoweverManyThereAre) {
  const Cost few = cost_of(1'000);
  const Cost many = cost_of(10'000);
  EXPECT_EQ(few.calls, many.calls);
  EXPECT_LE(many.calls, calls_max);
}

// The figure for 100,000 of them, also in microseconds. Their creation takes minutes, so it runs only with
// --gtest_also_run_disabled_tests.
TEST(IdleSchedules, DISABLED_OneHundredThousand) {
  const Cost few = cost_of(1'000);
  const Cost many = cost_of(100'000);
  std::printf("a tick with 1,000 idle rules: %zu calls of the store, %.2f us; with 100,000: %zu, %.2f us\n", few.calls,
              few.microseconds, many.calls, many.microseconds);
  EXPECT_EQ(few.calls, many.calls);
}

}  // namespace
}  // namespace orlop
