// Ids of persons.
#pragma once

#include <string_view>

#include "base/id.h"

namespace orlop {

// Returns the same id for a subject in every organization and store. The id is derived from the subject, not made by
// the store, and does not count among the ids that the store has given.
Id user_id_of(std::string_view subject);

}  // namespace orlop
