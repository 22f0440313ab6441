// Processes that share one store, each with an engine, a driver that ends no step by itself, and a clock.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine.h"
#include "platform.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"
#include "unit/scratch.h"
#include "whole/times.h"
#include "wire/json.h"

namespace orlop::shared_engines {

inline constexpr Duration lease_time{10'000};

// Accepts every step and ends none.
class HoldingDriver final : public Driver {
 public:
  Result<void> start(const Step& step) override {
    steps.push_back(step);
    if (while_taking) while_taking();
    return {};
  }
  void cancel(const Id& step, CancelMode mode) override {
    if (mode == CancelMode::lost) lost.push_back(step);
  }
  std::vector<Step> steps;
  std::vector<Id> lost;
  std::function<void()> while_taking;
};

// A store whose writers can be delayed.
class SlowStore final : public Store {
 public:
  explicit SlowStore(std::shared_ptr<Store> store) : store_(std::move(store)) {}
  Result<std::unique_ptr<Transaction>> begin(Access access) override {
    if (access == Access::write && before_write) before_write();
    return store_->begin(access);
  }
  Result<std::unique_ptr<Membership>> join(const Id& engine, std::function<void()> notify) override {
    return store_->join(engine, std::move(notify));
  }
  std::function<void()> before_write;

 private:
  std::shared_ptr<Store> store_;
};

// A store that can suppress notifications, as on a slow network.
class SilentStore final : public Store {
 public:
  explicit SilentStore(std::shared_ptr<Store> store) : store_(std::move(store)) {}
  Result<std::unique_ptr<Transaction>> begin(Access access) override { return store_->begin(access); }
  Result<std::unique_ptr<Membership>> join(const Id& engine, std::function<void()> notify) override {
    ORLOP_TRY(joined, store_->join(engine, [this, notify = std::move(notify)] {
      if (!is_silent) notify();
    }));
    return std::unique_ptr<Membership>(std::make_unique<Silent>(*this, std::move(joined)));
  }
  bool is_silent = false;

 private:
  class Silent final : public Membership {
   public:
    Silent(SilentStore& store, std::unique_ptr<Membership> behind) : store_(store), behind_(std::move(behind)) {}
    Result<std::uint64_t> changes() override {
      if (store_.is_silent) return notified_;
      ORLOP_TRY(changes, behind_->changes());
      return notified_ = changes;
    }
    bool has_ended(const Id& engine) override { return behind_->has_ended(engine); }

   private:
    SilentStore& store_;
    std::unique_ptr<Membership> behind_;
    std::uint64_t notified_ = 0;
  };

  std::shared_ptr<Store> store_;
};

// Calls `before_reading` before it returns the time, so that a test can stop the engine that asks.
class KeepingClock final : public Clock {
 public:
  Instant now() override {
    if (before_reading) before_reading();
    return time_.now();
  }
  void pass(Duration duration) { time_.move_to(time_.now() + duration); }
  std::function<void()> before_reading;

 private:
  VirtualClock time_{new_year};
};

struct As {
  EngineRole role = EngineRole::both;
  bool has_driver = true;
  std::string secret_key = {};
};

// One process: its engine, driver and clock.
class Process {
 public:
  Process(std::shared_ptr<Store> store, std::uint64_t seed, As as = {}) : store_(store), random_source_(seed) {
    EngineOptions options;
    options.store = std::move(store);
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.settings.require_cluster = false;
    options.driver = &driver_;
    options.is_driver_scripted = !as.has_driver;
    options.role = as.role;
    options.keys.current = std::move(as.secret_key);
    auto opened = Engine::open(std::move(options));
    EXPECT_TRUE(opened) << opened.error().message;
    engine_ = std::move(*opened);
  }

  Engine& engine() { return *engine_; }
  HoldingDriver& driver() { return driver_; }
  std::vector<Step>& steps() { return driver_.steps; }
  std::vector<Id>& lost_steps() { return driver_.lost; }
  void kill() { engine_.reset(); }
  Result<void> report(const Step& step, ReportKind kind, const std::string& text = {}) {
    return engine_->report({step.id, kind, RunningState::none, text});
  }
  void succeed(const Step& step) { EXPECT_TRUE(report(step, ReportKind::succeeded)); }
  // Ticks until nothing is left to do at this instant.
  std::optional<Instant> work() {
    while (true) {
      const auto wanted = engine_->tick();
      EXPECT_TRUE(wanted) << wanted.error().message;
      if (!wanted || !*wanted || **wanted > clock_.now()) return wanted ? *wanted : std::nullopt;
    }
  }
  void pass(Duration duration) { clock_.pass(duration); }
  KeepingClock& clock() { return clock_; }
  std::size_t held() {
    auto transaction = store_->begin(Access::read);
    const auto leases = (*transaction)->coordination()->leases(PartitionSet::all());
    std::size_t count = 0;
    for (const Lease& lease : *leases) count += lease.holder == engine_id() ? 1U : 0U;
    return count;
  }

 private:
  // Returns the id of the peer that this process registered: compares the peers in the store before and after.
  Id engine_id() {
    Id id;
    std::uint64_t draws = 0;
    for (std::size_t at = 0; at < id.bytes.size(); ++at) {
      if (at % 8 == 0) ++draws;
      id.bytes[at] = static_cast<std::uint8_t>(random_source_.draw(UINT64_MAX, draws) >> (at % 8 * 8));
    }
    return id;
  }

  std::shared_ptr<Store> store_;
  KeepingClock clock_;
  SeededRandomSource random_source_;
  HoldingDriver driver_;
  std::unique_ptr<Engine> engine_;
};

inline std::string state_of(Platform& platform, const std::string& service) {
  const auto status = parse_stored(platform.ask("GET", "/container/" + service + "/status").body);
  return status ? std::string(status->text_or("state", "")) : std::string();
}

inline std::size_t count_in(Engine& engine, const std::string& text) {
  const std::string events = *engine.events({});
  std::size_t count = 0;
  for (std::size_t at = events.find(text); at != std::string::npos; at = events.find(text, at + 1)) ++count;
  return count;
}

class SharedEngines : public testing::TestWithParam<const char*> {
 protected:
  // Returns a store over the same data at each call.
  std::shared_ptr<Store> store() {
    if (std::string(GetParam()) == "memory") {
      if (memory_ == nullptr) memory_ = open_memory_store();
      return memory_;
    }
    if (file_.empty()) file_ = tests::scratch_file("shared_engines.db");
    auto opened = open_sqlite_store(file_, Durability::normal);
    EXPECT_TRUE(opened) << opened.error().message;
    return std::move(*opened);
  }
  void share(Process& first, Process& second) {
    for (int rounds = 0; rounds < 100; ++rounds) {
      first.work();
      second.work();
    }
  }
  // Stops `first`, which is held in its clock or its driver, for two lease times; `second` takes over.
  static void stand_still(Process& first, Process& second) {
    first.clock().before_reading = nullptr;
    for (int half = 0; half < 3; ++half) {
      second.work();
      second.pass(Duration{lease_time.milliseconds / 2 + 1});
    }
    second.work();
    first.pass(Duration{2 * lease_time.milliseconds});
  }

 private:
  std::shared_ptr<Store> memory_;
  std::string file_;
};

}  // namespace orlop::shared_engines
