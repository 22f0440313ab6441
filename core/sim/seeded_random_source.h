// Chance that a seed repeats: a pure function of (seed, transaction, index), so that a run that was cut off and resumed draws what the
// uncut run would have drawn.
#pragma once

#include <cstdint>

#include "base/source.h"

namespace orlop {

class SeededRandomSource final : public RandomSource {
 public:
  explicit SeededRandomSource(std::uint64_t seed) : seed_(mix(seed ^ 0xA0761D6478BD642FULL)) {}

  std::uint64_t draw(std::uint64_t transaction, std::uint64_t index) override {
    return mix(mix(seed_ + (transaction + 1) * golden) + (index + 1) * golden);
  }

 private:
  static constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ULL;  // 2^64 divided by the golden ratio, odd

  // A bijection of 64 bits in which every bit of the input moves half of the output's.
  static constexpr std::uint64_t mix(std::uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ULL;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBULL;
    return bits ^ (bits >> 31);
  }

  std::uint64_t seed_;
};

}  // namespace orlop
