// Accounts of callers.
#pragma once

#include "base/id.h"
#include "base/result.h"
#include "unit/operation.h"

namespace orlop {

// The id of the caller's account: of a person its own, of the host that of whom it acts for. Error forbidden: a token
// of the API is no person.
Result<Id> account_of(const Call& call);

}  // namespace orlop
