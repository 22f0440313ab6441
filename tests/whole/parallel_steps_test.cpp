// The number of steps that run at once, and the order in which steps start.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"
#include "whole/times.h"
#include "wire/json.h"

namespace orlop {
namespace {

class HoldingDriver final : public Driver {
 public:
  Result<void> start(const Step& step) override {
    running.push_back(step);
    most = std::max(most, running.size());
    return {};
  }
  void cancel(const Id&, CancelMode) override {}
  std::vector<Step> running;
  std::size_t most = 0;
};

class ParallelSteps : public testing::Test {
 protected:
  struct Process {
    HoldingDriver driver;
    std::unique_ptr<Engine> engine;
  };

  void open(Process& process, Settings settings, std::uint64_t seed = 1) {
    settings.require_cluster = false;
    EngineOptions options;
    options.store = store_;
    options.clock = &clock_;
    options.random_source = sources_.emplace_back(std::make_unique<SeededRandomSource>(seed)).get();
    options.driver = &process.driver;
    options.settings = settings;
    auto opened = Engine::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().message;
    process.engine = std::move(*opened);
  }
  static Reply ask(Process& process, std::string_view method, const std::string& path, std::string_view body = "") {
    auto reply = process.engine->dispatch({method, path, body, {}});
    EXPECT_TRUE(reply) << path;
    return reply ? std::move(*reply) : Reply();
  }
  static std::string create(Process& process, const std::string& path, std::string_view body) {
    const Reply reply = ask(process, "POST", path, body);
    EXPECT_LT(reply.status, 300) << path << ": " << reply.body;
    const auto made = parse_stored(reply.body);
    return made ? std::string(made->text_or("id", "")) : std::string();
  }
  struct Organization {
    std::string id, project, registry;
  };
  static std::string cluster(Process& process, const Organization& of, const std::string& name) {
    return create(process, "/organization/" + of.id + "/cluster",
                  R"({"name":")" + name + R"(","region":"eu-west-3","cloud_provider":"AWS"})");
  }
  static Organization organization(Process& process, const std::string& name) {
    Organization made;
    made.id = create(process, "/organization", R"({"name":")" + name + R"(","plan":"FREE"})");
    made.project = create(process, "/organization/" + made.id + "/project", R"({"name":"shop"})");
    cluster(process, made, "default");
    made.registry = create(process, "/organization/" + made.id + "/containerRegistry",
                           R"({"name":"hub","kind":"DOCKER_HUB","config":{}})");
    return made;
  }
  static std::string environment(Process& process, const Organization& of, const std::string& name, int services,
                                 const std::string& on = "") {
    const std::string body =
        on.empty() ? R"({"name":")" + name + R"("})" : R"({"name":")" + name + R"(","cluster":")" + on + R"("})";
    const std::string id = create(process, "/project/" + of.project + "/environment", body);
    for (int at = 0; at < services; ++at) {
      create(process, "/environment/" + id + "/container",
             R"({"name":"s)" + std::to_string(at) + R"(","registry_id":")" + of.registry +
                 R"(","image_name":"a","tag":"1","healthchecks":{}})");
    }
    EXPECT_EQ(ask(process, "POST", "/environment/" + id + "/deploy").status, 202);
    return id;
  }
  static void tick(Process& process) {
    const Instant now = process.engine->now();
    for (int ticks = 0; ticks < 100; ++ticks) {
      const auto wanted = process.engine->tick();
      ASSERT_TRUE(wanted) << wanted.error().message;
      if (!*wanted || **wanted > now) return;
    }
    ADD_FAILURE() << "it does not come to rest";
  }
  // Ends the step that was handed over first.
  static Step succeed(Process& process) {
    const Step step = process.driver.running.front();
    process.driver.running.erase(process.driver.running.begin());
    EXPECT_TRUE(process.engine->report({step.id, ReportKind::succeeded, RunningState::none, {}}));
    tick(process);
    return step;
  }

  VirtualClock clock_{new_year};
  std::shared_ptr<Store> store_ = open_memory_store();
  std::vector<std::unique_ptr<SeededRandomSource>> sources_;
};

TEST_F(ParallelSteps, no_more_run_than_the_engine_may_have) {
  Process process;
  open(process, {.max_parallel_steps = 3});
  const Organization acme = organization(process, "acme");
  environment(process, acme, "a", 10);
  environment(process, acme, "b", 10);
  EXPECT_EQ(ask(process, "POST", "/organization/" + acme.id + "/cluster/" + cluster(process, acme, "main") + "/deploy")
                .status,
            200);
  tick(process);
  EXPECT_EQ(process.driver.running.size(), 3U);
  int ended = 0;
  while (!process.driver.running.empty()) {
    succeed(process);
    ++ended;
  }
  EXPECT_EQ(ended, 21);
  EXPECT_EQ(process.driver.most, 3U);
}

TEST_F(ParallelSteps, environments_take_turns) {
  Process process;
  open(process, {.max_parallel_steps = 2});
  const Organization acme = organization(process, "acme");
  const std::string large = environment(process, acme, "large", 40);
  tick(process);
  const std::string small = environment(process, acme, "small", 3);
  tick(process);
  std::vector<std::string> order;
  while (!process.driver.running.empty()) order.push_back(to_text(succeed(process).owner));
  EXPECT_EQ(order.size(), 43U);
  // The small one does not wait for the large one: every second start belongs to it.
  const auto last = std::find(order.rbegin(), order.rend(), small);
  EXPECT_LE(order.rend() - last, 10);
}

