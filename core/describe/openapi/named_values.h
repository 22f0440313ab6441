// Named enumerations of the API. For an inlined enumeration a client generator would invent a type for each use, whose
// name may clash with a component.
#pragma once

#include <span>
#include <string_view>

namespace orlop {

// Returns the name, such as "StateEnum" for the states of services; "" for an unnamed enumeration.
std::string_view enumeration_name(std::span<const std::string_view> enum_values);

}  // namespace orlop
