// Points in time of the tests.
#pragma once

#include <string_view>

#include "base/instant.h"

namespace orlop {

// Thursday, 2026-01-01, 00:00 UTC.
inline constexpr Instant new_year = {1'767'225'600'000};

inline Instant at(std::string_view text) { return *parse_instant(text); }

}  // namespace orlop
