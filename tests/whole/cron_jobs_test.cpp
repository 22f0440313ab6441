// Cron jobs run on their schedule from their deployment to their stop, also after failures of the engine.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine.h"
#include "platform.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"
#include "whole/times.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// Deployments succeed at once; runs last until the test ends them.
class RunByHand final : public Driver {
 public:
  Result<void> start(const Step& step) override {
    if (step.kind == StepKind::task) {
      runs.push_back(step);
    } else {
      reports_.push_back({step.id, ReportKind::succeeded, RunningState::none, {}});
    }
    return {};
  }
  void cancel(const Id& step, CancelMode) override {
    canceled.push_back(step);
    if (answers_cancels) end(step, ReportKind::canceled);
  }
  void poll(Instant, std::vector<Report>& reports) override {
    for (Report& report : std::exchange(reports_, {})) reports.push_back(std::move(report));
  }
  OptionalInstant due() override { return reports_.empty() ? OptionalInstant() : Instant{}; }

  void end(const Id& step, ReportKind how, std::string_view text = {}) {
    reports_.push_back({step, how, RunningState::none, std::string(text)});
  }
  void end_last(ReportKind how = ReportKind::succeeded, std::string_view text = {}) { end(runs.back().id, how, text); }

  std::vector<Step> runs;
  std::vector<Id> canceled;
  bool answers_cancels = true;

 private:
  std::vector<Report> reports_;
};

// Thursday, 2026-01-01, 00:00 UTC.
class CronJobs : public testing::Test {
 protected:
  CronJobs() : clock_(Instant{1'767'225'600'000}), store_(open_memory_store()) {
    open();
    platform_.emplace(*engine_);
    const Reply made = ask("POST", environment() + "/job",
                           R"({"name": "nightly", "healthchecks": {}, "source": {"image": {"registry_id": ")" +
                               platform_->id_of("container_registry") +
                               R"(", "image_name": "acme/report", "tag": "1"}},
                                                               "schedule": {"cronjob": {"timezone": )"
                               R"("Europe/Paris", "scheduled_at": "30 3 * * *"}}})");
    EXPECT_EQ(made.status, 201) << made.body;
    job_ = parse_stored(made.body)->text_or("id", "");
  }

  // Opens another engine, as after a crash.
  void open(bool is_scripted = true, Schedules schedules = Schedules::automatic) {
    engine_.reset();
    EngineOptions options;
    options.store = store_;
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.driver = &driver_;
    options.is_driver_scripted = is_scripted;
    options.settings.require_cluster = false;
    options.settings.cron_clock_changes = clock_changes_;
    options.settings.schedules = schedules;
    options.settings.start_deadline = seconds(30 * 86'400);
    auto opened = Engine::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().message;
    engine_ = std::move(*opened);
    if (platform_) platform_.emplace(*engine_, Platform(*platform_));
  }

  Reply ask(std::string_view method, const std::string& path, std::string_view body = "") {
    return platform_->ask(method, path, body);
  }
  std::string environment() { return "/environment/" + platform_->id_of("environment"); }
  std::string path() { return "/job/" + job_; }

  void deploy() {
    ASSERT_EQ(ask("POST", path() + "/deploy").status, 202);
    settle();
    ASSERT_EQ(parse_stored(ask("GET", path() + "/status").body)->text_or("state", ""), "DEPLOYED");
  }
  Reply set_schedule(std::string_view scheduled_at) {
    Value body = *parse_stored(ask("GET", path()).body);
    body.find("schedule")->find("cronjob")->set("scheduled_at", Value(scheduled_at));
    Reply edited = ask("PUT", path(), to_json(body));
    EXPECT_EQ(edited.status, 200) << edited.body;
    return edited;
  }
  void set_policy(std::string_view policy, int kept = 1) {
    const std::string limit = std::to_string(kept);
    const Reply set = ask("PUT", path() + "/advancedSettings",
                          R"({"cronjob.concurrency_policy": ")" + std::string(policy) +
                              R"(", "cronjob.failed_jobs_history_limit": )" + limit +
                              R"(, "cronjob.success_jobs_history_limit": )" + limit + "}");
    ASSERT_EQ(set.status, 201) << set.body;
  }

  void settle() { go_to(to_text(clock_.now())); }
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

  Value shown() { return *parse_stored(ask("GET", path() + "/run").body); }
  std::string next_run() { return std::string(shown().text_or("next_run_at", "none")); }
  // Returns "SUCCEEDED RUNNING", the newest first.
  std::string states() {
    std::string said;
    const Value runs = shown();
    for (const Value& run : runs.find("results")->items())
      said += (said.empty() ? "" : " ") + std::string(run.text_or("state", ""));
    return said;
  }

  VirtualClock clock_;
  SeededRandomSource random_source_{7};
  RunByHand driver_;
  CronClockChanges clock_changes_ = CronClockChanges::kubernetes;
  std::shared_ptr<Store> store_;
  std::unique_ptr<Engine> engine_;
  std::optional<Platform> platform_;
  std::string job_;
};

