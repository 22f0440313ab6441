// Check of the counts that a store keeps of its records.
#pragma once

#include "base/result.h"
#include "store/store.h"

namespace orlop {

// Compares every stored count with the records that it counts; reads each record. Errors: storage_corrupt, naming the
// first wrong count; those of the store.
Result<void> check_counts(Transaction& store);

}  // namespace orlop
