// Calendar months in UTC. Pure.
#pragma once

#include <string>

#include "base/instant.h"

namespace orlop {

// Return the begin of the month that contains `at`, and of the following month.
Instant month_begin(Instant at);
Instant month_end(Instant at);
// "November 2026".
std::string month_name(Instant at);

}  // namespace orlop
