// The known word that is nearest to one that is not known, for messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace orlop {

// By the number of letters to change, regardless of case; the first of those that are equally near. "" if `known` is
// empty.
std::string_view nearest_of(std::string_view given, std::span<const std::string_view> known);

// The end of a refusal's sentence: "; the nearest known one is \"eu-west-3\"" if half of its letters or more are those
// that were given; else "; known are \"a\", \"b\"" if these are few, or "".
std::string nearest_hint(std::string_view given, std::span<const std::string_view> known);

}  // namespace orlop
