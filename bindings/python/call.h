// Calls into the engine without the GIL.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <type_traits>
#include <utility>

#include "arguments.h"
#include "host.h"
#include "orlop/orlop.hpp"

namespace orlop_python {

// True while this thread runs a port.
inline thread_local bool calls_are_refused = false;

// Releases the GIL for the call. An exception that a callback raised is preferred to the engine's error. The GIL is
// acquired explicitly, not in a destructor.
template <typename Work>
auto call(Work work) {
  using Value = std::conditional_t<std::is_void_v<decltype(work())>, bool, decltype(work())>;
  if (calls_are_refused) refuse("a port must not call an engine");
  std::optional<Value> value;
  std::optional<orlop::Error> failed;
  PyThreadState* state = PyEval_SaveThread();
  try {
    if constexpr (std::is_void_v<decltype(work())>) {
      work();
      value = true;
    } else {
      value.emplace(work());
    }
  } catch (const orlop::Error& error) { failed = error; }
  {
    const RestsAtTheEnd innermost;
    PyEval_RestoreThread(state);
  }
  raise_pending();
  if (failed) fail(failed->name(), failed->what());
  return std::move(*value);
}

}  // namespace orlop_python
