// One moment by two clocks.
#pragma once

#include "base/instant.h"

namespace orlop {

// A clock that goes back by no more is being corrected: what is to come waits for it. One that goes back by more was
// put back.
inline constexpr Duration clock_correction_max = seconds(60);

// The time that is stored and shown, and the clock that never jumps, by which deadlines pass. A virtual clock is both.
struct Moment {
  constexpr Moment() = default;
  constexpr Moment(Instant at) : now(at), monotonic{at.milliseconds} {}
  constexpr Moment(Instant at, Duration since_some_instant) : now(at), monotonic(since_some_instant) {}

  Instant now;
  Duration monotonic;
};

}  // namespace orlop
