// What fields compute that other code asks for, too.
#pragma once

#include "store/store.h"
#include "unit/agreed_time.h"

namespace orlop {

// An invitation can be accepted for seven days.
bool is_expired(const Record& invitation, const Expiry& expiry);

}  // namespace orlop
