// The id of a person.
#pragma once

#include <string_view>

#include "base/id.h"

namespace orlop {

// One id for one subject, in every organization and on every store. It is no id that the store has given: its digits
// count nothing.
Id user_id_of(std::string_view subject);

}  // namespace orlop
