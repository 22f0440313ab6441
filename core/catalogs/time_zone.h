// The names of time zones.
#pragma once

#include <span>
#include <string_view>

namespace orlop {

// Of the IANA database, in order of their bytes.
std::span<const std::string_view> time_zones();
// Names are compared as they are spelled.
bool is_time_zone(std::string_view name);

}  // namespace orlop
