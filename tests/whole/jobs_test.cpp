// Large trees are removed and copied in several commits: what is seen meanwhile, what comes between, and what a crash leaves.
#include "operations/environments/parts/jobs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine.h"
#include "ops/removal.h"
#include "store/open.h"
#include "operations/environments/parts/clone_environment.h"
#include "wire/json.h"

namespace orlop {
namespace {

// What the commits of a store were like, and whether the next one fails.
struct Watch {
  std::size_t commits = 0;
  std::size_t largest = 0;  // erasures, records and machines of one commit
  bool is_failing = false;
};

class WatchedTransaction final : public Transaction {
 public:
  WatchedTransaction(std::unique_ptr<Transaction> behind, Watch& watch) : behind_(std::move(behind)), watch_(watch) {}

  Result<std::optional<Record>> record(const Id& id) override { return behind_->record(id); }
  Result<std::optional<Machine>> machine(const Id& id) override { return behind_->machine(id); }
  Result<std::optional<Id>> find(std::string_view name_key) override { return behind_->find(name_key); }
  Result<RecordLinks> links(const Id& id) override { return behind_->links(id); }
  Result<void> records(const RecordRange& range, const RecordVisitor& visit) override { return behind_->records(range, visit); }
  Result<void> machines(const MachineRange& range, const MachineVisitor& visit) override { return behind_->machines(range, visit); }
  Result<std::vector<RecordCount>> counts(const CountRange& range) override { return behind_->counts(range); }
  Result<void> events(const EventRange& range, const EventVisitor& visit) override { return behind_->events(range, visit); }
  Result<void> apply(const Changes& changes) override {
    watch_.largest = std::max(watch_.largest, changes.erasures.size() + changes.records.size() + changes.machines.size());
    return behind_->apply(changes);
  }
  Result<void> commit() override {
    if (watch_.is_failing) return make_error(ErrorCode::storage_failed, "the disk is full");
    ++watch_.commits;
    return behind_->commit();
  }

 private:
  std::unique_ptr<Transaction> behind_;
  Watch& watch_;
};

class WatchedStore final : public Store {
 public:
  explicit WatchedStore(Watch& watch) : behind_(open_memory_store()), watch_(watch) {}
  Result<std::unique_ptr<Transaction>> begin(Access access) override {
    ORLOP_TRY(transaction, behind_->begin(access));
    return std::unique_ptr<Transaction>(std::make_unique<WatchedTransaction>(std::move(transaction), watch_));
  }

 private:
  std::unique_ptr<Store> behind_;
  Watch& watch_;
};

class StepClock final : public Clock {
 public:
  Instant now() override { return {1'767'225'600'000 + ++count_}; }

 private:
  std::int64_t count_ = 0;
};

class MixingRandomSource final : public RandomSource {
 public:
  std::uint64_t draw(std::uint64_t transaction, std::uint64_t index) override {
    std::uint64_t mixed = transaction * 0x9E3779B97F4A7C15ULL + index * 0xBF58476D1CE4E5B9ULL + 1;
    mixed = (mixed ^ (mixed >> 30)) * 0x94D049BB133111EBULL;
    return mixed ^ (mixed >> 31);
  }
};

constexpr int large = 1300;  // services: more than one commit takes

class JobsTest : public testing::Test {
 protected:
  void SetUp() override {
    reopen();
    organization_ = create("/organization", R"({"name":"acme","plan":"FREE"})");
    create("/organization/" + organization_ + "/cluster", R"({"name":"main","region":"eu-west-3","cloud_provider":"AWS"})");
    registry_ = create("/organization/" + organization_ + "/containerRegistry", R"({"name":"hub","kind":"DOCKER_HUB","config":{}})");
    project_ = create("/organization/" + organization_ + "/project", R"({"name":"shop"})");
    environment_ = create("/project/" + project_ + "/environment", R"({"name":"production"})");
    for (int at = 0; at < large; ++at) last_ = add_service(environment_, "s" + std::to_string(at));
    watch_ = {};
  }

  // Another engine on the same store, as after a crash.
  void reopen() {
    engine_.reset();
    EngineOptions options;
    options.settings.require_cluster = false;
    options.store = store_;
    options.clock = &clock_;
    options.random_source = &random_source_;
    auto opened = Engine::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().message;
    engine_ = std::move(*opened);
  }

