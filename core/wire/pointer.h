// Finds one value in a JSON text by a JSON Pointer (RFC 6901), without converting the whole text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace orlop {

// Returns the value at `pointer` in `json`, which must be valid: the characters of a string, the JSON text of any other
// value. "" is the whole. Returns nullopt if there is no such member or item, or if `pointer` is malformed: it must be
// empty or start with /, and ~ is allowed only in ~0 and ~1. Reads the text once, up to the end of the value.
std::optional<std::string> find_by_pointer(std::string_view json, std::string_view pointer);

}  // namespace orlop
