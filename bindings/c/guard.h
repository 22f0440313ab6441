// Border between the library and C: returned errors and exceptions become error handles.
#pragma once

#include <string_view>
#include <utility>

#include "base/result.h"
#include "orlop/orlop.h"

namespace orlop::c {

// Converts the exception that is being handled to an Error.
Error error_of_exception() noexcept;

// Makes a handle for the error; if memory runs out, returns the handle of the out-of-memory error.
orlop_error* give(Error error) noexcept;

// Runs `body`, which returns a Result<void>. Returns NULL if it succeeds.
template <typename Body>
orlop_error* guard(Body&& body) noexcept {
  try {
    Result<void> result = std::forward<Body>(body)();
    return result ? nullptr : give(std::move(result).error());
  } catch (...) { return give(error_of_exception()); }
}

// Runs `body`, which returns a plain value; returns `otherwise` if it throws.
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

// Checks that a text whose start is NULL is empty. `what` names it in the error.
inline Result<void> check_text(orlop_text text, const char* what) {
  if (text.data == nullptr && text.size != 0) return misuse(std::string(what) + " has a size but its start is NULL");
  return {};
}

}  // namespace orlop::c
