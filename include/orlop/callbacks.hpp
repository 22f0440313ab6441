// How functions of the host are called from C: what they throw does not get there. Included by ports.hpp and host.hpp.
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

// The same of a function that gives nothing; an exception is ignored.
template <typename Call>
void inform_port(const Call& call) noexcept {
  try {
    call();
  } catch (...) { return; }
}

// The release() of a port that was made by new.
template <typename Port>
void release(void* held) noexcept {
  delete static_cast<Port*>(held);
}

}  // namespace detail
}  // namespace api
}  // namespace orlop

#endif
