// Errors as values. An Error has a code and one sentence that names the field, the value and what is allowed. The error
// of a refused request lists every violation at once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orlop {

enum class ErrorCode : std::uint16_t {
#define ORLOP_ERROR(name, number, meaning) name = number,
#include "base/error.def"
#undef ORLOP_ERROR
};

// One broken rule: path of the field ("config.password", "ports[2].name"; empty for the whole body) and reason.
struct Violation {
  std::string field;
  std::string reason;
};

struct Error {
  ErrorCode code;
  std::string message;
  std::vector<Violation> violations;
};

inline Error make_error(ErrorCode code, std::string message) { return {code, std::move(message), {}}; }
inline Error invalid(std::string message) { return make_error(ErrorCode::invalid, std::move(message)); }

// Returns the name in error.def ("storage_failed"), in static storage.
std::string_view name_of(ErrorCode code);

}  // namespace orlop
