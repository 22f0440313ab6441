// Deletion of a tree in several commits: every other engine on the store sees the deletion from its first commit on.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/bulk_job_number.h"
#include "base/deletion_number.h"
#include "contract/fixture.h"
#include "engine.h"
#include "records/bulk_jobs/job_parts.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/partition.h"
#include "wire/json.h"

namespace orlop::contract {
namespace {

// Records the steps that begin. The test reports their ends later.
class NotingDriver final : public Driver {
 public:
  Result<void> start(const Step& step) override {
    kinds.push_back(step.kind);
    steps.push_back(step.id);
    return {};
  }
  void cancel(const Id&, CancelMode) override {}
  std::vector<StepKind> kinds;
  std::vector<Id> steps;
};

// One engine of several processes.
class Process {
 public:
  Process(std::shared_ptr<Store> store, std::uint64_t seed, EngineRole role) : random_source_(seed) {
    EngineOptions options;
    options.store = std::move(store);
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.settings.require_cluster = false;
    options.driver = &driver_;
    options.role = role;
    auto opened = Engine::open(std::move(options));
    EXPECT_TRUE(opened) << opened.error().message;
    engine_ = std::move(*opened);
  }
  Reply ask(std::string_view method, const std::string& path, std::string_view body = "") {
    const auto reply = engine_->dispatch({method, path, body, {}});
    EXPECT_TRUE(reply) << path << ": " << reply.error().message;
    return reply ? *reply : Reply();
  }
  int status(std::string_view method, const std::string& path, std::string_view body = "") {
    return ask(method, path, body).status;
  }
  std::string create(const std::string& path, std::string_view body) {
    const Reply reply = ask("POST", path, body);
    EXPECT_LT(reply.status, 300) << path << ": " << reply.body;
    const auto made = parse_stored(reply.body);
    return made ? std::string(made->text_or("id", "")) : "";
  }
  std::size_t count(const std::string& path) {
    const auto list = parse_stored(ask("GET", path).body);
    const Value* const results = list ? list->find("results") : nullptr;
    return results == nullptr ? SIZE_MAX : results->items().size();
  }
  Engine& engine() { return *engine_; }
  NotingDriver& driver() { return driver_; }
  // Ticks until nothing is left to do; every step succeeds.
  void work() {
    for (int ticks = 0; ticks < 1000; ++ticks) {
      const auto next = engine_->tick();
      ASSERT_TRUE(next) << next.error().message;
      for (const Id& step : std::exchange(driver_.steps, {}))
        ASSERT_TRUE(engine_->report({step, ReportKind::succeeded, RunningState::none, {}}));
      if (driver_.steps.empty() && !engine_->is_ready() && (!*next || **next > clock_.now())) return;
    }
    FAIL() << "the engine does not come to rest";
  }

