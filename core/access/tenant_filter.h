// The view of the store that a caller has.
#pragma once

#include <memory>

#include "base/result.h"
#include "store/store.h"
#include "unit/caller.h"

namespace orlop {

// Returns a transaction that hides records that are being deleted (unit/without_deleted.h) and resources of
// organizations of which the caller is not a member: reads answer as if they did not exist. The host sees all
// organizations. Unique names remain taken across organizations.
Result<std::unique_ptr<Transaction>> for_caller(const Caller& caller, std::unique_ptr<Transaction> transaction);

}  // namespace orlop
