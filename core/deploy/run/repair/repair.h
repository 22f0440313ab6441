// Puts right what an earlier fault has left in a row (fault.h): with the smallest change after which a request or time
// moves it on.
#pragma once

#include <vector>

#include "base/result.h"
#include "deploy/run/repair/fault.h"
#include "store/store.h"
#include "unit/unit.h"

namespace orlop {

// Mends every fault of the row that the unit reads under this id, and tells the feed where a state changes. Answers who
// has new work now: the row's environment, or itself; nil: none. A row of another kind, or without a fault, stays as it
// is. `is_whole`: the record of every row is read, so that rows without one are erased, and partitions are compared,
// too.
Result<Id> mend(Unit& unit, const Id& subject, bool is_whole);

// The same of a service that is under way for no request.
Result<Machine> release_service(Unit& unit, Machine service);

// All rows with a fault, and the records without one that should have one, by a walk over the whole store. `unit` sees
// all that is stored.
Result<std::vector<FaultyRow>> find_faults(Unit& unit);

}  // namespace orlop
