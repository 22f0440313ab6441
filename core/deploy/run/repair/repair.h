// Repairs faults of rows (fault.h) with the smallest change after which a request or time continues them.
#pragma once

#include <vector>

#include "base/result.h"
#include "deploy/run/repair/fault.h"
#include "store/store.h"
#include "unit/unit.h"

namespace orlop {

// Repairs every fault of the row that the unit reads under this id; changes of state go to the feed. Returns who has
// new work: the row's environment, or itself; nil if nothing was repaired. `is_whole`: reads the record of every row,
// too, so that rows without one are erased, and partitions are compared.
Result<Id> mend(Unit& unit, const Id& subject, bool is_whole);

// The same for a transient service without a request.
Result<Machine> release_service(Unit& unit, Machine service);

// Returns all rows with a fault, and records whose row is missing, by a walk over the whole store. `unit` sees all that
// is stored.
Result<std::vector<FaultyRow>> find_faults(Unit& unit);

}  // namespace orlop
