// The limit of requests per caller and hour. Fixed windows of an hour; which one, says the time, and how long it still
// lasts, the monotonic clock: a time that jumps closes no window and opens none.
//
// Processes that share a store share the limit: each reserves requests in blocks, one write for each block, and spends
// them without asking the store. What is counted is so exact to one block for each process; near the limit blocks have
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

// Threads: any.
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
    std::uint32_t granted = 0;  // 0: the window's requests are spent
    std::uint32_t taken = 0;    // by all processes, with what is granted
  };
  // Reserves requests of the caller in the window. Called without a lock.
  using Reserve = std::function<Result<Reservation>(const Id& caller, std::int64_t window)>;

  bool is_on() const { return limit_ != 0; }
  std::uint32_t limit() const { return limit_; }
  // From now on the limit is shared. Before any other thread uses this.
  void share(Reserve reserve) { reserve_ = std::move(reserve); }

  // Counts one request of `caller`. Errors: those of the reservation.
  Result<Allowance> take(const Id& caller, Moment at);

 private:
  struct Counter {
    std::uint32_t left = 0;   // reserved and not spent
    std::uint32_t taken = 0;  // as the last reservation has seen it
    bool is_spent = false;
  };

  void turn_to(Moment at);

  const std::uint32_t limit_;
  Reserve reserve_;
  std::mutex mutex_;  // guards all below
  std::int64_t window_ = -1;
  std::int64_t ends_at_ = INT64_MIN;          // milliseconds of the monotonic clock
  std::unordered_map<Id, Counter> counters_;  // in this window
};

// A block for a process: a tenth of what is left, at most a thousand; one request where fewer than 100 are left.
std::uint32_t reservation_block(std::uint32_t left);

// The reservation in a store that processes share: one record for each caller, which counts one window. A window that
// lies more than one behind or before the one of another process, because a clock was wrong, takes its place.
Result<RateLimiter::Reservation> reserve_requests(Unit& unit, const Id& caller, std::int64_t window,
                                                  std::uint32_t limit);

// The same in a commit of its own. The committer must outlive what is answered.
RateLimiter::Reserve reserve_with(Committer& committer, std::uint32_t limit);

}  // namespace orlop