TEST_F(CronJobs, RunAtTheirTimeFromTheirDeploymentOn) {
  go_to("2026-01-02T12:00:00Z");
  EXPECT_EQ(driver_.runs.size(), 0U) << "the job was not deployed yet";
  EXPECT_EQ(next_run(), "none");
  deploy();
  EXPECT_EQ(next_run(), "2026-01-03T02:30:00.000Z");
  go_to("2026-01-03T02:29:59Z");
  EXPECT_EQ(driver_.runs.size(), 0U);
  go_to("2026-01-03T02:31:00Z");
  ASSERT_EQ(driver_.runs.size(), 1U) << to_json(shown());
  const Step& run = driver_.runs.front();
  EXPECT_EQ(to_text(run.started_at), "2026-01-03T02:30:00.000Z");
  EXPECT_EQ(run.name, "nightly");
  EXPECT_EQ(to_text(run.owner), job_);
  const auto configuration = parse_stored(run.configuration);
  ASSERT_TRUE(configuration);
  EXPECT_EQ(configuration->find_path({"source", "image", "image_name"})->as_text(), "acme/report");
  EXPECT_EQ(configuration->find_path({"run", "scheduled_at"})->as_text(), "2026-01-03T02:30:00.000Z");
  EXPECT_NE(configuration->find("variables"), nullptr);
  EXPECT_EQ(states(), "QUEUED");
  driver_.end_last();
  go_to("2026-01-03T02:32:00Z");
  EXPECT_EQ(states(), "SUCCEEDED");
  EXPECT_EQ(parse_stored(ask("GET", path() + "/status").body)->text_or("state", ""), "DEPLOYED");
  EXPECT_EQ(next_run(), "2026-01-04T02:30:00.000Z");
}

TEST_F(CronJobs, FollowTheClocksOfTheirZone) {
  set_policy("Allow");
  deploy();
  std::string begun;
  for (const std::string_view day : {"2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z", "2026-03-30T12:00:00Z",
                                     "2026-10-25T12:00:00Z", "2026-10-26T12:00:00Z"}) {
    clock_.move_to(at(std::string(day.substr(0, 10)) + "T00:00:00Z"));
    settle();
    driver_.runs.clear();  // runs of missed times
    go_to(day);
    ASSERT_EQ(driver_.runs.size(), 1U) << day;
    begun += to_text(driver_.runs.back().started_at).substr(5, 11) + " ";
  }
  EXPECT_EQ(begun, "03-28T02:30 03-29T01:30 03-30T01:30 10-25T02:30 10-26T02:30 ");
}