  Reply ask(std::string_view method, const std::string& path, std::string_view body = "") {
    auto reply = engine_->dispatch({method, path, body, {}});
    if (reply) return std::move(*reply);
    ADD_FAILURE() << method << " " << path << ": " << reply.error().message;
    return {};
  }
  int status(std::string_view method, const std::string& path, std::string_view body = "") { return ask(method, path, body).status; }
  std::string create(const std::string& path, std::string_view body) {
    const Reply reply = ask("POST", path, body);
    EXPECT_LT(reply.status, 300) << path << ": " << reply.body;
    const auto made = parse_stored(reply.body);
    return made ? std::string(made->text_or("id", "")) : "";
  }
  std::string add_service(const std::string& environment, const std::string& name) {
    return create("/environment/" + environment + "/container", service(name));
  }
  std::string service(const std::string& name) const {
    return R"({"name":")" + name + R"(","registry_id":")" + registry_ + R"(","image_name":"a","tag":"1","healthchecks":{}})";
  }
  std::size_t count(const std::string& path) {
    const auto list = parse_stored(ask("GET", path).body);
    return list ? list->find("results")->items().size() : 0;
  }
  // True if there is more to do.
  bool tick() {
    const auto next = engine_->tick();
    EXPECT_TRUE(next) << next.error().message;
    return next && *next && **next <= engine_->now();
  }
  void finish() {
    for (int ticks = 0; tick(); ++ticks) ASSERT_LT(ticks, 1000);
  }
  std::size_t records_in_store() {
    const std::string snapshot = *engine_->snapshot();
    const auto header = parse_stored(snapshot.substr(0, snapshot.find('\n')));
    return static_cast<std::size_t>(header->integer_or("records", -1));
  }
  std::size_t deletions_told() {
    const std::string events = *engine_->events({.limit = 1'000'000});
    const std::string_view mark = R"(deleted","family")";
    std::size_t found = 0;
    for (std::size_t at = events.find(mark); at != std::string::npos; at = events.find(mark, at + 1)) ++found;
    return found;
  }

  Watch watch_;
  StepClock clock_;
  MixingRandomSource random_source_;
  std::shared_ptr<Store> store_ = std::make_shared<WatchedStore>(watch_);
  std::unique_ptr<Engine> engine_;
  std::string organization_;
  std::string registry_;
  std::string project_;
  std::string environment_;
  std::string last_;
};

using Removal = JobsTest;
using Copy = JobsTest;

TEST_F(Removal, WhatIsRemovedIsGoneForEveryRequestAtOnce) {
  EXPECT_EQ(status("DELETE", "/project/" + project_), 204);
  EXPECT_EQ(status("GET", "/project/" + project_), 404);
  EXPECT_EQ(status("GET", "/environment/" + environment_), 404);
  EXPECT_EQ(status("GET", "/environment/" + environment_ + "/status"), 404);
  EXPECT_EQ(status("GET", "/environment/" + environment_ + "/container"), 404);
  EXPECT_EQ(status("GET", "/container/" + last_), 404);
  EXPECT_EQ(status("PUT", "/container/" + last_, service("renamed")), 404);
  EXPECT_EQ(status("POST", "/environment/" + environment_ + "/container", service("late")), 404);
  EXPECT_EQ(status("POST", "/environment/" + environment_ + "/deploy"), 404);
  EXPECT_EQ(status("DELETE", "/project/" + project_), 404);
  EXPECT_EQ(count("/organization/" + organization_ + "/project"), 0U);
  // What only it used can go, and its name is free.
  EXPECT_EQ(status("DELETE", "/organization/" + organization_ + "/containerRegistry/" + registry_), 204);
  create("/organization/" + organization_ + "/project", R"({"name":"SHOP"})");
  finish();
  EXPECT_EQ(count("/organization/" + organization_ + "/project"), 1U);
}

TEST_F(Removal, GoesInCommitsThatOthersGetBetween) {
  EXPECT_EQ(status("DELETE", "/organization/" + organization_), 204);
  EXPECT_LE(watch_.largest, 10U);
  std::size_t written = 0;
  while (tick()) {
    create("/organization", R"({"name":"other)" + std::to_string(written++) + R"(","plan":"FREE"})");
    ASSERT_LT(written, 100U);
  }
  EXPECT_GE(written, large / removal_chunk);
  EXPECT_LE(watch_.largest, 2 * removal_chunk);
  EXPECT_EQ(count("/organization"), written);
  // Services, stages, environment, project, cluster, registry, organization: each was told of once.
  EXPECT_EQ(deletions_told(), large + 4U + 5U);
  EXPECT_EQ(status("GET", "/container/" + last_), 404);
}

TEST_F(Removal, GoesOnAfterACrash) {
  const std::size_t all = records_in_store();
  EXPECT_EQ(status("DELETE", "/organization/" + organization_), 204);
  reopen();
  EXPECT_EQ(status("GET", "/container/" + last_), 404);
  for (int crashes = 0; tick(); ++crashes) {
    EXPECT_EQ(status("GET", "/organization/" + organization_), 404);
    EXPECT_EQ(status("GET", "/container/" + last_), 404);
    EXPECT_EQ(status("POST", "/environment/" + environment_ + "/container", service("late")), 404);
    reopen();
    ASSERT_LT(crashes, 100);
  }
  EXPECT_GT(all, static_cast<std::size_t>(large));
  EXPECT_EQ(records_in_store(), 0U);
  EXPECT_EQ(deletions_told(), large + 4U + 5U);
}

TEST_F(Removal, GoesOnFromASnapshot) {
  EXPECT_EQ(status("DELETE", "/organization/" + organization_), 204);
  tick();
  const std::string snapshot = *engine_->snapshot();
  EngineOptions options;
  options.settings.require_cluster = false;
  options.snapshot = snapshot;
  options.clock = &clock_;
  options.random_source = &random_source_;
  auto opened = Engine::open(std::move(options));
  ASSERT_TRUE(opened) << opened.error().message;
  engine_ = std::move(*opened);
  EXPECT_EQ(status("GET", "/container/" + last_), 404);
  EXPECT_GT(records_in_store(), static_cast<std::size_t>(large) / 2);
  finish();
  EXPECT_EQ(records_in_store(), 0U);
}

TEST_F(Removal, ACommitThatFailsIsTriedAgain) {
  EXPECT_EQ(status("DELETE", "/organization/" + organization_), 204);
  tick();
  watch_.is_failing = true;
  EXPECT_FALSE(engine_->tick());
  EXPECT_EQ(status("GET", "/container/" + last_), 404);
  watch_.is_failing = false;
  finish();
  EXPECT_EQ(records_in_store(), 0U);
}

TEST_F(Removal, IsRefusedAsASmallOneIs) {
  ASSERT_EQ(status("POST", "/environment/" + environment_ + "/deploy"), 202);
  // The scripted driver has begun the first steps, and their ends are not reported yet.
  ASSERT_TRUE(engine_->tick());
  const Reply refused = ask("DELETE", "/organization/" + organization_);
  EXPECT_EQ(refused.status, 409);
  EXPECT_NE(refused.body.find("is being deployed"), std::string::npos) << refused.body;
  EXPECT_EQ(status("GET", "/container/" + last_), 200);
}

TEST_F(Copy, IsFilledInCommitsThatOthersGetBetween) {
  ASSERT_EQ(status("PUT", "/container/" + last_, R"({"name":"last","registry_id":")" + registry_ +
                                                     R"(","image_name":"a","tag":"9","healthchecks":{},"arguments":["x"]})"), 200);
  watch_ = {};
  const Reply cloned = ask("POST", "/environment/" + environment_ + "/clone", R"({"name":"copy"})");
  ASSERT_EQ(cloned.status, 202) << cloned.body;
  const std::string copy = cloned.body.substr(7, 36);
  EXPECT_EQ(count("/environment/" + copy + "/container"), 0U);
  EXPECT_EQ(status("POST", "/environment/" + copy + "/deploy"), 409);
  EXPECT_EQ(status("DELETE", "/environment/" + environment_), 409);
  EXPECT_LE(watch_.largest, 40U);
  std::size_t written = 0;
  while (tick()) {
    add_service(environment_, "between" + std::to_string(written++));
    EXPECT_EQ(status("GET", "/environment/" + copy + "/statuses"), 200);
    ASSERT_LT(written, 100U);
  }
  EXPECT_GE(written, large / copied_by_commit);
  EXPECT_LE(watch_.largest, 3 * copied_by_commit);
  EXPECT_EQ(count("/environment/" + copy + "/container"), static_cast<std::size_t>(large));
  EXPECT_NE(ask("GET", "/environment/" + copy + "/container").body.find(R"("arguments":["x"])"), std::string::npos);
  EXPECT_EQ(status("POST", "/environment/" + copy + "/deploy"), 202);
  EXPECT_EQ(status("DELETE", "/environment/" + environment_), 204);
}

