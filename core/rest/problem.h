// Errors as replies: status, status text and a body that names the field, the given value and what is allowed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace orlop {

// The HTTP status of an error code; 500 for codes that are not refusals.
std::uint16_t status_of(ErrorCode code);

// "Bad Request"
std::string_view reason_of(std::uint16_t status);

inline constexpr std::size_t violations_shown_max = 100;  // of one answer

// {"status", "error", "message", "detail", "violations" of a 400, "violations_omitted" if there are more of them than
// it holds}
std::string problem_body(const Error& error);

}  // namespace orlop
