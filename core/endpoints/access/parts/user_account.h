// Accounts of callers.
#pragma once

#include "base/id.h"
#include "base/result.h"
#include "unit/operation.h"

namespace orlop {

// Returns the id of the caller's account: a person's own, or that of the person for whom the host acts. Error
// forbidden: an API token has no account.
Result<Id> account_of(const Call& call);

}  // namespace orlop
