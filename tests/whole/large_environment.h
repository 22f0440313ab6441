// A large environment in a store that counts the writes of each commit, fails on demand, and lets other writers in
// between two commits.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/deployment_history_number.h"
#include "endpoints/environments/parts/copy_environment.h"
#include "engine.h"
#include "platform.h"
#include "records/tree/removal.h"
#include "sim/seeded_random_source.h"
#include "store/forwarding_transaction.h"
#include "store/open.h"
#include "wire/json.h"

namespace orlop {

// Counters of the commits of a store, and its failures.
struct Watch {
  std::size_t commits = 0;
  std::size_t largest = 0;             // erasures, records and machines of one commit
  std::size_t most_text_erased = 0;    // bytes, in one commit
  std::size_t most_text_written = 0;   // bytes of records, in one commit
  int history_parts = 0;               // parts that were written; erased ones are not subtracted
  std::size_t most_machines_read = 0;  // in one write transaction
  bool is_failing = false;
  std::size_t fails_at = SIZE_MAX;  // all commits after this many fail
  // Called before a write begins, with the number of commits so far; not recursively.
  std::function<void(std::size_t commits)> between = nullptr;
};

class WatchedTransaction final : public ForwardingTransaction {
 public:
  WatchedTransaction(std::unique_ptr<Transaction> behind, Watch& watch, Access access)
      : ForwardingTransaction(std::move(behind)), watch_(watch), is_write_(access == Access::write) {}
  ~WatchedTransaction() override {
    if (is_write_) watch_.most_machines_read = std::max(watch_.most_machines_read, machines_read_);
  }
  WatchedTransaction(const WatchedTransaction&) = delete;
  WatchedTransaction& operator=(const WatchedTransaction&) = delete;

  Result<Shared<Machine>> machine(const Id& id) override {
    ++machines_read_;
    return behind().machine(id);
  }
  Result<void> machines(const MachineRange& range, const MachineVisitor& visit) override {
    return behind().machines(range, [&](const Machine& machine) {
      ++machines_read_;
      return visit(machine);
    });
  }
  Result<void> apply_and_commit(Changes changes) override { return Transaction::apply_and_commit(std::move(changes)); }
  Result<void> apply(Changes changes) override {
    watch_.largest =
        std::max(watch_.largest, changes.erasures.size() + changes.records.size() + changes.machines.size());
    std::size_t text = 0;
    for (const Id& id : changes.erasures) {
      ORLOP_TRY(record, behind().record(id));
      if (record) text += record->body.size();
      if (record && record->family == deployment_history_number) --watch_.history_parts;
    }
    watch_.most_text_erased = std::max(watch_.most_text_erased, text);
    std::size_t written = 0;
    for (const RecordWrite& write : changes.records) {
      written += write.record.body.size();
      if (write.record.family == deployment_history_number) ++watch_.history_parts;
    }
    watch_.most_text_written = std::max(watch_.most_text_written, written);
    return behind().apply(std::move(changes));
  }
  Result<void> commit() override {
    if (watch_.is_failing || watch_.commits >= watch_.fails_at)
      return make_error(ErrorCode::storage_failed, "the disk is full");
    ++watch_.commits;
    return behind().commit();
  }

 private:
  Watch& watch_;
  bool is_write_;
  std::size_t machines_read_ = 0;
};

class WatchedStore final : public Store {
 public:
  explicit WatchedStore(Watch& watch) : behind_(open_memory_store()), watch_(watch) {}
  Result<std::unique_ptr<Transaction>> begin(Access access) override {
    if (access == Access::write && watch_.between) {
      const auto between = std::exchange(watch_.between, nullptr);
      between(watch_.commits);
      if (!watch_.between) watch_.between = between;
    }
    ORLOP_TRY(transaction, behind_->begin(access));
    return std::unique_ptr<Transaction>(std::make_unique<WatchedTransaction>(std::move(transaction), watch_, access));
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

inline constexpr int large = 1300;  // services: more than one commit handles

class LargeEnvironment : public testing::Test {
 protected:
  void SetUp() override {
    reopen();
    Platform platform(*engine_);
    environment_ = platform.id_of("environment");
    organization_ = platform.id_of("organization");
    registry_ = platform.id_of("container_registry");
    project_ = platform.id_of("project");
    for (int at = 0; at < large; ++at) ids_.push_back(add_service(environment_, "s" + std::to_string(at)));
    last_ = ids_.back();
    watch_ = {};
  }

  // Starts again with a new store.
  void start_over() {
    engine_.reset();
    store_ = std::make_shared<WatchedStore>(watch_);
    clock_ = {};
    ids_.clear();
    SetUp();
  }

  // Opens another engine on the same store, as after a crash.
  void reopen(std::string_view snapshot = {}) {
    engine_.reset();
    EngineOptions options;
    options.snapshot = snapshot;
    options.driver = driver_;
    options.settings.require_cluster = false;
    options.settings.max_parallel_steps = max_parallel_steps_;
    options.settings.history_kept = history_kept_;
    options.store = store_;
    options.clock = &clock_;
    options.random_source = &random_source_;
    auto opened = Engine::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().message;
    engine_ = std::move(*opened);
  }

  Reply ask(std::string_view method, const std::string& path, std::string_view body = "") {
    return Platform(*engine_).ask(method, path, body);
  }
  int status(std::string_view method, const std::string& path, std::string_view body = "") {
    return ask(method, path, body).status;
  }
  std::string create(const std::string& path, std::string_view body) { return Platform(*engine_).create(path, body); }
  std::string add_service(const std::string& environment, const std::string& name) {
    return create("/environment/" + environment + "/container", service(name));
  }
  std::string service(const std::string& name) const {
    return R"({"name":")" + name + R"(","registry_id":")" + registry_ +
           R"(","image_name":"a","tag":"1","healthchecks":{}})";
  }
  std::size_t count(const std::string& path) {
    const auto list = parse_stored(ask("GET", path).body);
    return list ? list->find("results")->items().size() : 0;
  }
  // Returns true if there is more to do.
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
  std::size_t deletions_emitted() {
    const std::string events = *engine_->events({.limit = 1'000'000});
    const std::string_view mark = R"(deleted","family")";
    std::size_t found = 0;
    for (std::size_t at = events.find(mark); at != std::string::npos; at = events.find(mark, at + 1)) ++found;
    return found;
  }

  Watch watch_;
  StepClock clock_;
  SeededRandomSource random_source_{1};
  std::shared_ptr<Store> store_ = std::make_shared<WatchedStore>(watch_);
  std::unique_ptr<Engine> engine_;
  std::string organization_;
  std::string registry_;
  std::string project_;
  std::string environment_;
  std::vector<std::string> ids_;  // ids of the services
  std::string last_;
  Driver* driver_ = nullptr;
  // Settings of the engines that reopen() opens.
  std::uint32_t max_parallel_steps_ = 0;
  std::uint32_t history_kept_ = 50;
};

}  // namespace orlop
