// Random values that depend only on a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

#include "sim/seeded_random_source.h"

namespace orlop::tests {

class SeededRandom {
 public:
  explicit SeededRandom(std::uint64_t seed) : source_(seed) {}

  // Returns 0 to bound - 1.
  std::uint64_t below(std::uint64_t bound) { return source_.draw(0, index_++) % bound; }
  std::string number(std::uint64_t bound) { return std::to_string(below(bound)); }
  // Returns 1 to bound.
  std::string count(std::uint64_t bound) { return std::to_string(1 + below(bound)); }
  // Returns true with probability 1 / count.
  bool in(std::uint64_t count) { return below(count) == 0; }
  template <typename Items>
  const auto& one_of(const Items& items) {
    return items[below(std::size(items))];
  }
  template <std::size_t Size>
  std::string one_of(const char* const (&items)[Size]) {
    return items[below(Size)];
  }

 private:
  SeededRandomSource source_;
  std::uint64_t index_ = 0;
};

}  // namespace orlop::tests
