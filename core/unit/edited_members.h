// Names of the members that an edit has changed.
#pragma once

#include <string>
#include <vector>

#include "model/value.h"

namespace orlop {

// Returns the names of the members that differ, except `updated_at`.
std::vector<std::string> changed_members(const Value& before, const Value& after);

}  // namespace orlop
