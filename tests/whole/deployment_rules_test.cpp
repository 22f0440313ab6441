// Environments are stopped and started by their deployment rules, also after failures of the engine.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "engine.h"
#include "platform.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"
#include "whole/times.h"
#include "wire/json.h"

namespace orlop {
namespace {

// Thursday, 2026-01-01, 00:00 UTC. In Paris it is one hour later.
class DeploymentRules : public testing::Test {
 protected:
  DeploymentRules() : clock_(Instant{1'767'225'600'000}), store_(open_memory_store()) {
    open();
    platform_.emplace(*engine_);
    platform_->id_of("container");
    EXPECT_EQ(ask("POST", environment() + "/deploy").status, 202);
    go_to("2026-01-01T00:10:00Z");
    EXPECT_EQ(state(), "DEPLOYED");
  }

  // Opens another engine, as after a crash.
  void open() {
    engine_.reset();
    EngineOptions options;
    options.store = store_;
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.settings.require_cluster = false;
    options.settings.busy = busy_;
    auto opened = Engine::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().message;
    engine_ = std::move(*opened);
    if (platform_) platform_.emplace(*engine_, Platform(*platform_));
  }

  Reply ask(std::string_view method, const std::string& path, std::string_view body = "") {
    return platform_->ask(method, path, body);
  }
  std::string environment() { return "/environment/" + platform_->id_of("environment"); }
  std::string rule() { return environment() + "/deploymentRule"; }
  std::string rule_item() { return rule() + "/" + platform_->id_of("environment"); }

  // Saves the rule of the test: from 8 to 19 o'clock in Paris from Monday to Friday.
  void save_rule(std::string_view start = "08:00", std::string_view stop = "19:00",
                 std::string_view weekdays = R"("MONDAY","TUESDAY","WEDNESDAY","THURSDAY","FRIDAY")") {
    const Reply saved = ask("PUT", rule_item(),
                            R"({"auto_stop": true, "timezone": "Europe/Paris", "start_time": "2020-07-01T)" +
                                std::string(start) + R"(:00Z", "stop_time": "1970-01-01T)" + std::string(stop) +
                                R"(:00Z", "weekdays": [)" + std::string(weekdays) + "]}");
    ASSERT_EQ(saved.status, 200) << saved.body;
  }

  void tick() { ASSERT_TRUE(engine_->tick()); }

  // Ticks at each instant that the engine asks for, until `end`.
  void go_to(std::string_view end) {
    for (int ticks = 0; ticks < 10'000; ++ticks) {
      auto wanted = engine_->tick();
      ASSERT_TRUE(wanted) << wanted.error().message;
      if (!*wanted || **wanted > at(end)) return clock_.move_to(at(end));
      if (**wanted > clock_.now()) clock_.move_to(**wanted);
    }
    FAIL() << "the engine wants to be called for ever";
  }

  std::string state() {
    const Reply reply = ask("GET", "/container/" + platform_->id_of("container") + "/status");
    return std::string(parse_stored(reply.body)->text_or("state", ""));
  }

  VirtualClock clock_;
  SeededRandomSource random_source_{7};
  BusyPolicy busy_ = BusyPolicy::queue;
  std::shared_ptr<Store> store_;
  std::unique_ptr<Engine> engine_;
  std::optional<Platform> platform_;
};

TEST_F(DeploymentRules, StopAndStartAtTheHoursOfTheTimeZone) {
  save_rule();
  go_to("2026-01-01T17:59:59Z");
  EXPECT_EQ(state(), "DEPLOYED");
  go_to("2026-01-01T18:05:00Z");
  EXPECT_EQ(state(), "STOPPED");
  go_to("2026-01-02T06:59:59Z");
  EXPECT_EQ(state(), "STOPPED");
  go_to("2026-01-02T07:05:00Z");
  EXPECT_EQ(state(), "DEPLOYED");
  go_to("2026-01-03T12:00:00Z");  // Saturday
  EXPECT_EQ(state(), "STOPPED");
  go_to("2026-01-05T07:05:00Z");
  EXPECT_EQ(state(), "DEPLOYED");
  // Paris is on summer time.
  go_to("2026-07-01T05:59:59Z");
  EXPECT_EQ(state(), "STOPPED");
  go_to("2026-07-01T06:05:00Z");
  EXPECT_EQ(state(), "DEPLOYED");
}

