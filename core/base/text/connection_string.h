// Connection strings in the texts of errors.
#pragma once

#include <string>
#include <string_view>

namespace orlop {

// The text with *** in the place of each password: in URLs, `scheme://user:password@host`, and in settings,
// `password=…`.
std::string without_passwords(std::string_view text);

}  // namespace orlop
