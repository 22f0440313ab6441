// An engine in virtual time whose driver ends no step by itself.
#pragma once

#include <gtest/gtest.h>

#include <functional>
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

namespace orlop {

// Accepts every step, and notes it.
class HeldSteps : public Driver {
 public:
  Result<void> start(const Step& step) override {
    steps.push_back(step);
    return {};
  }
  void cancel(const Id& step, CancelMode) override { canceled.push_back(step); }
  std::vector<Step> steps;
  std::vector<Id> canceled;
};

template <typename Held = HeldSteps>
class HeldStepsTest : public testing::Test {
 protected:
  // Opens the engine, or another one on the same store, as after a crash.
  void open(const std::function<void(Settings& settings)>& change = nullptr) {
    engine_.reset();
    EngineOptions options;
    options.store = store_;
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.driver = &driver_;
    options.settings.require_cluster = false;
    if (change) change(options.settings);
    auto opened = Engine::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().message;
    engine_ = std::move(*opened);
    platform_ = platform_ ? std::make_unique<Platform>(*engine_, *platform_) : std::make_unique<Platform>(*engine_);
  }

  void tick() {
    for (int round = 0; round < 5; ++round) ASSERT_TRUE(engine_->tick());
  }

  // Reports on the last step.
  void end(ReportKind kind, std::string_view text = {}) {
    ASSERT_TRUE(engine_->report({driver_.steps.back().id, kind, RunningState::none, std::string(text)}));
    tick();
  }

  VirtualClock clock_{Instant{1'767'225'600'000}};
  SeededRandomSource random_source_{7};
  Held driver_;
  std::shared_ptr<Store> store_ = open_memory_store();
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Platform> platform_;
};

}  // namespace orlop
