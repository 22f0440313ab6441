// Records for tests of ranges and batches.
#pragma once

#include <cstdint>
#include <vector>

#include "contract/fixture.h"

namespace orlop::contract {

inline std::vector<Id> ids_from(const std::vector<std::uint64_t>& numbers) {
  std::vector<Id> ids;
  for (const std::uint64_t number : numbers) ids.push_back(id_of(number));
  return ids;
}

// Children of record 1: families 2 and 3 in turn, ids 10 to 309; created in another order.
inline Changes three_hundred_children() {
  Changes changes;
  for (std::uint64_t index = 0; index < 300; ++index) {
    const std::uint64_t number = 10 + index * 7 % 300;
    changes.records.push_back(write_of(record_of(number, 1, number % 2 == 0 ? 2 : 3)));
  }
  return changes;
}

}  // namespace orlop::contract
