// Every state machine belongs to the partition of its organization: only the engine that holds the partition advances
// it.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine.h"
#include "model/registry.h"
#include "platform.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"
#include "store/partition.h"
#include "store/walk.h"
#include "unit/argocd_application.h"
#include "whole/times.h"
#include "wire/json.h"

namespace orlop {
namespace {

// Thursday, 2026-01-01, 00:00 UTC. Calls of one engine's ticks to its host.
class Doing final : public Driver, public WebhookSender, public ExternalSystems {
 public:
  Result<void> start(const Step& step) override {
    const bool is_of_cluster = step.family == find_family("cluster")->number;
    did.insert(step.kind == StepKind::task   ? "task"
               : is_of_cluster               ? "cluster"
               : step.kind == StepKind::stop ? "deployment rule"
                                             : "deployment");
    running.push_back(step.id);
    return {};
  }
  void cancel(const Id&, CancelMode) override { did.insert("deadline"); }
  Result<void> deliver(const Delivery&) override {
    did.insert("webhook");
    return {};
  }
  Result<std::string> ask(std::string_view question, std::string_view) override {
    if (question == "find_blueprint") {
      return std::string(R"({"catalog_url": "https://c.example.com/pg", "repository_url": "https:)"
                         R"(//github.com/acme/blueprints.git", "latest_tag": "b", "variables": [],
                             "engine": {"type": "terraform", "version": "1.9.0"}})");
    }
    if (question == "list_argocd_applications") return std::string(tests::argocd_applications);
    if (is_ticking) did.insert("alert rule");
    return make_error(ErrorCode::external_failed, "not today");
  }
  bool answers(std::string_view question) const override { return is_ticking || question == "find_blueprint"; }

  std::set<std::string> did;
  std::vector<Id> running;
  bool is_ticking = false;
};

struct Process {
  Doing doing;
  std::unique_ptr<SeededRandomSource> random_source;
  std::unique_ptr<Engine> engine;
};

class Partitions : public testing::Test {
 protected:
  Partitions() : clock_(new_year), store_(open_memory_store()) {
    open(one_, 1);
    open(two_, 2);
    work(100);
    platform_.emplace(*one_.engine);
  }
  void open(Process& process, std::uint64_t seed) {
    process.random_source = std::make_unique<SeededRandomSource>(seed);
    EngineOptions options;
    options.store = store_;
    options.clock = &clock_;
    options.random_source = process.random_source.get();
    options.driver = &process.doing;
    options.settings.webhook_sender = &process.doing;
    options.settings.external_systems = &process.doing;
    options.settings.require_cluster = false;
    options.settings.start_deadline = seconds(600);
    auto opened = Engine::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().message;
    process.engine = std::move(*opened);
  }
  void work(int rounds = 10) {
    for (int round = 0; round < rounds; ++round) {
      for (Process* process : {&one_, &two_}) {
        if (!process->engine) continue;
        process->doing.is_ticking = true;
        EXPECT_TRUE(process->engine->tick());
        process->doing.is_ticking = false;
      }
    }
  }
  void succeed() {
    for (Process* process : {&one_, &two_}) {
      for (const Id& step : std::exchange(process->doing.running, {}))
        EXPECT_TRUE(process->engine->report({step, ReportKind::succeeded, RunningState::none, {}}));
    }
    work();
  }
  void pass(std::int64_t duration) {
    for (std::int64_t passed = 0; passed < duration; passed += 30) {
      clock_.move_to(clock_.now() + seconds(30));
      work(2);
    }
  }
  void ask(std::string_view method, const std::string& path, std::string_view body = "") {
    const Reply reply = platform_->ask(method, path, body);
    EXPECT_LT(reply.status, 300) << method << " " << path << ": " << reply.body;
    work();
  }
  std::string environment() { return "/environment/" + platform_->id_of("environment"); }

