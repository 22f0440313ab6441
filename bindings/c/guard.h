// The fence between the library and C: what fails inside becomes an error handle, whether it was returned or thrown.
#pragma once

#include <string_view>
#include <utility>

#include "base/result.h"
#include "orlop/orlop.h"

namespace orlop::c {

// The Error of the exception that is being handled.
Error error_of_exception() noexcept;

// A handle for the error; the one that says that memory ran out if there is none left for it.
orlop_error* give(Error error) noexcept;

// Runs `body`, which returns a Result<void>. NULL: it succeeded.
template <typename Body>
orlop_error* guard(Body&& body) noexcept {
  try {
    Result<void> result = std::forward<Body>(body)();
    return result ? nullptr : give(std::move(result).error());
  } catch (...) { return give(error_of_exception()); }
}

// Runs `body`, which answers a plain value; `otherwise` if it throws.
template <typename Value, typename Body>
Value guard_or(Value otherwise, Body&& body) noexcept {
  try {
    return std::forward<Body>(body)();
  } catch (...) { return otherwise; }
}

inline Error misuse(std::string message) { return make_error(ErrorCode::misuse, std::move(message)); }

inline std::string_view view_of(orlop_text text) {
  return text.data == nullptr ? std::string_view() : std::string_view(text.data, text.size);
}
inline orlop_text text_of(std::string_view text) { return {text.data(), text.size()}; }

// A text whose start is NULL must be empty. `what` names it in the error.
inline Result<void> check_text(orlop_text text, const char* what) {
  if (text.data == nullptr && text.size != 0) return misuse(std::string(what) + " has a size but its start is NULL");
  return {};
}

}  // namespace orlop::c
