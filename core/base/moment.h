// Current time on two clocks.
#pragma once

#include "base/instant.h"

namespace orlop {

// A clock that goes back by at most this much is being corrected: due work waits until it has caught up. A clock that
// goes back further was reset.
inline constexpr Duration clock_correction_max = seconds(60);

// Time of day, which is stored and shown, and monotonic time, which measures deadlines. A virtual clock is both.
struct Moment {
  constexpr Moment() = default;
  constexpr Moment(Instant at) : now(at), monotonic{at.milliseconds} {}
  constexpr Moment(Instant at, Duration since_some_instant) : now(at), monotonic(since_some_instant) {}

  Instant now;
  Duration monotonic;
};

}  // namespace orlop