  VirtualClock clock_;
  std::shared_ptr<Store> store_;
  Process one_, two_;
  std::optional<Platform> platform_;
};

TEST_F(Partitions, the_holder_does_all_that_belongs_to_it) {
  platform_->id_of("container");
  platform_->id_of("webhook");
  platform_->id_of("alert_rule");
  ask("POST",
      "/organization/" + platform_->id_of("organization") + "/cluster/" + platform_->id_of("cluster") + "/deploy");
  succeed();
  ask("POST", "/clusters/" + platform_->id_of("cluster") + "/analysis",
      R"({"kind": "DEPRECATED_API_CHECK", "output_format": "JSON"})");
  succeed();
  ask("POST", environment() + "/deploy");
  succeed();
  ask("PUT", environment() + "/deploymentRule/" + platform_->id_of("environment"),
      R"({"auto_stop": true, "timezone": "UTC", "start_time": "2020-07-01T00:00:00Z", "stop_time": "1970-01-01T00:)"
      R"(30:00Z", "weekdays": ["THURSDAY"]})");
  pass(3'600);  // the rule stops the environment, whose step then runs until its deadline
  const std::set<std::string> all = {"alert rule",      "cluster", "deadline", "deployment",
                                     "deployment rule", "task",    "webhook"};
  Process& holder = one_.doing.did.empty() ? two_ : one_;
  Process& other = &holder == &one_ ? two_ : one_;
  EXPECT_EQ(holder.doing.did, all);
  EXPECT_TRUE(other.doing.did.empty()) << *other.doing.did.begin();

  // The process is killed: the other one takes over everything.
  platform_.emplace(*other.engine, *std::exchange(platform_, std::nullopt));
  holder.engine.reset();
  holder.doing.did.clear();
  pass(60);
  ask("POST",
      "/organization/" + platform_->id_of("organization") + "/cluster/" + platform_->id_of("cluster") + "/deploy");
  ask("POST", "/clusters/" + platform_->id_of("cluster") + "/analysis",
      R"({"kind": "DEPRECATED_API_CHECK", "output_format": "JSON"})");
  ask("POST", environment() + "/deploy");
  pass(3'600);
  EXPECT_TRUE(holder.doing.did.empty());
  for (const char* name : {"alert rule", "cluster", "deadline", "deployment", "task", "webhook"})
    EXPECT_TRUE(other.doing.did.contains(name)) << name;
}

TEST_F(Partitions, every_row_that_moves_is_in_that_of_its_organization) {
  platform_->make_all();
  ask("PUT", environment() + "/deploymentRule/" + platform_->id_of("environment"),
      R"({"auto_stop": true, "timezone": "UTC", "start_time": "2020-07-01T00:00:00Z", "stop_time": "1970-01-01T00:)"
      R"(30:00Z", "weekdays": ["THURSDAY"]})");
  const Reply blueprint = platform_->ask("POST", environment() + "/blueprint",
                                         R"({"name": "orders", "tag": "a", "icon": "https://c.example.com/i.svg"})");
  ask("POST", "/blueprint/" + std::string((*parse_stored(blueprint.body)).text_or("id", "")) + "/update/preview",
      R"({"name": "orders", "tag": "b", "icon": "https://c.example.com/i.svg"})");
  const auto answer = [this](std::string_view method, const std::string& path, std::string_view body) {
    return platform_->ask(method, path, body).body;
  };
  EXPECT_FALSE(tests::make_argocd_app(platform_->id_of("organization"), platform_->id_of("cluster"), answer, [this] {
                 work();
               }).empty());
  ask("POST", environment() + "/deploy");
  succeed();
  std::set<std::string> families;
  const auto transaction = std::move(store_->begin(Access::read)).value();
  ASSERT_TRUE(for_each_record(*transaction, [&](const Record& record) -> Result<void> {
    ORLOP_TRY(machine, transaction->machine(record.id));
    if (!machine) return {};
    families.insert(std::string(find_family(machine->family)->name));
    EXPECT_EQ(machine->partition, partition_of(record.organization)) << find_family(machine->family)->name;
    return {};
  }));
  for (const Family* family : all_families()) {
    const bool is_shown = family->machine == MachineKind::none || families.contains(std::string(family->name));
    EXPECT_TRUE(is_shown) << family->name << " has a machine, and no record of it is made here; add the request that "
                          << "makes one to this test of tests/whole/partitions_test.cpp: ask(\"POST\", …, R\"("
                          << family->sample << ")\");";
  }
  EXPECT_TRUE(families.contains("webhook_delivery") && families.contains("deployment"));
}

}  // namespace
}  // namespace orlop
