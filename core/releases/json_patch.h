// JSON Patch (RFC 6902) between two values, with the operations add, remove and replace.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/value.h"

namespace orlop {

// Returns the operations that turn `before` into `after`, as a list of {"op", "path", "value"}; empty if they are
// equal. The order of an object's members does not count. In a list, equal items at its beginning and at its end stay;
// those between them are compared by position.
Value patch_between(const Value& before, const Value& after);

// Applies the operations in their order. Error storage_corrupt: an operation does not fit; `value` is then undefined.
Result<void> apply_patch(Value& value, const Value& patch);

// Returns the value that a pointer (RFC 6901) names; null if there is none.
const Value* value_at(const Value& value, std::string_view pointer);

// Returns the pointer of a member or an item of the value at `pointer`.
std::string pointer_below(std::string_view pointer, std::string_view token);

}  // namespace orlop
