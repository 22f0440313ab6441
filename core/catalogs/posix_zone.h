// Rules of local time in the form of POSIX: "CET-1CEST,M3.5.0,M10.5.0/3".
#pragma once

#include <optional>
#include <string_view>

#include "base/instant.h"

namespace orlop {

// Returns local time minus UTC at this instant, or nullopt if the text is not a rule. Pure.
std::optional<Duration> offset_by_rule(std::string_view rule, Instant at);

}  // namespace orlop
