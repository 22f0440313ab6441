// How secrets look at rest once they are sealed.
#pragma once

#include <string_view>

namespace orlop {

// In front of every sealed text; what is plain is a JSON object, which no letter begins.
inline constexpr std::string_view sealed_prefix = "sealed1:";

inline bool is_sealed(std::string_view secrets) { return secrets.starts_with(sealed_prefix); }

}  // namespace orlop
