// One moment by two clocks.
#pragma once

#include "base/instant.h"

namespace orlop {

// The time that is stored and shown, and the clock that never jumps, by which deadlines pass. A virtual clock is both.
struct Moment {
  constexpr Moment() = default;
  constexpr Moment(Instant at) : now(at), monotonic{at.milliseconds} {}
  constexpr Moment(Instant at, Duration since_some_instant) : now(at), monotonic(since_some_instant) {}

  Instant now;
  Duration monotonic;
};

}  // namespace orlop
