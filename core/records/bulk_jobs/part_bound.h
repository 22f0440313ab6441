// How much one commit of work that is cut into parts may change, so that no other writer waits longer than about 50 ms
// for it.
#pragma once

#include <cstddef>

#include "unit/unit.h"

namespace orlop {

// What applying these changes costs, in microseconds: estimates of a durable file on a machine of today, rounded up.
// Real time would make the commits of a simulation differ from run to run.
namespace change_cost {
inline constexpr std::size_t erasure = 25;
inline constexpr std::size_t record = 40;
inline constexpr std::size_t kilobyte = 8;  // of a record's text
inline constexpr std::size_t machine = 7;
inline constexpr std::size_t event = 8;
}  // namespace change_cost

inline constexpr std::size_t part_cost_max = 15'000;

// Counts the changes of a unit while they are made. Looking costs what has been changed since the last look.
class PartBound {
 public:
  explicit PartBound(const Unit& unit) : unit_(unit) {}

  std::size_t cost();
  // The text of a record that is erased, which the changes do not hold.
  void add_erased_text(std::size_t bytes) { text_ += bytes; }
  // No further item should be taken into this part. At least one was: call it behind the first.
  bool is_reached() { return cost() >= part_cost_max; }

 private:
  const Unit& unit_;
  std::size_t seen_ = 0;  // records whose text is counted
  std::size_t text_ = 0;  // bytes of it, and of what is erased
};

}  // namespace orlop
