// Sorts a list and removes duplicates. Uses std::unique: std::ranges::unique returns a subrange, which clang before 16
// does not compile with the standard library of GCC.
#pragma once

#include <algorithm>
#include <vector>

namespace orlop {

template <typename Item>
void sort_unique(std::vector<Item>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

}  // namespace orlop
