// Computations of fields that other code uses too.
#pragma once

#include "store/store.h"
#include "unit/agreed_time.h"

namespace orlop {

// Reports whether the invitation has expired, seven days after it was made.
bool is_expired(const Record& invitation, const Expiry& expiry);

}  // namespace orlop