 private:
  VirtualClock clock_{{1'767'225'600'000}};
  SeededRandomSource random_source_;
  NotingDriver driver_;
  std::unique_ptr<Engine> engine_;
};

class Deletions : public Contract {
 protected:
  // Creates an environment with a service, and more text than one commit erases.
  void SetUp() override {
    Contract::SetUp();
    if (HasFatalFailure()) return;
    const std::shared_ptr<Store> shared(&store(), [](Store*) {});
    deleting_.emplace(shared, 1, EngineRole::serve);
    const bool is_shared = reading()->coordination() != nullptr;
    if (!is_shared) GTEST_SKIP() << "several engines cannot share this store";
    other_.emplace(shared, 2, EngineRole::serve);
    driving_.emplace(shared, 3, EngineRole::drive);
    organization_ = deleting_->create("/organization", R"({"name":"acme","plan":"FREE"})");
    deleting_->create("/organization/" + organization_ + "/cluster",
                      R"({"name":"main","region":"eu-west-3","cloud_provider":"AWS"})");
    registry_ = deleting_->create("/organization/" + organization_ + "/containerRegistry",
                                  R"({"name":"hub","kind":"DOCKER_HUB","config":{}})");
    project_ = deleting_->create("/organization/" + organization_ + "/project", R"({"name":"shop"})");
    environment_ = deleting_->create("/project/" + project_ + "/environment", R"({"name":"production"})");
    service_ = deleting_->create("/environment/" + environment_ + "/container", service("web"));
    const std::string value(65'000, 'v');
    for (int at = 0; at < 40; ++at) {
      deleting_->create("/environment/" + environment_ + "/environmentVariable",
                        R"({"key":"LONG_)" + std::to_string(at) + R"(","value":")" + value + "\"}");
    }
  }
  void TearDown() override {
    driving_.reset();
    other_.reset();
    deleting_.reset();
    Contract::TearDown();
  }
  std::string service(const std::string& name) const {
    return R"({"name":")" + name + R"(","registry_id":")" + registry_ +
           R"(","image_name":"a","tag":"1","healthchecks":{}})";
  }
  // Checks the view of an engine that does not drive the deletion of the project.
  void expect_gone(Process& process) {
    EXPECT_EQ(process.status("GET", "/project/" + project_), 404);
    EXPECT_EQ(process.status("GET", "/environment/" + environment_), 404);
    EXPECT_EQ(process.status("GET", "/environment/" + environment_ + "/statuses"), 404);
    EXPECT_EQ(process.status("GET", "/container/" + service_), 404);
    EXPECT_EQ(process.status("PUT", "/container/" + service_, service("renamed")), 404);
    EXPECT_EQ(process.status("DELETE", "/container/" + service_), 404);
    EXPECT_EQ(process.status("POST", "/project/" + project_ + "/environment", R"({"name":"late"})"), 404);
    EXPECT_EQ(process.status("POST", "/environment/" + environment_ + "/container", service("late")), 404);
    EXPECT_EQ(process.status("POST", "/environment/" + environment_ + "/deploy"), 404);
    EXPECT_EQ(process.status("POST", "/container/" + service_ + "/deploy", R"({"image_tag":"2"})"), 404);
    EXPECT_EQ(process.count("/organization/" + organization_ + "/project"), 0U);
    EXPECT_EQ(process.count("/organization/" + organization_ + "/services"), 0U);
    EXPECT_EQ(process.status("GET", "/organization/" + organization_), 200);
  }

  std::optional<Process> deleting_;
  std::optional<Process> other_;
  std::optional<Process> driving_;
  std::string organization_;
  std::string registry_;
  std::string project_;
  std::string environment_;
  std::string service_;
};

TEST_P(Deletions, are_seen_by_all_engines_from_their_commit_on) {
  EXPECT_EQ(deleting_->status("DELETE", "/project/" + project_), 204);
  for (Process* process : {&*other_, &*driving_, &*deleting_}) expect_gone(*process);
  const std::string second = other_->create("/organization/" + organization_ + "/project", R"({"name":"shop"})");
  driving_->work();
  for (Process* process : {&*other_, &*driving_, &*deleting_}) {
    EXPECT_EQ(process->status("GET", "/project/" + project_), 404);
    EXPECT_EQ(process->status("GET", "/project/" + second), 200);
    EXPECT_EQ(process->count("/organization/" + organization_ + "/project"), 1U);
  }
  const std::string snapshot = *driving_->engine().snapshot();
  for (const std::string& gone : {project_, environment_, service_})
    EXPECT_EQ(snapshot.find(R"("id":")" + gone + "\",\"family\""), std::string::npos);
  EXPECT_EQ(snapshot.find(std::string(1000, 'v')), std::string::npos);
}

TEST_P(Deletions, of_an_organization_are_seen_by_all_engines) {
  EXPECT_EQ(deleting_->status("DELETE", "/organization/" + organization_), 204);
  for (Process* process : {&*other_, &*driving_, &*deleting_}) {
    EXPECT_EQ(process->status("GET", "/organization/" + organization_), 404);
    EXPECT_EQ(process->status("GET", "/container/" + service_), 404);
    EXPECT_EQ(process->status("POST", "/organization/" + organization_ + "/project", R"({"name":"new"})"), 404);
    EXPECT_EQ(process->count("/organization"), 0U);
  }
  const std::string second = other_->create("/organization", R"({"name":"acme","plan":"FREE"})");
  driving_->work();
  EXPECT_EQ(deleting_->status("GET", "/organization/" + second), 200);
  EXPECT_EQ(deleting_->count("/organization"), 1U);
}

