// The known word that is nearest to one that is not known, for messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace orlop {

// By the number of letters to change, regardless of case; the first of those that are equally near. "" if `known` is empty.
std::string_view nearest_of(std::string_view given, std::span<const std::string_view> known);

// "; the nearest known one is \"eu-west-3\"", or "" if `known` is empty: the end of a refusal's sentence.
std::string nearest_hint(std::string_view given, std::span<const std::string_view> known);

}  // namespace orlop
