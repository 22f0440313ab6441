// Enumerations that the interface gives names to. Inlined, a generator of clients would make up a type for each place,
// and such names clash with those of components.
#pragma once

#include <span>
#include <string_view>

namespace orlop {

// "StateEnum" for the states of services; "" for enumerations without a name of their own.
std::string_view enumeration_name(std::span<const std::string_view> enum_values);

}  // namespace orlop
