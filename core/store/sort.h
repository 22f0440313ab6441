// Sorting of rows. Each order is compiled once: rows are large, and so is the code that moves them.
#pragma once

#include <vector>

#include "store/store.h"

namespace orlop {

void sort_by_id(std::vector<Record>& records);
void sort_by_id(std::vector<Machine>& machines);
// Sorts deployment requests in the order in which they were enqueued.
void sort_by_number(std::vector<Machine>& requests);

}  // namespace orlop
