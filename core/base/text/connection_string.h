// Masking of connection strings in error messages.
#pragma once

#include <string>
#include <string_view>

namespace orlop {

// Replaces each password with ***: in URLs (`scheme://user:password@host`) and in settings (`password=…`).
std::string without_passwords(std::string_view text);

}  // namespace orlop
