// A clock that is set back while schedules wait: none waits until the old time comes again, and nothing is done twice.
// Tested in an engine that keeps running, and in one that is opened on the store of an engine with a clock ahead.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine.h"
#include "model/registry.h"
#include "platform.h"
#include "sim/seeded_random_source.h"
#include "store/open.h"
#include "whole/jumping_clock.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr std::int64_t minute = 60, hour = 3600, day = 24 * hour;

// A metrics store with one value, alert receivers, and an Argo CD server with these applications.
class Outside final : public ExternalSystems {
 public:
  Result<std::string> ask(std::string_view question, std::string_view) override {
    ++asked[std::string(question)];
    if (question == "send_alert") return std::string("\"\"");
    if (question == "query_cluster_metrics") {
      return R"x("{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{},)x"
             R"x(\"value\":[1,\")x" +
             value + R"x(\"]}]}}")x";
    }
    if (question != "list_argocd_applications") return make_error(ErrorCode::unanswered, "not this");
    std::string listed;
    for (const std::string& name : applications) {
      listed += (listed.empty() ? "" : ", ") + (R"({"name": ")" + name) +
                R"(", "project": "acme", "namespace": "shop", "argocd_cluster_url": "https://kubernetes.default.svc",
                 "health": "HEALTHY", "health_message": "", "sync_status": "SYNCED", "last_synced_at": )"
                R"("2026-01-01T00:00:00Z", "manifest_revision": "4e1f",
                 "git_repository": {"url": "https://github.com/acme/manifests.git", "branch": "", "root_path": )"
                R"("/shop"}})";
    }
    return "[" + listed + "]";
  }
  bool answers(std::string_view question) const override {
    return question == "send_alert" || question == "query_cluster_metrics" || question == "list_argocd_applications";
  }

  std::map<std::string, int> asked;
  std::string value = "0.5";
  std::vector<std::string> applications;
};

enum class Way : std::uint8_t { back, reopened, forth_and_back, forth_and_back_reopened };

bool is_reopened(Way way) { return way == Way::reopened || way == Way::forth_and_back_reopened; }
bool comes_from_ahead(Way way) { return way == Way::forth_and_back || way == Way::forth_and_back_reopened; }

// Thursday, 2026-01-01, 00:00 UTC.
class PutBack : public testing::Test {
 protected:
  PutBack() : store_(open_memory_store()) {
    open();
    platform_.emplace(*engine_);
  }

  // Opens another engine, as after a crash.
  void open() {
    engine_.reset();
    EngineOptions options;
    options.store = store_;
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.settings.external_systems = &outside_;
    options.settings.require_cluster = false;
    options.settings.events_kept_for = events_kept_for_;
    auto opened = Engine::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().message;
    engine_ = std::move(*opened);
    if (platform_) platform_.emplace(*engine_, Platform(*platform_));
  }

  // Moves the clock by ten years.
  void disturb(Way way) {
    if (comes_from_ahead(way)) {
      clock_.jump(10);
      pass(2 * minute);
    }
    clock_.jump(-10);
    if (is_reopened(way)) open();
  }
  void put_back(std::int64_t by) { clock_.set(clock_.now() - seconds(by)); }

  // Ticks whenever the engine asks for it, for `duration` seconds.
  void pass(std::int64_t duration) {
    std::int64_t left = duration * 1000;
    for (int ticks = 0; ticks < 10'000; ++ticks) {
      const auto wanted = engine_->tick();
      ASSERT_TRUE(wanted) << wanted.error().message;
      const std::int64_t wait = *wanted ? (**wanted - clock_.now()).milliseconds : left + 1;
      if (wait > left) return clock_.pass(Duration{left});
      if (wait <= 0) continue;
      clock_.pass(Duration{wait});
      left -= wait;
    }
    FAIL() << "the engine wants to be called for ever";
  }
  void go_to(std::string_view end) { pass((parse_instant(end)->milliseconds - clock_.now().milliseconds) / 1000); }

  Value ask(std::string_view method, const std::string& path, std::string_view body = "") {
    const Reply reply = platform_->ask(method, path, body);
    EXPECT_LT(reply.status, 300) << method << " " << path << " " << reply.body;
    return reply.body.empty() ? Value() : *parse_stored(reply.body);
  }
  std::size_t count(const std::string& path) { return ask("GET", path).find("results")->items().size(); }
  std::string state(const std::string& path) { return std::string(ask("GET", path).text_or("state", "")); }
  int take(const std::string& question) { return std::exchange(outside_.asked[question], 0); }

  JumpingClock clock_;
  SeededRandomSource random_source_{7};
  Outside outside_;
  Duration events_kept_for_;
  std::shared_ptr<Store> store_;
  std::unique_ptr<Engine> engine_;
  std::optional<Platform> platform_;
};

