// A seeded course of events in a simulation, for tests that compare two executions of it: environments with databases,
// applications that are built, and jobs; some fail, hang or take no time, some are canceled, and some are deployed on
// schedule.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unit/seeded_random.h"
#include "unit/sim/simulation.h"

namespace orlop::tests {

// Addition to the course.
enum class CoursePart : std::uint8_t { nothing, cron_job, deployment_rule, webhook, hold, lifetime, queue };
constexpr std::uint64_t course_parts = 7;

class Course {
 public:
  // Advances the simulation by the duration, or, without one, until nothing is under way.
  using Move = std::function<void(std::optional<Duration>)>;

  Course(Simulation& simulation, std::uint64_t seed, Move move)
      : simulation_(simulation), random_(seed), seed_(seed), move_(std::move(move)) {}

  static void set(Settings& settings) {
    settings.step_deadline = seconds(300);
    settings.start_deadline = seconds(300);
  }
  static CoursePart part_of(std::uint64_t seed) { return static_cast<CoursePart>(seed % course_parts); }

  void prepare(std::size_t environments = 4) {
    simulation_.organization = simulation_.make("/organization", R"({"name":"acme","plan":"FREE"})");
    simulation_.make("/organization/" + simulation_.organization + "/cluster",
                     R"({"name":"europe","region":"eu-west-3","cloud_provider":"AWS"})");
    const std::string project =
        simulation_.make("/organization/" + simulation_.organization + "/project", R"({"name":"shop"})");
    for (std::size_t number = 0; number < environments; ++number) {
      const std::string name = "env-" + std::to_string(number);
      simulation_.environment = simulation_.make("/project/" + project + "/environment", R"({"name":")" + name + "\"}");
      environments_.push_back(simulation_.environment);
      for (const char* database : {"orders", "stock"}) {
        databases_.push_back(simulation_.make(
            "/environment/" + simulation_.environment + "/database",
            R"({"type":"POSTGRESQL","version":"16","mode":"CONTAINER","name":")" + std::string(database) + "\"}"));
      }
      simulation_.make_application("web");
      if (number % 2 == 0) simulation_.make_application("admin");
      if (number % 2 == 1) simulation_.make_job("seed-" + std::to_string(number));
    }
    for (const std::string& rule : rules()) add_rule(rule);
    add_part();
  }

  // Sends requests to environments and sometimes a cancel, and advances the clock.
  void run(int rounds = 6) {
    for (int round = 0; round < rounds; ++round) {
      request();
      if (part_of(seed_) == CoursePart::hold) hold("26s");
      move_(seconds(static_cast<std::int64_t>(random_.below(90))));
      if (random_.in(2)) post(random_.one_of(environments_), "/cancelDeployment");
      if (random_.in(3)) request();
      if (random_.in(3)) move_(seconds(static_cast<std::int64_t>(7200 * random_.below(3))));
      else move_(std::nullopt);
    }
    move_(std::nullopt);
  }
  // Deploys all environments at once, with a cancel in the middle.
  void run_once() {
    for (const std::string& environment : environments_) post(environment, "/deploy");
    move_(seconds(40));
    post(environments_.front(), "/cancelDeployment");
    move_(std::nullopt);
  }

  const std::vector<std::string>& environments() const { return environments_; }

 private:
  // Every second course has no rule that needs a name.
  std::vector<std::string> rules() const {
    return {
        R"({"step":"deploy","kind":"database","after":{"distribution":"uniform","least":"5s","most":"60s"}})",
        R"({"step":"build","after":{"distribution":"exponential","mean":"40s"},"log":[{"text":"pulling"},{"after":)"
        R"("5s","text":"building"}]})",
        R"({"step":"execute","after":{"distribution":"uniform","least":"3s","most":"50s"},"outputs":{"host":)"
        R"("db.example.com"}})",
        R"({"step":"stop","after":0})",
        // In these courses applications of several environments end at the same millisecond.
        seed_ % 3 == 0
            ? R"({"step":"deploy","kind":"application","after":"30s","running":"RUNNING"})"
            : R"({"step":"deploy","kind":"application","after":{"distribution":"normal","mean":"40s","deviation":)"
              R"("9s"},"running":"RUNNING","crash_after":"2h"})",
        R"({"rule":"lost","step":"deploy","kind":"application","probability":0.2,"contact_lost_after":"5s",)"
        R"("contact_back_after":"9s","after":"20s"})",
        R"({"rule":"flaky","step":"deploy","kind":"database","probability":0.1,"fails":"no room"})",
        R"({"rule":"stuck","step":"deploy","kind":"database","probability":0.08,"outcome":"hang"})",
        R"({"rule":"no code","step":"build","probability":0.1,"fails":"no code","after":"4s"})",
        seed_ % 2 == 0 ? R"({"step":"deploy","kind":"database","name":"sto*","every":2,"after":"30s"})"
                       : R"({"step":"restart","after":"7s"})",
        seed_ % 2 == 0 ? R"({"step":"deploy","name":"admin","outcome":"fail","times":1})"
                       : R"({"step":"delete","after":"7s"})",
    };
  }

  void add_part() {
    const std::string environment = "/environment/" + environments_.front();
    switch (part_of(seed_)) {
      case CoursePart::nothing: return;
      case CoursePart::cron_job: {
        const std::string registry =
            simulation_.make("/organization/" + simulation_.organization + "/containerRegistry",
                             R"({"name":"hub","kind":"DOCKER_HUB","config":{}})");
        simulation_.make(
            environment + "/job",
            R"({"name":"report","healthchecks":{},"source":{"image":{"registry_id":")" + registry +
                R"(","image_name":"i","tag":"1"}},"schedule":{"cronjob":{"scheduled_at":"*/20 * * * *","timezone":)"
                R"("Europe/Paris"}}})");
        return;
      }
      case CoursePart::deployment_rule: {
        const Reply saved = simulation_.ask(
            "PUT", environment + "/deploymentRule/" + environments_.front(),
            R"({"auto_stop":true,"timezone":"UTC","start_time":"2020-07-01T02:00:00Z","stop_time":"1970-01-01T01:)"
            R"(00:00Z",
                                                "weekdays":["MONDAY","TUESDAY","WEDNESDAY","THURSDAY","FRIDAY"]})");
        EXPECT_EQ(saved.status, 200) << saved.body;
        return;
      }
      case CoursePart::webhook:
        simulation_->webhook_sender().add({"https://hooks.*", 500, "no", 5});  // the message is sent again later
        simulation_.make(
            "/organization/" + simulation_.organization + "/webhook",
            R"({"kind":"STANDARD","target_url":"https://hooks.example.com/","events":["DEPLOYMENT_SUCCESSFUL",)"
            R"("DEPLOYMENT_FAILURE"]})");
        return;
      case CoursePart::hold: return;
      case CoursePart::lifetime: return add_rule(R"({"environment":"env-3","lasts":"67s"})");
      case CoursePart::queue: return add_rule(R"({"environment":"env-*","parallel":2,"queued":"23s"})");
    }
  }

  void add_rule(std::string_view rule) { EXPECT_EQ(simulation_.ask("POST", "/-/sim/rules", rule).status, 204) << rule; }
  void hold(const std::string& duration) {
    const Reply held =
        simulation_.ask("POST", "/-/sim/state",
                        R"({"resource":")" + databases_.front() + R"(","hold":true,"for":")" + duration + "\"}");
    EXPECT_LT(held.status, 300) << held.body;
  }

  void request() {
    static constexpr std::array actions = {"/deploy", "/deploy", "/deploy", "/redeploy", "/stop"};
    const std::string action = std::string(random_.one_of(actions));
    const std::string other = std::string(random_.one_of(actions));
    for (const std::string& environment : environments_) {
      if (!random_.in(4)) post(environment, random_.in(3) ? other : action);
    }
  }
  void post(const std::string& environment, const std::string& action) {
    simulation_.ask("POST", "/environment/" + environment + action, "{}");
  }

  Simulation& simulation_;
  SeededRandom random_;
  std::uint64_t seed_;
  Move move_;
  std::vector<std::string> environments_;
  std::vector<std::string> databases_;
};

