// Durations as Go's time.ParseDuration reads them: "1h30m", "-1.5h", "500ms".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace orlop {

// Returns nanoseconds, or nullopt if the text is not a duration or out of range.
std::optional<std::int64_t> parse_go_duration(std::string_view text);

}  // namespace orlop