const auto each_way = testing::Values(Way::back, Way::reopened, Way::forth_and_back, Way::forth_and_back_reopened);
std::string name_of(const testing::TestParamInfo<Way>& info) {
  switch (info.param) {
    case Way::back: return "back";
    case Way::reopened: return "reopened";
    case Way::forth_and_back: return "forth_and_back";
    case Way::forth_and_back_reopened: return "forth_and_back_reopened";
  }
  return "";
}

class EachWay : public PutBack, public testing::WithParamInterface<Way> {};
INSTANTIATE_TEST_SUITE_P(Ways, EachWay, each_way, name_of);

TEST_P(EachWay, AlertRulesAreEvaluatedOnceAMinute) {
  platform_->id_of("alert_receiver");
  const std::string rule = "/alert-rules/" + platform_->id_of("alert_rule");
  pass(3 * minute);
  disturb(GetParam());
  take("query_cluster_metrics");
  pass(10 * minute);
  const int asked = take("query_cluster_metrics");
  EXPECT_GE(asked, 10);
  EXPECT_LE(asked, 12);
  outside_.value = "0.95";
  pass(7 * minute);
  EXPECT_EQ(state(rule), "NOTIFIED");
  EXPECT_EQ(take("send_alert"), 1);
  disturb(GetParam());
  pass(10 * minute);
  EXPECT_EQ(take("send_alert"), 0);
  outside_.value = "0.5";
  pass(2 * minute);
  EXPECT_EQ(state(rule), "OK");
  EXPECT_EQ(take("send_alert"), 1);
}

// A rule that was edited while the clock was ahead, and not evaluated since.
TEST_F(PutBack, AnAlertRuleThatWasEditedUnderAnEarlierClockIsEvaluatedOnceTheEngineIsOpenedAnew) {
  platform_->id_of("alert_receiver");
  platform_->id_of("alert_rule");
  clock_.jump(-10);
  open();
  pass(1);
  EXPECT_EQ(take("query_cluster_metrics"), 1);
}

TEST_P(EachWay, ArgoCdIsAskedEveryThreeMinutes) {
  outside_.applications = {"api"};
  const std::string cluster = platform_->id_of("cluster");
  ask("POST", "/cluster/" + cluster + "/argoCdConfig",
      R"({"argocd_url": "https://argocd.example.com", "argocd_token": "t0ken"})");
  ask("POST", "/organization/" + platform_->id_of("organization") + "/argoCdDestinationClusterMapping",
      R"({"agent_cluster_id": ")" + cluster +
          R"(", "argocd_cluster_url": "https://kubernetes.default.svc", "cluster_id": ")" + cluster + "\"}");
  pass(10 * minute);
  disturb(GetParam());
  take("list_argocd_applications");
  outside_.applications = {"api", "web"};
  pass(30 * minute);
  const int asked = take("list_argocd_applications");
  EXPECT_GE(asked, 10);
  EXPECT_LE(asked, 11);
  EXPECT_EQ(count("/cluster/" + cluster + "/argocdApps/associatedServices"), 2U);
}

class Hours : public EachWay {
 protected:
  // Rule from 8 to 19 o'clock, every day; it is 10 o'clock.
  void SetUp() override {
    container_ = "/container/" + platform_->id_of("container") + "/status";
    environment_ = "/environment/" + platform_->id_of("environment");
    ask("POST", environment_ + "/deploy");
    pass(10 * hour);
    ask("PUT", environment_ + "/deploymentRule/" + platform_->id_of("environment"),
        R"({"auto_stop": true, "timezone": "UTC", "start_time": "1970-01-01T08:00:00Z", "stop_time": )"
        R"("1970-01-01T19:00:00Z",
            "weekdays": ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"]})");
    pass(1);
  }
  std::size_t deployments() { return count(environment_ + "/deploymentHistoryV2"); }

  std::string container_, environment_;
};
INSTANTIATE_TEST_SUITE_P(Ways, Hours, each_way, name_of);

TEST_P(Hours, EnvironmentsStopAndStartAtTheHoursOfTheClock) {
  disturb(GetParam());
  pass(minute);
  EXPECT_EQ(state(container_), "DEPLOYED");
  const std::size_t before = deployments();
  pass(8 * hour + 50 * minute);
  EXPECT_EQ(state(container_), "DEPLOYED");
  pass(20 * minute);
  EXPECT_EQ(state(container_), "STOPPED");
  EXPECT_EQ(deployments(), before + 1);
  pass(13 * hour);
  EXPECT_EQ(state(container_), "DEPLOYED");
  pass(12 * hour);
  EXPECT_EQ(state(container_), "STOPPED");
  EXPECT_EQ(deployments(), before + 3);
}

