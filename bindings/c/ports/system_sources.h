// Clock and random source of the system, for hosts without their own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "base/source.h"

namespace orlop::c {

class SystemClock final : public Clock {
 public:
  Instant now() override;
  Duration monotonic() override;
};

// Reads the operating system's random source in blocks.
class SystemRandomSource final : public RandomSource {
 public:
  std::uint64_t draw(std::uint64_t transaction, std::uint64_t index) override;

 private:
  std::mutex mutex_;
  std::array<std::uint64_t, 64> block_{};
  std::size_t left_ = 0;
};

}  // namespace orlop::c