// On 29 March clocks in Paris skip 2:30, on 25 October they show it twice.
TEST_F(CronJobs, RunAtSkippedAndRepeatedTimesAsTheOptionSays) {
  set_schedule("30 2 * * *");
  const auto begun_on = [this](std::string_view day) {
    clock_.move_to(at(std::string(day) + "T00:00:00Z") - seconds(7200));
    settle();
    driver_.runs.clear();  // runs of missed times
    go_to(std::string(day) + "T12:00:00Z");
    std::string begun;
    for (const Step& run : driver_.runs) begun += to_text(run.started_at).substr(11, 5) + " ";
    return begun;
  };
  set_policy("Allow");
  deploy();
  EXPECT_EQ(begun_on("2026-03-29"), "");
  EXPECT_EQ(begun_on("2026-10-25"), "00:30 01:30 ");
  clock_changes_ = CronClockChanges::once;
  open();
  deploy();
  EXPECT_EQ(begun_on("2027-03-28"), "01:30 ");
  EXPECT_EQ(begun_on("2027-10-31"), "01:30 ");
}

TEST_F(CronJobs, OfEveryKeepTheirDistance) {
  set_schedule("@every 10h");
  set_policy("Allow");
  deploy();
  EXPECT_EQ(next_run(), "2026-01-01T10:00:00.000Z");
  go_to("2026-01-01T09:00:00Z");
  deploy();
  EXPECT_EQ(next_run(), "2026-01-01T10:00:00.000Z") << "another deployment does not begin it anew";
  go_to("2026-01-01T11:00:00Z");
  EXPECT_EQ(driver_.runs.size(), 1U);
  EXPECT_EQ(next_run(), "2026-01-01T20:00:00.000Z");
  // A late engine runs the job once, and the next time is unchanged.
  clock_.move_to(at("2026-01-03T00:30:00Z"));
  open();
  settle();
  EXPECT_EQ(next_run(), "2026-01-03T02:00:00.000Z");
  set_schedule("@every 1h");
  deploy();
  EXPECT_EQ(next_run(), "2026-01-03T01:30:00.000Z");
}

TEST_F(CronJobs, MayNeverCome) {
  const auto warning_of = [](const Reply& reply) {
    const auto found = std::ranges::find(reply.headers, "warning", [](const auto& header) { return header.first; });
    return found == reply.headers.end() ? std::string() : found->second;
  };
  constexpr std::string_view never =
      "299 - \"schedule.cronjob.scheduled_at never comes: none of its months has one of its days\"";
  EXPECT_EQ(warning_of(set_schedule("0 0 29 2 *")), "");
  EXPECT_EQ(warning_of(set_schedule("0 0 31 2 *")), never);
  const Reply made =
      ask("POST", environment() + "/job",
          R"({"name": "never", "healthchecks": {}, "source": {"image": {"registry_id": ")" +
              platform_->id_of("container_registry") +
              R"(", "image_name": "a", "tag": "1"}}, "schedule": {"cronjob": {"scheduled_at": "0 0 30 2 *"}}})");
  EXPECT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(warning_of(made), never);
  deploy();
  EXPECT_EQ(next_run(), "none");
  EXPECT_EQ(shown().text_or("hint", ""), "the schedule never comes: none of its months has one of its days");
  const auto wanted = engine_->tick();
  ASSERT_TRUE(wanted);
  EXPECT_FALSE(*wanted);
  set_schedule("0 0 * * *");
  deploy();
  EXPECT_EQ(next_run(), "2026-01-01T23:00:00.000Z");
  EXPECT_EQ(shown().find("hint"), nullptr);
}

TEST_F(CronJobs, ThatTheirPolicyForbidsToOverlapLeaveTheTimeOut) {
  deploy();
  go_to("2026-01-03T12:00:00Z");
  EXPECT_EQ(driver_.runs.size(), 1U) << "the run of the second is not over on the third";
  driver_.end_last(ReportKind::failed, "no space left on device");
  go_to("2026-01-04T12:00:00Z");
  EXPECT_EQ(driver_.runs.size(), 2U);
  EXPECT_EQ(states(), "QUEUED FAILED");
  EXPECT_EQ(shown().find("results")->items()[1].text_or("reason", ""), "no space left on device");
}

