#include "rest/rate_limit.h"

namespace orlop {

RateLimiter::Allowance RateLimiter::take(const Id& caller, Instant now) {
  constexpr std::int64_t window_seconds = 3600;
  const std::int64_t window = now.milliseconds / 1000 / window_seconds;
  const std::lock_guard lock(mutex_);
  // A clock that goes back opens no window again.
  if (window > window_) {
    window_ = window;
    taken_.clear();
  }
  Allowance allowance;
  allowance.limit = limit_;
  allowance.reset_at = (window_ + 1) * window_seconds;
  std::uint32_t& taken = taken_[caller];
  allowance.is_allowed = taken < limit_;
  if (allowance.is_allowed) ++taken;
  allowance.remaining = limit_ - taken;
  return allowance;
}

}  // namespace orlop
