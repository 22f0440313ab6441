// Limit of requests per caller and hour, in fixed windows of an hour. The clock selects the window, and the monotonic
// clock measures its rest, so that a jump of the clock neither ends nor begins a window.
//
// Processes that share a store share the limit. Each reserves requests in blocks, with one write for each block, and
// spends them without using the store. The count is therefore exact to one block per process; near the limit a block is
// one request.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <unordered_map>

#include "base/id.h"
#include "base/moment.h"
#include "base/result.h"
#include "commit/commit.h"
#include "unit/unit.h"

namespace orlop {

// Safe on every thread.
class RateLimiter {
 public:
  // `limit` 0: no limit.
  explicit RateLimiter(std::uint32_t limit) : limit_(limit) {}

  struct Allowance {
    bool is_allowed = true;
    std::uint32_t limit = 0;
    std::uint32_t remaining = 0;
    std::int64_t reset_at = 0;  // Unix seconds: start of the next window
  };
  struct Reservation {
    std::uint32_t granted = 0;  // 0: no requests are left in the window
    std::uint32_t taken = 0;    // by all processes, including `granted`
  };
  // Reserves requests of the caller in the window. Called without a lock.
  using Reserve = std::function<Result<Reservation>(const Id& caller, std::int64_t window)>;

  bool is_on() const { return limit_ != 0; }
  std::uint32_t limit() const { return limit_; }
  // Shares the limit from now on. Call it before another thread uses this.
  void share(Reserve reserve) { reserve_ = std::move(reserve); }

  // Counts one request of `caller`. Errors: those of the reservation.
  Result<Allowance> take(const Id& caller, Moment at);

 private:
  struct Counter {
    std::uint32_t left = 0;   // reserved, not yet spent
    std::uint32_t taken = 0;  // by all processes, at the last reservation
    bool is_spent = false;
  };

  void turn_to(Moment at);
  bool needs_reservation(const Id& caller) const;

  const std::uint32_t limit_;
  Reserve reserve_;
  std::mutex mutex_;  // guards the members below
  std::int64_t window_ = -1;
  std::int64_t ends_at_ = INT64_MIN;          // milliseconds of the monotonic clock
  std::unordered_map<Id, Counter> counters_;  // in this window
};

// Returns the size of a block: a tenth of the remaining requests, at most 1000; one if fewer than 100 remain.
std::uint32_t reservation_block(std::uint32_t left);

// Reserves requests in a shared store, which has one record for each caller with the count of one window. A count of
// the same window, or of the next one, is continued; any other one, for example of a wrong clock, is replaced.
Result<RateLimiter::Reservation> reserve_requests(Unit& unit, const Id& caller, std::int64_t window,
                                                  std::uint32_t limit);

// Returns a function that reserves requests in a separate commit. The committer must outlive it.
RateLimiter::Reserve reserve_with(Committer& committer, std::uint32_t limit);

}  // namespace orlop