TEST_F(CronJobs, ThatTheirPolicyAllowsToOverlapRunBesideEachOther) {
  set_policy("Allow");
  deploy();
  go_to("2026-01-03T12:00:00Z");
  EXPECT_EQ(driver_.runs.size(), 3U);
  EXPECT_EQ(states(), "QUEUED QUEUED QUEUED");
  EXPECT_TRUE(driver_.canceled.empty());
}

TEST_F(CronJobs, ThatTheirPolicyReplacesCancelTheOlderRun) {
  set_policy("Replace", 5);
  deploy();
  go_to("2026-01-02T12:00:00Z");
  ASSERT_EQ(driver_.runs.size(), 2U);
  EXPECT_EQ(driver_.canceled, std::vector<Id>{driver_.runs.front().id});
  EXPECT_EQ(states(), "QUEUED CANCELED");
  EXPECT_EQ(shown().find("results")->items()[1].text_or("reason", ""), "the next run has replaced it");
}

TEST_F(CronJobs, KeepAsManyRunsAsTheirLimitsSay) {
  set_policy("Forbid", 2);
  deploy();
  for (int day = 1; day <= 6; ++day) {
    go_to("2026-01-0" + std::to_string(day) + "T12:00:00Z");
    ASSERT_EQ(driver_.runs.size(), static_cast<std::size_t>(day));
    driver_.end_last(day % 3 == 0 ? ReportKind::failed : ReportKind::succeeded, day % 3 == 0 ? "it broke" : "");
    settle();
  }
  EXPECT_EQ(states(), "FAILED SUCCEEDED SUCCEEDED FAILED");
}

TEST_F(CronJobs, StopWithTheirJobAndGoOnWithIt) {
  deploy();
  go_to("2026-01-01T12:00:00Z");
  ASSERT_EQ(driver_.runs.size(), 1U);
  ASSERT_EQ(ask("POST", path() + "/stop").status, 202);
  settle();
  EXPECT_EQ(driver_.canceled, std::vector<Id>{driver_.runs.front().id});
  EXPECT_EQ(states(), "CANCELED");
  EXPECT_EQ(next_run(), "none");
  go_to("2026-01-05T12:00:00Z");
  EXPECT_EQ(driver_.runs.size(), 1U);
  const auto wanted = engine_->tick();
  ASSERT_TRUE(wanted);
  EXPECT_FALSE(*wanted) << "a job that is stopped costs nothing";
  deploy();
  go_to("2026-01-06T12:00:00Z");
  EXPECT_EQ(driver_.runs.size(), 2U);
}

TEST_F(CronJobs, StopWithTheirEnvironment) {
  deploy();
  ASSERT_EQ(ask("POST", environment() + "/stop").status, 202);
  go_to("2026-01-05T12:00:00Z");
  EXPECT_EQ(driver_.runs.size(), 0U);
  EXPECT_EQ(next_run(), "none");
}

TEST_F(CronJobs, TakeAnEditWithTheNextDeployment) {
  deploy();
  Value body = *parse_stored(ask("GET", path()).body);
  body.find("schedule")->find("cronjob")->set("scheduled_at", Value("0 12 * * *"));
  const Reply edited = ask("PUT", path(), to_json(body));
  ASSERT_EQ(edited.status, 200) << edited.body;
  EXPECT_EQ(next_run(), "2026-01-01T02:30:00.000Z");
  deploy();
  EXPECT_EQ(next_run(), "2026-01-01T11:00:00.000Z");
  body.find("schedule")->erase("cronjob");
  ASSERT_EQ(ask("PUT", path(), to_json(body)).status, 200);
  deploy();
  EXPECT_EQ(next_run(), "none") << "it is no cron job any more";
}

TEST_F(CronJobs, RunOnceByRequestWithoutASchedule) {
  ASSERT_EQ(ask("POST", path() + "/deploy?forceEvent=CRON").status, 202);
  settle();
  EXPECT_EQ(next_run(), "none");
}

