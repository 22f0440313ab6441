// time and randomness of the machine, for an engine whose host gives none of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "base/source.h"

namespace orlop::c {

// The system's clocks.
class SystemClock final : public Clock {
 public:
  Instant now() override;
  Duration monotonic() override;
};

// The operating system's source, read in blocks.
class SystemRandomSource final : public RandomSource {
 public:
  std::uint64_t draw(std::uint64_t transaction, std::uint64_t index) override;

 private:
  std::mutex mutex_;
  std::array<std::uint64_t, 64> block_{};
  std::size_t left_ = 0;
};

}  // namespace orlop::c
