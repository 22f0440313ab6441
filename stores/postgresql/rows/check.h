// The check of what only the tables of a server have: how they fit together.
#pragma once

#include "orlop/storage.h"
#include "server/status.h"
#include "transaction.h"

namespace orlop::postgresql {

// Visits the faults of at most a hundred rows of each kind.
Status check_tables(Transaction& transaction, orlop_store_fault_visitor visit, void* visitor);

}  // namespace orlop::postgresql
