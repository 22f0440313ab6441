// Errors as replies: status, reason phrase, and a body with the field, its value and the allowed values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace orlop {

// Returns the HTTP status of an error code; 500 for codes that are not refusals.
std::uint16_t status_of(ErrorCode code);

// Returns the reason phrase, such as "Bad Request".
std::string_view reason_of(std::uint16_t status);

inline constexpr std::size_t violations_shown_max = 100;  // in one answer

// Returns {"status", "error", "message", "detail"}; for 400 also "violations", and "violations_omitted", the number of
// those left out, if there are too many.
std::string problem_body(const Error& error);

}  // namespace orlop
