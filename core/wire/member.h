// One member of an object that the engine wrote itself, without parsing the others.
#pragma once

#include <string_view>

namespace orlop {

// The JSON text of the member `name` at the top of `object`; "" if it is not there, or if `object` is not as Writer writes it (a store may have
// been edited by hand): the caller then parses the whole.
std::string_view raw_member(std::string_view object, std::string_view name);

}  // namespace orlop
