// A clock that moves only when it is moved.
#pragma once

#include <atomic>

#include "base/instant.h"
#include "base/source.h"

namespace orlop {

constexpr Instant virtual_time_max{253'402'300'799'999};  // the last instant with a text: 9999-12-31T23:59:59.999Z

// Safe on every thread.
class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(Instant start) : now_(start.milliseconds) {}

  Instant now() override { return {now_.load(std::memory_order_acquire)}; }

  // Moves on to `at`; no effect if that has passed.
  void move_to(Instant at) {
    std::int64_t now = now_.load(std::memory_order_relaxed);
    while (now < at.milliseconds && !now_.compare_exchange_weak(now, at.milliseconds, std::memory_order_acq_rel)) {}
  }

  // Moves to `at`, also back.
  void set(Instant at) { now_.store(at.milliseconds, std::memory_order_release); }

 private:
  std::atomic<std::int64_t> now_;
};

}  // namespace orlop
