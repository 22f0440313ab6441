// One member of an object that the engine wrote itself, without parsing the others.
#pragma once

#include <span>
#include <string_view>

namespace orlop {

// The JSON text of the member `name` at the top of `object`; "" if it is not there, or if `object` is not as Writer writes it (somebody may
// have edited a store by hand): the caller then parses the whole.
std::string_view raw_member(std::string_view object, std::string_view name);

// The texts of several members, in the order of their names; "" for one that is not there. Reads as far as the last of them. False: `object` is
// not as Writer writes it, and the caller parses the whole.
bool raw_members(std::string_view object, std::span<const std::string_view> names, std::span<std::string_view> texts);

}  // namespace orlop
