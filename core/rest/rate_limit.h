// The limit of requests per token and hour.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "base/id.h"
#include "base/instant.h"

namespace orlop {

// Fixed windows of an hour of the engine's time. The count is exact. Threads: any.
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

  bool is_on() const { return limit_ != 0; }
  // Counts one request of `caller`.
  Allowance take(const Id& caller, Instant now);

 private:
  const std::uint32_t limit_;
  std::mutex mutex_;  // guards the two below
  std::int64_t window_ = 0;
  std::unordered_map<Id, std::uint32_t> taken_;  // in this window
};

}  // namespace orlop
