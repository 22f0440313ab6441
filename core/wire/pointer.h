// One value of a JSON text, found by a JSON Pointer (RFC 6901), without making the whole text into values.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace orlop {

// What `pointer` names in `json`, which must be valid: the characters of a string, the JSON text of anything else. ""
// names the whole. Nothing if there is no such member or item, or `pointer` is none: it must be empty or start with /,
// and ~ stands only in ~0 and ~1. Costs one pass over the text up to the end of what is found.
std::optional<std::string> find_by_pointer(std::string_view json, std::string_view pointer);

}  // namespace orlop
