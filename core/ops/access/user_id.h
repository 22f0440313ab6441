// The id of a person.
#pragma once

#include <string_view>

#include "base/id.h"

namespace orlop {

// One id for one subject, in every organization and on every store.
Id user_id_of(std::string_view subject);

}  // namespace orlop