// A request from another engine that no tick has begun.
TEST_P(Deletions, overtake_what_waits_to_be_deployed) {
  ASSERT_EQ(other_->status("POST", "/environment/" + environment_ + "/deploy"), 202);
  ASSERT_EQ(deleting_->status("DELETE", "/project/" + project_), 204);
  driving_->work();
  for (const StepKind kind : driving_->driver().kinds) EXPECT_EQ(kind, StepKind::remove);
  for (Process* process : {&*other_, &*driving_, &*deleting_})
    EXPECT_EQ(process->status("GET", "/container/" + service_), 404);
  const std::string snapshot = *driving_->engine().snapshot();
  EXPECT_EQ(snapshot.find(R"("id":")" + service_ + "\",\"family\""), std::string::npos);
}

// The process ends after each part of the deletion.
TEST_P(Deletions, continue_in_another_engine) {
  ASSERT_EQ(deleting_->status("DELETE", "/project/" + project_), 204);
  const std::shared_ptr<Store> shared(&store(), [](Store*) {});
  for (std::uint64_t engines = 4; engines < 20; ++engines) {
    driving_.reset();
    driving_.emplace(shared, engines, EngineRole::drive);
    for (int ticks = 0; ticks < 3; ++ticks) ASSERT_TRUE(driving_->engine().tick());
    EXPECT_EQ(other_->status("GET", "/container/" + service_), 404);
  }
  driving_->work();
  EXPECT_EQ(driving_->engine().snapshot()->find(std::string(1000, 'v')), std::string::npos);
}

// A removal of an earlier version of the library, without marks: a job below the root.
TEST_P(Deletions, of_an_earlier_version_are_marked_when_an_engine_opens) {
  const Record project = **reading()->record(*parse_id(project_));
  RecordWrite job;
  job.record.id = id_of(7);
  job.record.family = bulk_job_number;
  job.record.parent = project.id;
  job.record.organization = project.organization;
  job.record.revision = 1;
  job.record.body = R"({"kind":"REMOVAL","author":"host"})";
  Machine machine;
  machine.id = machine.owner = job.record.id;
  machine.family = bulk_job_number;
  machine.partition = partition_of(project.organization);
  machine.state = static_cast<std::uint8_t>(JobKind::removal);
  machine.revision = 1;
  machine.active = true;
  Changes changes = changes_of(std::vector{std::move(job)});
  changes.machines.push_back(std::move(machine));
  ASSERT_TRUE(write(changes));
  driving_.reset();
  driving_.emplace(std::shared_ptr<Store>(&store(), [](Store*) {}), 9, EngineRole::drive);
  for (Process* process : {&*other_, &*driving_, &*deleting_}) expect_gone(*process);
  driving_->work();
  EXPECT_FALSE(*reading()->record(project.id));
  EXPECT_FALSE(*reading()->record(id_of(7)));
  EXPECT_TRUE(ids_of(*reading(), children_of(0, deletion_number)).empty());
}

// A mark without a job, as manual changes may leave it.
TEST_P(Deletions, without_a_job_are_found_and_ended_by_a_check) {
  const Record project = **reading()->record(*parse_id(project_));
  RecordWrite mark;
  mark.record.id = id_of(7);
  mark.record.family = deletion_number;
  mark.record.organization = project.organization;
  mark.record.revision = 1;
  mark.record.body = R"({"roots":")" + project_ + "\"}";
  ASSERT_TRUE(write(changes_of(std::vector{std::move(mark)})));
  expect_gone(*other_);
  const auto found = driving_->engine().check(true);
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(found->front().id, to_text(id_of(7)));
  EXPECT_EQ(found->front().type, "deletion");
  EXPECT_TRUE(found->front().is_repairable);
  for (Process* process : {&*other_, &*driving_, &*deleting_})
    EXPECT_EQ(process->status("GET", "/container/" + service_), 200);
  ASSERT_EQ(deleting_->status("DELETE", "/project/" + project_), 204);
  EXPECT_TRUE(driving_->engine().check(false)->empty()) << "what is being deleted is sound";
}

INSTANTIATE_TEST_SUITE_P(stores, Deletions, testing::ValuesIn(all_kinds()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace orlop::contract
