#include "wakeup.h"

#include <algorithm>
#include <chrono>

namespace orlop::c {
namespace {

// How often a thread that waits asks a store that several engines share whether another one has left something.
constexpr std::chrono::milliseconds look_interval(50);

}  // namespace

void Wakeup::ring() {
  // Taken and let go, so that a sleeper that has just found nothing is asleep, and hears it.
  { const std::lock_guard lock(mutex_); }
  rung_.notify_all();
}

void Wakeup::interrupt() {
  {
    const std::lock_guard lock(mutex_);
    if (sleepers_ == 0) is_next_interrupted_ = true;
    ++interruptions_;
  }
  rung_.notify_all();
}

void Wakeup::close() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  rung_.notify_all();
}

void Wakeup::ring_for_events() {
  // Who waits counts itself before it looks at the engine, so that it is counted here or sees what was stored.
  if (event_sleepers_ != 0) ring();
}

Wakeup::Found Wakeup::wait(Engine& engine, const Request& request, std::optional<Duration> timeout) {
  const auto look = [&] {
    return Found{request.work && engine.is_ready(), request.since && engine.last_stored_event() > *request.since};
  };
  std::unique_lock lock(mutex_);
  if (is_next_interrupted_) {
    is_next_interrupted_ = false;
    return look();
  }
  const std::uint64_t seen = interruptions_;
  const auto is_over = [&] { return is_closed_ || interruptions_ != seen || look().any(); };
  ++sleepers_;
  if (request.since) ++event_sleepers_;
  // A clock of nanoseconds would overflow at some centuries.
  constexpr std::int64_t longest = 366LL * 86'400'000;
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::milliseconds(std::min(timeout ? timeout->milliseconds : longest, longest));
  while (!is_over() && (!timeout || Clock::now() < end)) {
    const bool must_look = engine.is_shared();
    rung_.wait_until(lock, must_look ? std::min(end, Clock::now() + look_interval) : end, is_over);
    if (is_over() || !must_look) continue;
    // What another process leaves in the store rings no bell here. Without the lock: the engine may ring meanwhile.
    lock.unlock();
    engine.look(request.since.has_value());
    lock.lock();
  }
  --sleepers_;
  if (request.since) --event_sleepers_;
  return look();
}

}  // namespace orlop::c
