// The body of a request, as an operation takes it.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "model/value.h"
#include "unit/operation.h"

namespace orlop {

// The body that the handler is given; nothing if the request brought none and needs none, or if it is no JSON. Errors:
// invalid.
Result<std::optional<Value>> read_body(const Operation& operation, std::string_view text, std::string_view brand);

}  // namespace orlop
