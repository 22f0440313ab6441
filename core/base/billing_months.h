// Bounds of what billing keeps.
#pragma once

#include <cstddef>

namespace orlop {

// Months that an organization has used something in and no engine has invoiced: ten years.
inline constexpr std::size_t closed_months_max = 120;

}  // namespace orlop
