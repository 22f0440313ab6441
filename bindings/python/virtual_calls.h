// Callbacks of Python at instants of virtual time.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <map>

#include "orlop/orlop.hpp"

namespace orlop_python {

namespace py = pybind11;

// The waiting callables of one engine, by numbers that are never reused. Used only with the GIL held. Callables that
// were not called are released with the engine's Python object, not by close(), because a call into the engine may
// still be running.
class VirtualCalls {
 public:
  VirtualCalls() = default;
  VirtualCalls(const VirtualCalls&) = delete;
  VirtualCalls& operator=(const VirtualCalls&) = delete;

  // Returns its number. The call into the engine raises the exception of the callable.
  std::uint64_t add(orlop::Engine& engine, orlop::Instant at, const py::object& callable);
  // Does nothing for a number that was called or canceled.
  void cancel(orlop::Engine& engine, std::uint64_t number);

 private:
  struct Waiting {
    VirtualCalls* owner;
    std::uint64_t number;
    py::object callable;
  };
  static void make(void* waiting);

  std::map<std::uint64_t, Waiting> waiting_;
  std::uint64_t last_ = 0;
};

}  // namespace orlop_python
