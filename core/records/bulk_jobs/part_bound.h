// Bound on the changes in one commit of work in parts, so that no other writer waits longer than about 50 ms.
#pragma once

#include <cstddef>

#include "unit/unit.h"

namespace orlop {

// Cost of applying changes, in microseconds: estimates for a durable file on current hardware, rounded up. Measured
// time would make the commits of a simulation differ from run to run.
namespace change_cost {
inline constexpr std::size_t erasure = 25;
inline constexpr std::size_t record = 40;
inline constexpr std::size_t kilobyte = 8;  // of record text
inline constexpr std::size_t machine = 7;
inline constexpr std::size_t event = 8;
}  // namespace change_cost

inline constexpr std::size_t part_cost_max = 15'000;

// Counts the changes of a unit while they are made. Each look counts only the changes since the last one.
class PartBound {
 public:
  explicit PartBound(const Unit& unit) : unit_(unit) {}

  std::size_t cost();
  // Adds the text of an erased record, which the changes do not hold.
  void add_erased_text(std::size_t bytes) { text_ += bytes; }
  // Reports whether the part must take no further item. Call it after the first, so that each part has one.
  bool is_reached() { return cost() >= part_cost_max; }

 private:
  const Unit& unit_;
  std::size_t seen_ = 0;  // number of records whose text is counted
  std::size_t text_ = 0;  // bytes of those texts and of erased ones
};

}  // namespace orlop
