// Whether bytes are UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace orlop {

bool is_utf8(std::string_view bytes);

// The same text; bytes that are no UTF-8 become U+FFFD, one for each byte.
std::string to_utf8(std::string_view bytes);

}  // namespace orlop
