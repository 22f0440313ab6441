// Bound of the months that billing stores.
#pragma once

#include <cstddef>

namespace orlop {

// Maximum number of months with usage of an organization that are not invoiced yet: ten years.
inline constexpr std::size_t closed_months_max = 120;

}  // namespace orlop