// Stored times are then twelve hours in the future, with another time of day.
TEST_P(Hours, AClockThatWasHalfADayAheadDoesNotMoveTheHours) {
  clock_.set(clock_.now() + seconds(12 * hour));
  pass(minute);
  EXPECT_EQ(state(container_), "STOPPED") << "it is ten in the evening";
  put_back(12 * hour);
  if (is_reopened(GetParam())) open();
  pass(minute);
  EXPECT_EQ(state(container_), "DEPLOYED");
  pass(8 * hour + 50 * minute);
  EXPECT_EQ(state(container_), "DEPLOYED");
  pass(20 * minute);
  EXPECT_EQ(state(container_), "STOPPED");
  pass(13 * hour);
  EXPECT_EQ(state(container_), "DEPLOYED");
}

template <typename Base>
class WithJob : public Base {
 protected:
  void deploy(const std::string& times) {
    const Value made = this->ask(
        "POST", "/environment/" + this->platform_->id_of("environment") + "/job",
        R"({"name": "nightly", "healthchecks": {}, "source": {"image": {"registry_id": ")" +
            this->platform_->id_of("container_registry") +
            R"(", "image_name": "acme/report", "tag": "1"}}, "schedule": {"cronjob": {"timezone": "Etc/UTC", )"
            R"("scheduled_at": ")" +
            times + "\"}}}");
    job_ = "/job/" + std::string(made.text_or("id", ""));
    this->ask("PUT", job_ + "/advancedSettings",
              R"({"cronjob.success_jobs_history_limit": 1000, "cronjob.failed_jobs_history_limit": 1000})");
    this->ask("POST", job_ + "/deploy");
    this->pass(minute);
  }
  std::size_t runs() { return this->count(job_ + "/run"); }

  std::string job_;
};
class OneJob : public WithJob<PutBack> {};
class Jobs : public WithJob<EachWay> {};
INSTANTIATE_TEST_SUITE_P(Ways, Jobs, each_way, name_of);

TEST_P(Jobs, RunAtTheTimesThatTheClockShows) {
  deploy("0 * * * *");
  pass(3 * hour);
  EXPECT_EQ(runs(), 3U);
  disturb(GetParam());
  const std::size_t before = runs();
  pass(5 * hour);
  EXPECT_EQ(runs(), before + 5);
}

TEST_F(OneJob, DoNotRunAgainAtATimeThatTheClockShowsTwice) {
  deploy("30 10 * * *");
  go_to("2026-01-01T10:30:10Z");
  EXPECT_EQ(runs(), 1U);
  put_back(20);  // a small correction
  open();
  pass(minute);
  EXPECT_EQ(runs(), 1U);
  put_back(2 * hour);
  pass(3 * hour);
  put_back(2 * hour);
  open();
  pass(3 * hour);
  EXPECT_EQ(runs(), 1U);
  go_to("2026-01-02T10:31:00Z");
  EXPECT_EQ(runs(), 2U);
  put_back(5 * day + hour);  // another day
  go_to("2025-12-28T10:31:00Z");
  EXPECT_EQ(runs(), 3U);
}

TEST_P(EachWay, BackupsAreDeletedWhenTheirLifetimeHasPassed) {
  const std::string path = "/database/" + platform_->id_of("database") + "/backup";
  pass(minute);
  if (comes_from_ahead(GetParam())) {
    clock_.jump(10);
    pass(minute);
  }
  ask("POST", path, R"({"name": "a week", "message": "", "ttl_in_days": 7})");
  pass(minute);
  clock_.jump(-10);
  if (is_reopened(GetParam())) open();
  pass(6 * day);
  EXPECT_EQ(count(path), 1U);
  pass(day + hour);
  EXPECT_EQ(count(path), 0U);
}

// The list of locks agrees with the effect of a lock on edits.
TEST_P(EachWay, LocksOfClustersExpire) {
  const std::string cluster = platform_->id_of("cluster");
  const std::string locks = "/organization/" + platform_->id_of("organization") + "/lock";
  pass(minute);
  if (comes_from_ahead(GetParam())) {
    clock_.jump(10);
    pass(minute);
  }
  ask("POST", "/cluster/" + cluster + "/lock", R"({"reason": "a freeze", "ttl_in_days": 1})");
  EXPECT_EQ(count(locks), 1U);
  clock_.jump(-10);
  if (is_reopened(GetParam())) open();
  platform_->make_another(*find_family("project"));
  pass(23 * hour);
  EXPECT_EQ(count(locks), 1U);
  pass(2 * hour);
  EXPECT_EQ(count(locks), 0U);
}

TEST_P(EachWay, EventsAreRemovedByTheirAge) {
  events_kept_for_ = seconds(hour);
  open();
  platform_->id_of("project");
  pass(minute);
  disturb(GetParam());
  for (int made = 0; made < 20; ++made) {
    ask("POST", "/organization", R"({"name": "customer )" + std::to_string(made) + R"(", "plan": "FREE"})");
    pass(10 * minute);
  }
  const auto page = engine_->read_events({.limit = 1000});
  ASSERT_TRUE(page);
  EXPECT_LE(page->events.size(), 10U);
}

}  // namespace
}  // namespace orlop
