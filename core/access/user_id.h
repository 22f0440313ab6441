// Ids of persons.
#pragma once

#include <string_view>

#include "base/id.h"

namespace orlop {

// Returns the same id for a subject in every organization and store. It is derived from the subject and does not count
// as an id that the store has given.
Id user_id_of(std::string_view subject);

}  // namespace orlop
