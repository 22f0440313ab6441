// Repairs faults of rows (fault.h) with the smallest change after which a request or time continues them.
#pragma once

#include <vector>

#include "base/result.h"
#include "deploy/run/repair/fault.h"
#include "store/store.h"
#include "unit/unit.h"

namespace orlop {

// Repairs every fault of the row that the unit reads under this id; the feed gets an event for a change of state.
// Returns the id of the owner to wake, the row's environment or itself; nil if nothing was repaired. `is_whole`: also
// reads the record of every row, to erase rows without one and compare partitions.
Result<Id> mend(Unit& unit, const Id& subject, bool is_whole);

// Repairs a transient service without a request, and returns its row.
Result<Machine> release_service(Unit& unit, Machine service);

// Returns all rows with a fault, and records whose row is missing, by a walk over the whole store. `unit` sees all that
// is stored.
Result<std::vector<FaultyRow>> find_faults(Unit& unit);

}  // namespace orlop
