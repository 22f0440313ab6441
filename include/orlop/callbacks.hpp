// Calls functions of the host from C and catches their exceptions. Included by ports.hpp and host.hpp.
#ifndef ORLOP_CALLBACKS_HPP
#define ORLOP_CALLBACKS_HPP

#include <exception>

#include "orlop/orlop.h"
#include "orlop/values.hpp"

namespace orlop {
inline namespace api {
namespace detail {

// Runs a port's function; an exception becomes an error of this code.
template <typename Call>
orlop_error* run_port(const Call& call, orlop_code code = ORLOP_ERROR_DRIVER_FAILED) noexcept {
  try {
    call();
    return nullptr;
  } catch (const std::exception& failure) { return orlop_error_new(code, text_of(failure.what())); } catch (...) {
    return orlop_error_new(code, ORLOP_TEXT("the port threw what is no std::exception"));
  }
}

// Runs a port's function that returns nothing; an exception is ignored.
template <typename Call>
void inform_port(const Call& call) noexcept {
  try {
    call();
  } catch (...) { return; }
}

// release() of a port that was made by new.
template <typename Port>
void release(void* held) noexcept {
  delete static_cast<Port*>(held);
}

}  // namespace detail
}  // namespace api
}  // namespace orlop

#endif
