// The rules of local time as POSIX writes them: "CET-1CEST,M3.5.0,M10.5.0/3".
#pragma once

#include <optional>
#include <string_view>

#include "base/instant.h"

namespace orlop {

// Local time minus UTC at this instant. Pure. Nothing for a text that is no rule.
std::optional<Duration> offset_by_rule(std::string_view rule, Instant at);

}  // namespace orlop
