// What Python is to be called at instants of virtual time.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <map>

#include "orlop/orlop.hpp"

namespace orlop_python {

namespace py = pybind11;

// The callables of one engine that wait for their instant, by numbers that are not given again. Only for threads that
// hold the interpreter. Those that are not called go with the engine's Python object, which every call into the engine
// keeps: close() may leave one under way.
class VirtualCalls {
 public:
  VirtualCalls() = default;
  VirtualCalls(const VirtualCalls&) = delete;
  VirtualCalls& operator=(const VirtualCalls&) = delete;

  // Its number. What the callable raises is raised by the call into the engine.
  std::uint64_t add(orlop::Engine& engine, orlop::Instant at, const py::object& callable);
  // Does nothing for one that was called or canceled.
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
