// Suggestions for unknown values, for messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace orlop {

// Returns the value of `known` with the fewest letters to change, regardless of case; the first one of several. Empty
// if `known` is empty.
std::string_view nearest_of(std::string_view given, std::span<const std::string_view> known);

// Returns the end of a refusal's sentence: "; the nearest known one is \"eu-west-3\"" if at least half of its letters
// match; else "; known are \"a\", \"b\"" if these are few, or "".
std::string nearest_hint(std::string_view given, std::span<const std::string_view> known);

}  // namespace orlop
