// time and randomness are given to the engine; the core never reads them from the machine.
#pragma once

#include <cstdint>

#include "base/instant.h"

namespace orlop {

// The engine's only source of time. Called under the engine's lock, from any thread that calls the engine.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant now() = 0;
  // Time that passed since some instant, which never jumps: what leases are measured with. A virtual clock has no other
  // time.
  virtual Duration monotonic() { return Duration{now().milliseconds}; }
};

// The engine's only random source: the `index`-th 64-bit number of transaction `transaction`.
// A seeded source is a pure function of both, so that a run that was cut off and resumed draws what the uncut run
// would have drawn; a host's source may ignore both and answer from the operating system.
class RandomSource {
 public:
  virtual ~RandomSource() = default;
  virtual std::uint64_t draw(std::uint64_t transaction, std::uint64_t index) = 0;
};

}  // namespace orlop
