#include "wakeup.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <system_error>

namespace orlop::c {
namespace {

// Interval at which a waiting thread looks for changes by other engines in a shared store.
constexpr std::chrono::milliseconds look_interval(50);

// Counts a waiting thread, also if a look at the engine throws.
class Sleeper {
 public:
  Sleeper(std::atomic<std::uint32_t>& all, std::atomic<std::uint32_t>* of_events) : all_(all), of_events_(of_events) {
    ++all_;
    if (of_events_ != nullptr) ++*of_events_;
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;
  ~Sleeper() {
    --all_;
    if (of_events_ != nullptr) --*of_events_;
  }

 private:
  std::atomic<std::uint32_t>& all_;
  std::atomic<std::uint32_t>* of_events_;
};

}  // namespace

void Wakeup::ring() {
  // Locks and unlocks, so that a thread that has just found no work is asleep before it is notified.
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
  // A waiting thread increments the counter before it looks at the engine: it is counted here, or sees the events.
  if (event_sleepers_ != 0) ring();
  const int writer = event_writer_;
  // Ignores a full pipe: it is readable anyway.
  if (writer >= 0) (void)!::write(writer, "", 1);
}

Result<int> Wakeup::event_descriptor() {
  const std::lock_guard lock(mutex_);
  if (event_reader_ >= 0) return event_reader_.load();
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0)
    return make_error(ErrorCode::internal, "the process has no file descriptor left for its events: " +
                                               std::generic_category().message(errno));
  for (const int end : ends) {
    (void)::fcntl(end, F_SETFD, FD_CLOEXEC);
    (void)::fcntl(end, F_SETFL, O_NONBLOCK);
  }
  event_reader_ = ends[0];
  event_writer_ = ends[1];
  return ends[0];
}

Wakeup::~Wakeup() {
  if (event_reader_ < 0) return;
  ::close(event_writer_);
  ::close(event_reader_);
}

Wakeup::Found Wakeup::wait(Engine& engine, const Request& request, std::optional<Duration> timeout) {
  const auto look = [&] {
    return Found{request.work && engine.is_ready(), request.since && engine.last_stored_event() > *request.since,
                 false};
  };
  std::unique_lock lock(mutex_);
  if (is_next_interrupted_) {
    is_next_interrupted_ = false;
    Found found = look();
    found.is_interrupted = true;
    return found;
  }
  const std::uint64_t seen = interruptions_;
  const auto is_over = [&] { return is_closed_ || interruptions_ != seen || look().any(); };
  const Sleeper sleeper(sleepers_, request.since ? &event_sleepers_ : nullptr);
  // The steady clock counts nanoseconds in 64 bits and would overflow after some centuries.
  constexpr std::int64_t longest = 366LL * 86'400'000;
  using Clock = std::chrono::steady_clock;
  const auto end =
      Clock::now() + std::chrono::milliseconds(std::min(timeout ? timeout->milliseconds : longest, longest));
  while (!is_over() && (!timeout || Clock::now() < end)) {
    const bool must_look = engine.is_shared();
    rung_.wait_until(lock, must_look ? std::min(end, Clock::now() + look_interval) : end, is_over);
    if (is_over() || !must_look) continue;
    // Changes by another process do not wake this thread: look for them. Unlocked, because the engine may call ring()
    // meanwhile.
    lock.unlock();
    engine.look(request.since.has_value());
    lock.lock();
  }
  Found found = look();
  found.is_interrupted = is_closed_ || interruptions_ != seen;
  return found;
}

}  // namespace orlop::c