// Result of a course.
struct CourseTrace {
  std::string events;
  std::string snapshot;
  Instant end;
};

inline CourseTrace trace_of(Simulation& simulation) {
  return {simulation.events(), simulation->snapshot().value(), simulation->engine().now()};
}

inline void expect_alike(const CourseTrace& trace, const CourseTrace& wanted, const std::string& what) {
  EXPECT_EQ(trace.end.milliseconds, wanted.end.milliseconds) << what;
  const auto first =
      static_cast<std::size_t>(std::ranges::mismatch(trace.events, wanted.events).in1 - trace.events.begin());
  ASSERT_TRUE(trace.events == wanted.events) << what << ": the feeds differ at " << first << ":\n"
                                             << trace.events.substr(first, 400) << "\n and \n"
                                             << wanted.events.substr(first, 400);
  ASSERT_EQ(trace.snapshot, wanted.snapshot) << what;
}

// Reports whether nothing is under way after the work of this instant.
inline bool is_idle(Simulation& simulation) {
  const auto ran = simulation->run_until_idle(Duration{0});
  return !ran.ok() || ran->end == Simulator::RunEnd::idle;
}

// Advances by ticks of one instant each, which share no commit.
inline void move_singly(Simulation& simulation, std::optional<Duration> duration) {
  const Instant end = duration ? simulation->engine().now() + *duration : Instant{INT64_MAX};
  for (int ticks = 0; ticks < 100'000; ++ticks) {
    const auto due = simulation->tick();
    ASSERT_TRUE(due.ok()) << due.error().message;
    const Instant now = simulation->engine().now();
    const bool is_over = duration ? !*due || **due > end : is_idle(simulation);
    const Instant next = !is_over ? **due : duration ? end : now;
    if (next > now) { ASSERT_TRUE(simulation->advance(next - now).ok()); }
    if (is_over) return;
  }
  FAIL() << "the engine wants to be called for ever";
}

}  // namespace orlop::tests
