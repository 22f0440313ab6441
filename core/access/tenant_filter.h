// The store as a caller sees it.
#pragma once

#include <memory>

#include "base/result.h"
#include "store/store.h"
#include "unit/caller.h"

namespace orlop {

// A transaction without what is being deleted (unit/without_deleted.h), and without the resources of organizations
// of which the caller is not a member, so that they are answered like resources that do not exist; the host sees those
// of all. Unique names remain taken across organizations.
Result<std::unique_ptr<Transaction>> for_caller(const Caller& caller, std::unique_ptr<Transaction> transaction);

}  // namespace orlop
