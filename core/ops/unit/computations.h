// What fields compute that other code asks for, too.
#pragma once

#include "ops/unit/agreed_time.h"
#include "store/store.h"

namespace orlop {

// An invitation can be accepted for seven days.
bool is_expired(const Record& invitation, const Expiry& expiry);

}  // namespace orlop
