// Errors as replies: status, status text and a body that says which field, what was given and what is allowed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace orlop {

// The HTTP status of an error's code; 500 for those that are no refusal.
std::uint16_t status_of(ErrorCode code);

// "Bad Request"
std::string_view reason_of(std::uint16_t status);

// {"status", "error", "message", "detail", "violations" of a 400}
std::string problem_body(const Error& error);

}  // namespace orlop
