// A value or an Error. The core does not throw to report failures. An Error is allocated separately, so that a
// successful result costs no more than its value.
#pragma once

#include <cassert>
#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

#include "base/error.h"

namespace orlop {

// Optional Error in the size of one pointer. Does not throw: if there is no memory for an Error, it becomes
// out_of_memory without text.
class Failure {
 public:
  Failure() = default;  // none
  [[gnu::cold]] Failure(Error&& error) noexcept;
  [[gnu::cold]] Failure(const Error& error) noexcept;
  // A moved-from failure remains a failure, so that a Result then knows that it has no value.
  Failure(Failure&& other) noexcept : error_(other.error_) {
    if (error_ != nullptr) [[unlikely]]
      other.error_ = without_memory();
  }
  Failure& operator=(Failure&& other) noexcept {
    std::swap(error_, other.error_);
    return *this;
  }
  Failure(const Failure& other) noexcept {
    if (other.error_ != nullptr) [[unlikely]]
      *this = Failure(*other.error_);
  }
  ~Failure() {
    if (error_ != nullptr) [[unlikely]]
      release(error_);
  }

  bool is_none() const { return error_ == nullptr; }
  const Error& error() const { return *error_; }
  [[gnu::cold]] Error take() noexcept;  // leaves out_of_memory behind

 private:
  [[gnu::cold]] static Error* without_memory() noexcept;
  [[gnu::cold]] static void release(Error* error) noexcept;
  Error* error_ = nullptr;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(const T& value) : value_(value) {}
  Result(T&& value) : value_(std::move(value)) {}
  Result(Failure failure) noexcept : failure_(std::move(failure)) {}
  Result(Error&& error) noexcept : failure_(std::move(error)) {}
  Result(const Error& error) noexcept : failure_(error) {}
  Result(Result&& other) noexcept(std::is_nothrow_move_constructible_v<T>) : failure_(std::move(other.failure_)) {
    if (ok()) [[likely]]
      std::construct_at(&value_, std::move(other.value_));
  }
  Result(const Result& other) requires std::copy_constructible<T> : failure_(other.failure_) {
    if (ok()) [[likely]]
      std::construct_at(&value_, other.value_);
  }
  Result& operator=(Result&& other) noexcept(std::is_nothrow_move_constructible_v<T>) {
    if (this == &other) return *this;
    std::destroy_at(this);
    return *std::construct_at(this, std::move(other));
  }
  ~Result() {
    if (ok()) [[likely]]
      std::destroy_at(&value_);
  }

  bool ok() const { return failure_.is_none(); }
  explicit operator bool() const { return ok(); }

  T& value() & {
    assert(ok());
    return value_;
  }
  const T& value() const& {
    assert(ok());
    return value_;
  }
  T&& value() && {
    assert(ok());
    return std::move(value_);
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& {
    assert(!ok());
    return failure_.error();
  }
  Error error() && {
    assert(!ok());
    return failure_.take();
  }
  Failure failure() && { return std::move(failure_); }

 private:
  union {
    T value_;  // present if there is no failure
  };
  Failure failure_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Failure failure) noexcept : failure_(std::move(failure)) {}
  Result(Error&& error) noexcept : failure_(std::move(error)) {}
  Result(const Error& error) noexcept : failure_(error) {}

  bool ok() const { return failure_.is_none(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const& {
    assert(!ok());
    return failure_.error();
  }
  Error error() && {
    assert(!ok());
    return failure_.take();
  }
  Failure failure() && { return std::move(failure_); }

 private:
  Failure failure_;
};

// ORLOP_TRY(name, expression): binds `name` to the value, or returns the error from the enclosing function.
#define ORLOP_TRY(name, ...)                   \
  auto name##_result = (__VA_ARGS__);          \
  if (!name##_result) [[unlikely]]             \
    return std::move(name##_result).failure(); \
  auto& name = *name##_result

// ORLOP_CHECK(expression): returns the error of a Result<void> from the enclosing function.
#define ORLOP_CHECK(...)                                                 \
  do {                                                                   \
    if (auto orlop_checked = (__VA_ARGS__); !orlop_checked) [[unlikely]] \
      return std::move(orlop_checked).failure();                         \
  } while (false)

}  // namespace orlop
