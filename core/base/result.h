// A value or an Error. Nothing in the core throws to report a failure.
#pragma once

#include <cassert>
#include <optional>
#include <utility>
#include <variant>

#include "base/error.h"

namespace orlop {

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(const T& value) : held_(std::in_place_index<0>, value) {}
  Result(T&& value) : held_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : held_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return held_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { assert(ok()); return *std::get_if<0>(&held_); }
  const T& value() const& { assert(ok()); return *std::get_if<0>(&held_); }
  T&& value() && { assert(ok()); return std::move(*std::get_if<0>(&held_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& { assert(!ok()); return *std::get_if<1>(&held_); }
  Error&& error() && { assert(!ok()); return std::move(*std::get_if<1>(&held_)); }

 private:
  std::variant<T, Error> held_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const& { assert(!ok()); return *error_; }
  Error&& error() && { assert(!ok()); return std::move(*error_); }

 private:
  std::optional<Error> error_;
};

// ORLOP_TRY(name, expression): binds `name` to the value, or returns the error from the enclosing function.
#define ORLOP_TRY(name, ...)                                  \
  auto name##_result = (__VA_ARGS__);                         \
  if (!name##_result) return std::move(name##_result).error(); \
  auto& name = *name##_result

// ORLOP_CHECK(expression): returns the error of a Result<void> from the enclosing function.
#define ORLOP_CHECK(...)                                                    \
  do {                                                                      \
    if (auto orlop_checked = (__VA_ARGS__); !orlop_checked) return std::move(orlop_checked).error(); \
  } while (false)

}  // namespace orlop
