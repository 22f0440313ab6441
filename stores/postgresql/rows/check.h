// Check of the consistency of the server's tables.
#pragma once

#include "orlop/storage.h"
#include "server/status.h"
#include "transaction.h"

namespace orlop::postgresql {

// Visits the faults of at most a hundred rows of each kind.
Status check_tables(Transaction& transaction, orlop_store_fault_visitor visit, void* visitor);

}  // namespace orlop::postgresql