TEST_F(Copy, GoesOnAfterACrashAndLeavesOutWhatIsGone) {
  const std::string copy = ask("POST", "/environment/" + environment_ + "/clone", R"({"name":"copy"})").body.substr(7, 36);
  tick();
  EXPECT_EQ(status("DELETE", "/container/" + last_), 204);
  add_service(copy, "s1200");  // a name that the copy would give
  for (int crashes = 0; tick(); ++crashes) {
    EXPECT_EQ(status("POST", "/environment/" + copy + "/deploy"), 409);
    reopen();
    ASSERT_LT(crashes, 100);
  }
  EXPECT_EQ(count("/environment/" + copy + "/container"), static_cast<std::size_t>(large - 1));
}

TEST_F(Copy, ThatIsDeletedIsNotFilledAnyMore) {
  const std::string copy = ask("POST", "/environment/" + environment_ + "/clone", R"({"name":"copy"})").body.substr(7, 36);
  tick();
  EXPECT_EQ(status("DELETE", "/environment/" + copy + "?skipReconcile=true"), 204);
  finish();
  EXPECT_EQ(status("GET", "/environment/" + copy), 404);
  EXPECT_EQ(count("/environment/" + environment_ + "/container"), static_cast<std::size_t>(large));
}

TEST_F(Copy, KeepsItsProjectsOriginalFromGoing) {
  const std::string elsewhere = create("/organization/" + organization_ + "/project", R"({"name":"elsewhere"})");
  ask("POST", "/environment/" + environment_ + "/clone", R"({"name":"copy","project_id":")" + elsewhere + R"("})");
  const Reply refused = ask("DELETE", "/project/" + project_);
  EXPECT_EQ(refused.status, 409);
  EXPECT_NE(refused.body.find("clone"), std::string::npos) << refused.body;
  finish();
  EXPECT_EQ(status("DELETE", "/project/" + project_), 204);
  finish();
}

}  // namespace
}  // namespace orlop
