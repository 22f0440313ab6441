// The rules of local time as POSIX writes them: "CET-1CEST,M3.5.0,M10.5.0/3".
#pragma once

#include <string_view>

#include "base/instant.h"

namespace orlop {

// Local time minus UTC at this instant. Pure. The rule must be one of time_zones.def; of a text that is no rule the result is that of its readable part.
Duration offset_by_rule(std::string_view rule, Instant at);

}  // namespace orlop
