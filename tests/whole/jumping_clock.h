// A clock whose time jumps, while its monotonic clock does not.
#pragma once

#include <cstdint>

#include "base/source.h"

namespace orlop {

class JumpingClock final : public Clock {
 public:
  Instant now() override { return now_; }
  Duration monotonic() override { return monotonic_; }

  void pass(Duration by) {
    now_ = now_ + by;
    monotonic_.milliseconds += by.milliseconds;
  }
  void jump(std::int64_t years) { now_ = now_ + seconds(years * 365 * 24 * 3600); }
  void set(Instant now) { now_ = now; }

 private:
  Instant now_{1'767'225'600'000};
  Duration monotonic_{5'000};
};

}  // namespace orlop