TEST_F(CronJobs, OutliveTheEngine) {
  deploy();
  open();
  go_to("2026-01-01T02:30:00Z");
  settle();
  ASSERT_EQ(driver_.runs.size(), 1U);
  const Id step = driver_.runs.front().id;
  open();
  settle();
  ASSERT_EQ(driver_.runs.size(), 2U);
  EXPECT_EQ(driver_.runs.back().id, step);
  EXPECT_TRUE(driver_.runs.back().resumed);
  driver_.end_last();
  settle();
  EXPECT_EQ(states(), "SUCCEEDED");
  // Three nights without an engine cause one run.
  clock_.move_to(at("2026-01-04T12:00:00Z"));
  open();
  settle();
  EXPECT_EQ(driver_.runs.size(), 3U);
  EXPECT_EQ(next_run(), "2026-01-05T02:30:00.000Z");
}

TEST_F(CronJobs, AskForACancelAgainAfterACrash) {
  driver_.answers_cancels = false;
  deploy();
  go_to("2026-01-01T12:00:00Z");
  ASSERT_EQ(ask("POST", path() + "/stop").status, 202);
  settle();
  ASSERT_EQ(driver_.canceled.size(), 1U);
  open();
  settle();
  EXPECT_EQ(driver_.canceled.size(), 2U);
  EXPECT_TRUE(driver_.runs.back().canceling_since);
  // A driver that never answers has until its deadline.
  go_to("2026-01-01T12:30:00Z");
  EXPECT_EQ(states(), "FAILED");
}

TEST_F(CronJobs, EndAtTheDeadlineOfTheJob) {
  ASSERT_EQ(ask("POST", path() + "/deploy").status, 202);
  settle();
  go_to("2026-01-01T02:30:00Z");
  settle();
  driver_.end_last(ReportKind::started);
  go_to("2026-01-01T03:29:00Z");
  EXPECT_EQ(states(), "RUNNING");
  go_to("2026-01-01T03:31:00Z");
  EXPECT_EQ(states(), "FAILED");
}

TEST_F(CronJobs, AreLeftToADriverOfTheHost) {
  open(false);
  deploy();
  EXPECT_EQ(next_run(), "none");
  go_to("2026-01-05T12:00:00Z");
  EXPECT_EQ(driver_.runs.size(), 0U);
  // An engine without a scripted driver, opened after one with it, starts nothing either.
  open();
  deploy();
  open(false);
  go_to("2026-01-08T12:00:00Z");
  EXPECT_EQ(driver_.runs.size(), 0U);
}

TEST_F(CronJobs, AreRunByTheOneThatTheOptionNames) {
  open(false, Schedules::engine);
  deploy();
  EXPECT_EQ(next_run(), "2026-01-01T02:30:00.000Z");
  go_to("2026-01-01T02:31:00Z");
  EXPECT_EQ(driver_.runs.size(), 1U);
  driver_.end_last();
  settle();

  open(true, Schedules::driver);
  deploy();
  EXPECT_EQ(next_run(), "none");
  go_to("2026-01-05T12:00:00Z");
  EXPECT_EQ(driver_.runs.size(), 1U);
}

TEST_F(CronJobs, GoWithTheirJob) {
  deploy();
  go_to("2026-01-01T12:00:00Z");
  ASSERT_EQ(ask("DELETE", path()).status, 204);
  go_to("2026-01-05T12:00:00Z");
  EXPECT_EQ(driver_.runs.size(), 1U);
  EXPECT_EQ(ask("GET", path() + "/run").status, 404);
}

TEST_F(CronJobs, RefuseAPolicyThatThereIsNot) {
  const Reply refused = ask("PUT", path() + "/advancedSettings", R"({"cronjob.concurrency_policy": "forbid"})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("cronjob.concurrency_policy must be one of Allow, Forbid, Replace, not \\\"forbid\\\""),
            std::string::npos)
      << refused.body;
}

}  // namespace
}  // namespace orlop
