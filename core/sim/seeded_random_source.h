// Randomness that a seed repeats: a pure function of (seed, transaction, index), so that an interrupted and resumed run
// draws what the uninterrupted run would have drawn. Threads may draw while the seed changes: each number derives from
// one of the two.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/source.h"

namespace orlop {

class SeededRandomSource final : public RandomSource {
 public:
  explicit SeededRandomSource(std::uint64_t seed) : seed_(start_of(seed)) {}

  std::uint64_t draw(std::uint64_t transaction, std::uint64_t index) override {
    return mix(mix(seed_.load(std::memory_order_relaxed) + (transaction + 1) * golden) + (index + 1) * golden);
  }

  // From now on draws what a source with this seed draws.
  void reseed(std::uint64_t seed) { seed_.store(start_of(seed), std::memory_order_relaxed); }

 private:
  static constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ULL;  // 2^64 divided by the golden ratio, odd

  // A bijection of 64 bits in which every bit of the input changes half of the output's.
  static constexpr std::uint64_t mix(std::uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ULL;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBULL;
    return bits ^ (bits >> 31);
  }

  static constexpr std::uint64_t start_of(std::uint64_t seed) { return mix(seed ^ 0xA0761D6478BD642FULL); }

  std::atomic<std::uint64_t> seed_;
};

}  // namespace orlop