TEST_F(ParallelSteps, an_organization_that_is_full_keeps_no_other_waiting) {
  Process process;
  open(process, {.max_parallel_steps = 4, .max_parallel_steps_by_organization = 2});
  const Organization acme = organization(process, "acme");
  const Organization beta = organization(process, "beta");
  for (const char* name : {"a", "b", "c", "d"}) environment(process, acme, name, 5);
  tick(process);
  EXPECT_EQ(process.driver.running.size(), 2U);
  environment(process, beta, "a", 5);
  tick(process);
  std::map<std::string, int> by;
  for (const Step& step : process.driver.running) ++by[to_text(step.organization)];
  EXPECT_EQ(by[acme.id], 2);
  EXPECT_EQ(by[beta.id], 2);
  int ended = 0;
  while (!process.driver.running.empty()) {
    succeed(process);
    ++ended;
    std::map<Id, int> now;
    for (const Step& step : process.driver.running) EXPECT_LE(++now[step.organization], 2);
  }
  EXPECT_EQ(ended, 25);
}

TEST_F(ParallelSteps, a_cluster_has_a_limit_of_its_own) {
  Process process;
  open(process, {.max_parallel_steps_by_cluster = 1});
  const Organization acme = organization(process, "acme");
  const std::string first = cluster(process, acme, "first");
  const std::string second = cluster(process, acme, "second");
  environment(process, acme, "a", 3, first);
  environment(process, acme, "b", 3, first);
  environment(process, acme, "c", 3, second);
  tick(process);
  EXPECT_EQ(process.driver.running.size(), 2U);
  // The cluster's own step waits like those of its services.
  EXPECT_EQ(ask(process, "POST", "/organization/" + acme.id + "/cluster/" + second + "/deploy").status, 200);
  tick(process);
  EXPECT_EQ(process.driver.running.size(), 2U);
  int ended = 0;
  while (!process.driver.running.empty()) {
    succeed(process);
    ++ended;
    EXPECT_LE(process.driver.running.size(), 2U);
  }
  EXPECT_EQ(ended, 10);
}

TEST_F(ParallelSteps, what_waits_is_abandoned_when_another_part_fails_or_the_request_is_canceled) {
  Process process;
  open(process, {.max_parallel_steps = 1});
  const Organization acme = organization(process, "acme");
  const std::string failing = environment(process, acme, "failing", 5);
  const std::string canceled = environment(process, acme, "canceled", 5);
  tick(process);
  ASSERT_EQ(process.driver.running.size(), 1U);
  const Step step = process.driver.running.front();
  process.driver.running.clear();
  ASSERT_TRUE(process.engine->report({step.id, ReportKind::failed, RunningState::none, "no"}));
  EXPECT_EQ(ask(process, "POST", "/environment/" + canceled + "/cancelDeployment").status, 202);
  tick(process);
  EXPECT_TRUE(process.driver.running.empty());
  EXPECT_TRUE(process.engine->check(false)->empty());
  for (const std::string& id : {failing, canceled}) {
    const Reply status = ask(process, "GET", "/environment/" + id + "/status");
    EXPECT_EQ(status.body.find("QUEUED"), std::string::npos) << status.body;
  }
}

// Each process has a separate limit; those of organizations hold for all processes together, because one process drives
// an organization.
TEST_F(ParallelSteps, two_processes_keep_the_limits_and_starve_none) {
  Process one, two;
  const Settings settings = {.max_parallel_steps = 4, .max_parallel_steps_by_organization = 3};
  open(one, settings, 1);
  open(two, settings, 2);
  for (int rounds = 0; rounds < 8; ++rounds) tick(one), tick(two);
  for (int at = 0; at < 6; ++at) {
    const Organization of = organization(one, "o" + std::to_string(at));
    for (const char* name : {"a", "b"}) environment(one, of, name, 6);
  }
  std::map<const Process*, std::vector<std::string>> order;
  int ended = 0;
  for (int rounds = 0; rounds < 400; ++rounds) {
    for (Process* process : {&one, &two}) {
      tick(*process);
      if (process->driver.running.empty()) continue;
      order[process].push_back(to_text(succeed(*process).owner));
      ++ended;
    }
    std::map<Id, int> now;
    for (const Process* process : {&one, &two}) {
      EXPECT_LE(process->driver.running.size(), 4U);
      for (const Step& step : process->driver.running) EXPECT_LE(++now[step.organization], 3);
    }
    if (HasFailure()) return;
  }
  EXPECT_EQ(ended, 72);
  // In each process, every environment has had a turn before the first one has had all of its turns.
  for (const auto& [process, owners] : order) {
    std::map<std::string, int> turns;
    std::size_t begun = 0, done = owners.size();  // an organization may move to the other process meanwhile
    const std::set<std::string> all(owners.begin(), owners.end());
    for (std::size_t at = 0; at < owners.size(); ++at) {
      if (++turns[owners[at]] == 1) begun = at;
      if (turns[owners[at]] == 6) done = std::min(done, at);
    }
    EXPECT_LT(begun, done) << all.size() << " environments";
  }
  EXPECT_FALSE(one.driver.most == 0 || two.driver.most == 0) << "both have worked";
}

}  // namespace
}  // namespace orlop
