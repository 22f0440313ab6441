// A platform in memory with the external systems of a test, in virtual time; its engine can be ended and opened again.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "engine.h"
#include "platform.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"

namespace orlop {

template <typename Systems>
class ExternalPlatform : public testing::Test {
 protected:
  ExternalPlatform() : clock_(Instant{1'767'225'600'000}), store_(open_memory_store()) {
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
    options.settings.external_systems = &systems_;
    options.settings.require_cluster = false;
    auto opened = Engine::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().message;
    engine_ = std::move(*opened);
    if (platform_) platform_.emplace(*engine_, Platform(*platform_));
  }

  // Ticks at each instant that the engine asks for, for `duration` seconds.
  void pass(std::int64_t duration) {
    const Instant end = clock_.now() + seconds(duration);
    for (int ticks = 0; ticks < 10'000; ++ticks) {
      auto wanted = engine_->tick();
      ASSERT_TRUE(wanted) << wanted.error().message;
      if (!*wanted || **wanted > end) return clock_.move_to(end);
      if (**wanted > clock_.now()) clock_.move_to(**wanted);
    }
    FAIL() << "the engine wants to be called for ever";
  }

  VirtualClock clock_;
  SeededRandomSource random_source_{7};
  Systems systems_;
  std::shared_ptr<Store> store_;
  std::unique_ptr<Engine> engine_;
  std::optional<Platform> platform_;
};

}  // namespace orlop
