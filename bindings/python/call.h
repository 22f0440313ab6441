// Calls into the engine, while other threads run Python.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <type_traits>
#include <utility>

#include "arguments.h"
#include "host.h"
#include "orlop/orlop.hpp"

namespace orlop_python {

// Of a thread that runs the functions of ports.
inline thread_local bool calls_are_refused = false;

// Runs the call while other threads run Python. What a callback raised on the way is the better error of the two. No
// object takes the interpreter back in its destructor.
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
