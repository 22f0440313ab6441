// Sources of time and randomness, passed to the engine; the core never reads them from the machine.
#pragma once

#include <cstdint>

#include "base/instant.h"

namespace orlop {

// The engine's only source of time. Called under the engine's lock, from any thread that calls the engine.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Instant now() = 0;
  // Time since an arbitrary start, which never jumps; leases are measured with it. A virtual clock has only one time.
  virtual Duration monotonic() { return Duration{now().milliseconds}; }
};

// The engine's only random source: returns the 64-bit number at `index` of transaction `transaction`. A seeded source
// is a pure function of both, so that an interrupted and resumed run draws the same numbers as an uninterrupted one. A
// host's source may ignore both and ask the operating system.
class RandomSource {
 public:
  virtual ~RandomSource() = default;
  virtual std::uint64_t draw(std::uint64_t transaction, std::uint64_t index) = 0;
};

}  // namespace orlop
