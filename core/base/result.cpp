#include "base/result.h"

#include <new>

namespace orlop {

// Never destroyed: threads may outlive static objects.
Error* Failure::without_memory() noexcept {
  alignas(Error) static unsigned char place[sizeof(Error)];
  static Error* const error = new (place) Error{ErrorCode::out_of_memory, {}, {}};
  return error;
}

Failure::Failure(Error&& error) noexcept : error_(new (std::nothrow) Error(std::move(error))) {
  if (error_ == nullptr) error_ = without_memory();
}

Failure::Failure(const Error& error) noexcept {
  try {
    error_ = new Error(error);
  } catch (const std::bad_alloc&) { error_ = without_memory(); }
}

Error Failure::take() noexcept {
  if (error_ == without_memory()) return {ErrorCode::out_of_memory, {}, {}};
  Error taken = std::move(*error_);
  delete std::exchange(error_, without_memory());
  return taken;
}

void Failure::release(Error* error) noexcept {
  if (error != without_memory()) delete error;
}

}  // namespace orlop