TEST_F(DeploymentRules, HoursMayGoBeyondMidnight) {
  save_rule("22:00", "06:00", R"("THURSDAY")");
  go_to("2026-01-01T21:05:00Z");
  EXPECT_EQ(state(), "DEPLOYED");
  go_to("2026-01-02T05:05:00Z");
  EXPECT_EQ(state(), "STOPPED");
  go_to("2026-01-08T20:59:00Z");
  EXPECT_EQ(state(), "STOPPED");
  go_to("2026-01-08T21:05:00Z");
  EXPECT_EQ(state(), "DEPLOYED");
}

TEST_F(DeploymentRules, HoursThatBeginWhenTheyEndAreRefused) {
  const Reply refused =
      ask("PUT", rule_item(), R"({"auto_stop": true, "timezone": "UTC", "start_time": "2020-07-01T08:00:00Z",
                                                  "stop_time": "1970-01-01T08:00:00Z", "weekdays": ["MONDAY"]})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("stop_time must be another time of day"), std::string::npos) << refused.body;
}

TEST_F(DeploymentRules, AnEditActsOnlyAtTheNextChangeOfItsHours) {
  go_to("2026-01-01T22:00:00Z");
  save_rule();  // outside of its hours, while the environment runs
  tick();
  go_to("2026-01-02T06:00:00Z");
  EXPECT_EQ(state(), "DEPLOYED");
  go_to("2026-01-02T18:05:00Z");
  EXPECT_EQ(state(), "STOPPED");
  const Reply off =
      ask("PUT", rule_item(),
          R"({"timezone": "UTC", "start_time": "1970-01-01T08:00:00Z", "stop_time": "1970-01-01T19:00:00Z", )"
          R"("weekdays": ["SATURDAY"]})");
  ASSERT_EQ(off.status, 200) << off.body;
  go_to("2026-01-03T12:00:00Z");
  EXPECT_EQ(state(), "STOPPED");
}

TEST_F(DeploymentRules, OutliveTheEngineAndDoWhatWasMissedOnce) {
  save_rule();
  go_to("2026-01-01T12:00:00Z");
  clock_.move_to(at("2026-01-01T23:00:00Z"));
  open();
  go_to("2026-01-01T23:05:00Z");
  EXPECT_EQ(state(), "STOPPED");
  // A whole night and day pass without an engine: the environment is in the state of the present hour.
  clock_.move_to(at("2026-01-02T22:00:00Z"));
  open();
  go_to("2026-01-02T22:05:00Z");
  EXPECT_EQ(state(), "STOPPED");
  const Reply history = ask("GET", environment() + "/deploymentHistoryV2");
  EXPECT_NE(history.body.find("deployment rule"), std::string::npos) << history.body;
}

TEST_F(DeploymentRules, WaitForAnEnvironmentThatIsBusy) {
  busy_ = BusyPolicy::reject;
  open();
  save_rule();
  go_to("2026-01-01T17:59:59Z");
  clock_.move_to(at("2026-01-01T18:00:00Z"));
  ASSERT_EQ(ask("POST", environment() + "/redeploy").status, 202);
  go_to("2026-01-01T18:10:00Z");
  EXPECT_EQ(state(), "STOPPED");
}

TEST_F(DeploymentRules, LeaveTheServicesAloneThatHaveNothingToDo) {
  save_rule();
  go_to("2026-01-01T11:00:00Z");
  ASSERT_EQ(ask("POST", environment() + "/stop").status, 202);
  go_to("2026-01-01T12:00:00Z");
  const auto before = engine_->last_event();
  go_to("2026-01-01T19:00:00Z");
  EXPECT_EQ(*engine_->last_event(), *before);
  EXPECT_EQ(state(), "STOPPED");
}

TEST_F(DeploymentRules, GoWithTheirEnvironment) {
  save_rule();
  ASSERT_EQ(ask("DELETE", environment()).status, 204);
  go_to("2026-02-01T00:00:00Z");
  EXPECT_EQ(ask("GET", rule()).status, 404);
  const auto wanted = engine_->tick();
  ASSERT_TRUE(wanted);
  EXPECT_FALSE(*wanted);
}

TEST_F(DeploymentRules, ShowDefaultsUntilTheyAreEdited) {
  const Reply defaults = ask("GET", rule());
  ASSERT_EQ(defaults.status, 200) << defaults.body;
  const auto shown = parse_stored(defaults.body);
  EXPECT_EQ(shown->text_or("id", ""), platform_->id_of("environment"));
  EXPECT_FALSE(shown->boolean_or("auto_stop", true));
  save_rule();
  const auto edited = parse_stored(ask("GET", rule()).body);
  EXPECT_EQ(edited->text_or("id", ""), platform_->id_of("environment"));
  EXPECT_EQ(edited->text_or("timezone", ""), "Europe/Paris");
  EXPECT_EQ(ask("PUT", rule() + "/" + platform_->id_of("container"), "{}").status, 404);
}

