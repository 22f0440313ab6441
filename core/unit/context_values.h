// Values of the validation context: one function for each key that rules use.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/family.h"
#include "unit/unit.h"

namespace orlop {

// Returns the value of the key in this organization. Errors: internal if no function has the key; those of the store.
Result<Value> context_value(Unit& unit, const Id& organization, ContextKey key);

// Names of all keys that have a function.
std::vector<std::string_view> context_value_names();

}  // namespace orlop
