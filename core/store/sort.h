// Orders of rows. Each is compiled once: a row is large, and so is the code that moves it.
#pragma once

#include <vector>

#include "store/store.h"

namespace orlop {

void sort_by_id(std::vector<Record>& records);
void sort_by_id(std::vector<Machine>& machines);
// Deployment requests in the order in which they were asked for.
void sort_by_number(std::vector<Machine>& requests);

}  // namespace orlop
