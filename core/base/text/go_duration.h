// Durations as Go's time.ParseDuration reads them: "1h30m", "-1.5h", "500ms".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace orlop {

// Nanoseconds; nothing for a text that is no duration or does not fit.
std::optional<std::int64_t> parse_go_duration(std::string_view text);

}  // namespace orlop
