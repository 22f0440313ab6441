// Which members of a record an edit has changed.
#pragma once

#include <string>
#include <vector>

#include "model/value.h"

namespace orlop {

// The names of the members that are not the same in both, but for the time of the change.
std::vector<std::string> changed_members(const Value& before, const Value& after);

}  // namespace orlop
