// Calendar months in UTC. Pure.
#pragma once

#include <string>

#include "base/instant.h"

namespace orlop {

// The begin of the month in which `at` lies, and of the month after.
Instant month_begin(Instant at);
Instant month_end(Instant at);
// "November 2026".
std::string month_name(Instant at);

}  // namespace orlop
