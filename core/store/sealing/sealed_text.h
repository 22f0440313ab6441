// The format of encrypted secrets.
#pragma once

#include <string_view>

namespace orlop {

// Prefix of every encrypted text. A plain text is a JSON object, which does not begin with a letter.
inline constexpr std::string_view sealed_prefix = "sealed1:";

inline bool is_sealed(std::string_view secrets) { return secrets.starts_with(sealed_prefix); }

}  // namespace orlop
