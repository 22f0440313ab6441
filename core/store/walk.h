// Walk over all records of a store.
#pragma once

#include <vector>

#include "store/store.h"

namespace orlop {

// Visits every record after its parent, and an older sibling's tree before the children of a younger one. `act` takes a
// record, may use the transaction, and returns a Result<void>; an error ends the walk.
template <typename Act>
Result<void> for_each_record(Transaction& store, const Act& act) {
  std::vector<Id> parents = {Id{}};
  while (!parents.empty()) {
    RecordRange range;
    range.key = parents.back();
    parents.pop_back();
    std::vector<Record> children;
    ORLOP_CHECK(store.records(range, [&](const Record& record) { return children.push_back(record), true; }));
    for (const Record& child : children) ORLOP_CHECK(act(child));
    for (auto child = children.rbegin(); child != children.rend(); ++child) parents.push_back(child->id);
  }
  return {};
}

}  // namespace orlop