TEST_F(DeploymentRules, RefuseWhatIsNoTimeZoneInOneSentence) {
  const Reply refused =
      ask("PUT", rule_item(),
          R"({"timezone": "Europe/Pariss", "start_time": "1970-01-01T08:00:00Z", "stop_time": "1970-01-01T19:00:00Z", )"
          R"("weekdays": []})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find(
                "timezone must be a time zone of the IANA database as in Europe/Paris, not \\\"Europe/Pariss\\\""),
            std::string::npos)
      << refused.body;
}

class ProjectRules : public DeploymentRules {
 protected:
  std::string rules() { return "/project/" + platform_->id_of("project") + "/deploymentRule"; }

  std::string add(std::string_view name, std::string_view mode, std::string_view wildcard, std::string_view zone) {
    const Reply made =
        ask("POST", rules(),
            R"({"name": ")" + std::string(name) + R"(", "mode": ")" + std::string(mode) + R"(", "cluster_id": ")" +
                platform_->id_of("cluster") + R"(", "timezone": ")" + std::string(zone) +
                R"(", "start_time": "1970-01-01T08:00:00Z", "stop_time": "1970-01-01T19:00:00Z",)" +
                R"("weekdays": ["MONDAY"], "auto_stop": true, "wildcard": ")" + std::string(wildcard) + R"("})");
    EXPECT_EQ(made.status, 201) << made.body;
    return std::string(parse_stored(made.body)->text_or("id", ""));
  }

  std::string zone_of_new(std::string_view name, std::string_view mode) {
    const Reply made = ask("POST", "/project/" + platform_->id_of("project") + "/environment",
                           R"({"name": ")" + std::string(name) + R"(", "mode": ")" + std::string(mode) +
                               R"(", "cluster": ")" + platform_->id_of("cluster") + R"("})");
    EXPECT_EQ(made.status, 201) << made.body;
    const Reply rule =
        ask("GET", "/environment/" + std::string(parse_stored(made.body)->text_or("id", "")) + "/deploymentRule");
    return std::string(parse_stored(rule.body)->text_or("timezone", ""));
  }

  std::string order() {
    std::string names;
    const auto list = parse_stored(ask("GET", rules()).body);
    for (const Value& rule : list->find("results")->items())
      names += std::string(rule.text_or("name", "")) + std::to_string(rule.integer_or("priority_index", -1)) + " ";
    return names;
  }
};

TEST_F(ProjectRules, TheFirstThatFitsIsAppliedToNewEnvironments) {
  add("a", "DEVELOPMENT", "feature-*", "Europe/Rome");
  const std::string all = add("b", "DEVELOPMENT", "", "Europe/Oslo");
  const std::string last = add("c", "DEVELOPMENT", "feature-x", "Asia/Tokyo");
  EXPECT_EQ(order(), "a0 b1 c2 ");
  EXPECT_EQ(zone_of_new("feature-x", "DEVELOPMENT"), "Europe/Rome");
  EXPECT_EQ(zone_of_new("other", "DEVELOPMENT"), "Europe/Oslo");
  EXPECT_EQ(zone_of_new("live", "PRODUCTION"), "UTC");
  ASSERT_EQ(ask("PUT", rules() + "/order", R"({"project_deployment_rule_ids_in_order": [")" + last + R"("]})").status,
            200);
  EXPECT_EQ(order(), "c0 a1 b2 ");
  EXPECT_EQ(zone_of_new("feature-X2", "DEVELOPMENT"), "Europe/Rome");
  ASSERT_EQ(ask("DELETE", rules() + "/" + last).status, 204);
  EXPECT_EQ(order(), "a0 b1 ");
  EXPECT_EQ(ask("PUT", rules() + "/order",
                R"({"project_deployment_rule_ids_in_order": [")" + all + R"(", ")" + all + R"("]})")
                .status,
            400);
  EXPECT_EQ(ask("PUT", rules() + "/order", R"({"project_deployment_rule_ids_in_order": [")" + last + R"("]})").status,
            400);
  EXPECT_EQ(order(), "a0 b1 ");
}

}  // namespace
}  // namespace orlop
