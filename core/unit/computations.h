// Computations of fields that other code uses too.
#pragma once

#include "store/store.h"
#include "unit/agreed_time.h"

namespace orlop {

// An invitation expires after seven days.
bool is_expired(const Record& invitation, const Expiry& expiry);

}  // namespace orlop
