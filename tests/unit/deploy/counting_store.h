// A store that counts the reads from the store behind it and the writes to it.
#pragma once

#include <cstddef>
#include <memory>
#include <ostream>

#include "store/store.h"

namespace orlop {

struct StoreCounts {
  std::size_t asked = 0;    // reads of one row or of a range
  std::size_t rows = 0;     // rows that these reads returned
  std::size_t written = 0;  // rows, events and erasures
  std::size_t open = 0;     // open transactions

  bool operator==(const StoreCounts&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const StoreCounts& counts) {
  return out << counts.asked << " reads of " << counts.rows << " rows, " << counts.written << " writes";
}

// `counts` must outlive the store. `in_batches`: the store reads in batches, each of which counts as one read.
std::unique_ptr<Store> count_store(std::unique_ptr<Store> store, StoreCounts& counts, bool in_batches = false);

}  // namespace orlop
