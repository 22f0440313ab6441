// The values of the validation context: one function for each key that rules ask for.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/family.h"
#include "unit/unit.h"

namespace orlop {

// The value of the key in this organization. Errors: internal for a key that no function answers; those of the store.
Result<Value> context_value(Unit& unit, const Id& organization, ContextKey key);

// The names of all keys that are answered.
std::vector<std::string_view> context_value_names();

}  // namespace orlop
