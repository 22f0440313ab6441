#include "rest/rate_limit.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/rate_window_number.h"
#include "model/value.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::int64_t window_ms = 3'600'000;
constexpr std::uint32_t single_below = 100;
constexpr std::uint32_t block_max = 1000;

std::string key_of(const Id& caller) {
  std::string key(1, static_cast<char>(rate_window_number >> 8));
  key.push_back(static_cast<char>(rate_window_number & 0xFF));
  return key + to_text(caller);
}

}  // namespace

void RateLimiter::turn_to(Moment at) {
  if (at.monotonic.milliseconds < ends_at_) return;
  window_ = at.now.milliseconds / window_ms;
  ends_at_ = at.monotonic.milliseconds + window_ms - at.now.milliseconds % window_ms;
  counters_.clear();
}

bool RateLimiter::needs_reservation(const Id& caller) const {
  const auto known = counters_.find(caller);
  return known == counters_.end() || (known->second.left == 0 && !known->second.is_spent);
}

Result<RateLimiter::Allowance> RateLimiter::take(const Id& caller, Moment at) {
  std::unique_lock lock(mutex_);
  turn_to(at);
  constexpr bool is_spent = true;  // nothing can be reserved
  if (reserve_ == nullptr) counters_.try_emplace(caller, Counter{limit_, limit_, is_spent});
  while (needs_reservation(caller)) {
    const std::int64_t window = window_;
    lock.unlock();
    ORLOP_TRY(reserved, reserve_(caller, window));
    lock.lock();
    if (window != window_) continue;  // another thread has turned to the next window meanwhile
    Counter& counter = counters_[caller];
    counter.left += reserved.granted;
    counter.taken = std::max(counter.taken, reserved.taken);
    counter.is_spent = counter.left == 0;
  }
  Counter& counter = counters_[caller];
  Allowance allowance;
  allowance.limit = limit_;
  allowance.reset_at = (at.now.milliseconds + ends_at_ - at.monotonic.milliseconds) / 1000;
  allowance.is_allowed = counter.left != 0;
  if (allowance.is_allowed) --counter.left;
  allowance.remaining = limit_ - std::min(limit_, counter.taken) + counter.left;
  return allowance;
}

std::uint32_t reservation_block(std::uint32_t left) {
  if (left < single_below) return std::min<std::uint32_t>(left, 1);
  return std::min(left / 10, block_max);
}

Result<RateLimiter::Reservation> reserve_requests(Unit& unit, const Id& caller, std::int64_t window,
                                                  std::uint32_t limit) {
  const std::string key = key_of(caller);
  ORLOP_TRY(id, unit.find(key));
  ORLOP_TRY(stored, id ? unit.record(*id) : Result<Shared<Record>>(Shared<Record>()));
  std::int64_t counted = window;
  std::uint32_t taken = 0;
  if (stored) {
    ORLOP_TRY(body, parse_stored(stored->body));
    const std::int64_t of = body.integer_or("window", 0);
    const bool is_same = of == window || of == window + 1;  // the next one: of a process whose clock is ahead
    if (is_same) counted = of;
    if (is_same)
      taken = static_cast<std::uint32_t>(std::clamp<std::int64_t>(body.integer_or("taken", 0), 0, UINT32_MAX));
  }
  const std::uint32_t left = limit - std::min(limit, taken);
  const std::uint32_t granted = reservation_block(left);
  if (granted == 0) return RateLimiter::Reservation{0, taken};
  Record record = stored ? *stored : Record{};
  const bool is_new = !stored;
  if (is_new) {
    record.id = unit.make_id();
    record.family = rate_window_number;
  }
  record.body = Writer()
                    .begin_object()
                    .field("window", counted)
                    .field("taken", std::int64_t{taken + granted})
                    .end_object()
                    .text();
  unit.put(std::move(record), is_new ? std::optional(key) : std::nullopt,
           is_new ? std::optional(std::vector<Id>()) : std::nullopt);
  return RateLimiter::Reservation{granted, taken + granted};
}

RateLimiter::Reserve reserve_with(Committer& committer, std::uint32_t limit) {
  return [&committer, limit](const Id& caller, std::int64_t window) -> Result<RateLimiter::Reservation> {
    RateLimiter::Reservation reservation;
    ORLOP_TRY(woken, committer.run_repeatable(Caller(), [&](Unit& unit) -> Result<void> {
      ORLOP_TRY(reserved, reserve_requests(unit, caller, window, limit));
      reservation = reserved;
      return {};
    }));
    (void)woken;
    return reservation;
  };
}

}  // namespace orlop
