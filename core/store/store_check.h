// Whether what a store keeps beside its records is what follows from them.
#pragma once

#include "base/result.h"
#include "store/store.h"

namespace orlop {

// Compares every count that the store keeps with the records that it counts; each record is read. Errors:
// storage_corrupt, naming the first count that is wrong; those of the store.
Result<void> check_counts(Transaction& store);

}  // namespace orlop
