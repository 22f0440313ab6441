// Random numbers of one step, derived from its id, so that a step that is started again draws the same ones.
#pragma once

#include <cstdint>
#include <cstring>

#include "base/id.h"

namespace orlop {

class Draws {
 public:
  // Independent sequences: for the choice of a rule, and for the course of its step.
  enum class Purpose : std::uint8_t { choice = 1, course = 2 };

  Draws(const Id& step, Purpose purpose) {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    for (std::size_t at = 0; at < 8; ++at) {
      high = high << 8 | step.bytes[at];
      low = low << 8 | step.bytes[at + 8];
    }
    state_ = mix(mix(high) ^ low) + static_cast<std::uint64_t>(purpose) * 0xD1B54A32D192ED03ULL;
  }

  std::uint64_t bits() { return mix(state_ += 0x9E3779B97F4A7C15ULL); }
  // Returns a multiple of 2^-53, from 0 up to, not including, 1.
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

 private:
  static constexpr std::uint64_t mix(std::uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ULL;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBULL;
    return bits ^ (bits >> 31);
  }

  std::uint64_t state_;
};

}  // namespace orlop
