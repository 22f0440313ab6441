// Reading of request bodies.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "model/value.h"
#include "unit/operation.h"

namespace orlop {

// Reads and validates the body for the handler. Returns nullopt if there is none and none is required, or if the
// operation does not take JSON. Errors: invalid.
Result<std::optional<Value>> read_body(const Operation& operation, std::string_view text, std::string_view brand);

}  // namespace orlop
