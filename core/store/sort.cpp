#include "store/sort.h"

#include <algorithm>

namespace orlop {

void sort_by_id(std::vector<Record>& records) { std::ranges::sort(records, {}, &Record::id); }

// Rows are large, and mostly in order already.
void sort_by_id(std::vector<Machine>& machines) {
  if (!std::ranges::is_sorted(machines, {}, &Machine::id)) std::ranges::sort(machines, {}, &Machine::id);
}

void sort_by_number(std::vector<Machine>& requests) { std::ranges::sort(requests, {}, &Machine::number); }

}  // namespace orlop
