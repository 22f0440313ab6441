// Movement of virtual time.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "sim/simulator.h"

namespace orlop {
namespace {

constexpr std::size_t ticks_looked_at = 5'000;  // of one instant, between two checks for work that does not end

Result<void> require_writable(Instant at) {
  if (at <= virtual_time_max) return {};
  return make_error(ErrorCode::conflict, "the virtual clock cannot go beyond " + to_text(virtual_time_max));
}

}  // namespace

Result<void> Simulator::run_until(Instant end) {
  return run([end](std::optional<Instant> due) { return due && *due <= end ? due : std::nullopt; }, end);
}

Result<std::optional<Instant>> Simulator::tick() {
  const std::lock_guard lock(moving_);
  return tick_now();
}

Result<void> Simulator::run(const Wanted& wanted, std::optional<Instant> last) {
  std::uint64_t seen = engine_->last_stored_event();
  Instant at = clock_.now();
  for (std::size_t ticks = 0; ticks < work_per_instant_max; ++ticks) {
    if (ticks % ticks_looked_at == 0 && ticks != 0)
      ORLOP_CHECK(require_end(std::exchange(seen, engine_->last_stored_event())));
    ORLOP_TRY(due, tick_now(last));
    const std::optional<Instant> next = wanted(due);
    if (!next) return {};
    if (*next > clock_.now()) {
      ORLOP_CHECK(require_writable(*next));
      clock_.move_to(*next);
    }
    if (clock_.now() == at) continue;
    at = clock_.now();
    ticks = 0;
    seen = engine_->last_stored_event();
  }
  return make_error(ErrorCode::internal, "the engine wants to be called at " + to_text(clock_.now()) + " for ever");
}

Result<void> Simulator::advance(Duration duration) {
  const std::lock_guard lock(moving_);
  const Instant end = clock_.now() + duration;
  ORLOP_CHECK(require_writable(end));
  ORLOP_CHECK(run_until(end));
  clock_.move_to(end);
  return {};
}

// Schedules that are due on the way act.
Result<Simulator::Ran> Simulator::run_until_idle(std::optional<Duration> timeout) {
  const std::lock_guard lock(moving_);
  const Instant begin = clock_.now();
  const std::optional<Instant> last = timeout ? std::optional(begin + *timeout) : std::nullopt;
  RunEnd end = RunEnd::idle;
  ORLOP_CHECK(run(
      [&](std::optional<Instant> due) {
        const bool has_work = engine_->work_due() || queue_.due(clock_.now()) || pending();
        return has_work ? no_later(due, last, end) : std::nullopt;
      },
      last.value_or(virtual_time_max)));
  return Ran{end, clock_.now() - begin};
}

// Returns `due` if it is not later than `last`; else moves the clock to `last` and sets `end` to late.
std::optional<Instant> Simulator::no_later(std::optional<Instant> due, std::optional<Instant> last, RunEnd& end) {
  if (!due || !last || *due <= *last) return due;
  clock_.move_to(std::min(*last, virtual_time_max));
  end = RunEnd::late;
  return std::nullopt;
}

Result<Simulator::RunEnd> Simulator::run_until_ended(const Id& request, std::optional<Duration> timeout) {
  const std::lock_guard lock(moving_);
  const std::optional<Instant> last = timeout ? std::optional(clock_.now() + *timeout) : std::nullopt;
  Result<bool> has_ended = false;
  RunEnd end = RunEnd::idle;
  ORLOP_CHECK(run([&](std::optional<Instant> due) -> std::optional<Instant> {
    if (due && *due <= clock_.now()) return due;
    has_ended = engine_->has_ended(request);
    return has_ended && !*has_ended ? no_later(due, last, end) : std::nullopt;
  }));
  if (!has_ended) return has_ended.error();
  return *has_ended ? RunEnd::ended : end;
}

}  // namespace orlop
