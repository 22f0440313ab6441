// What Python gives to an engine: its driver and its clock. The library calls them back on threads that do not hold the interpreter;
// `with_python` is the one place where they take it.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <utility>

#include "orlop/orlop.hpp"

namespace orlop_python {

namespace py = pybind11;

// Owned by the engine's Python object and by the callbacks inside the library. Its members are touched only by a thread that holds
// the interpreter. close() lets go of them, so that a driver that knows its engine does not keep it alive.
struct Host {
  py::object driver;  // has start(facts) and cancel(step_id); None: the scripted one
  py::object clock;   // a callable that gives Unix seconds; None: the system's

  Host(py::object given_driver, py::object given_clock) : driver(std::move(given_driver)), clock(std::move(given_clock)) {}
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  ~Host();
  void let_go();
};

// A thread that wants an interpreter which is ending would be unwound, through frames of the library that must not be. So the end waits
// until no callback is under way, and from then on a thread that wants to call back rests for good.
class Callback {
 public:
  Callback();
  Callback(const Callback&) = delete;
  Callback& operator=(const Callback&) = delete;
  ~Callback();
};

// To be called on the thread that ends the interpreter, which may use it to the last.
void note_ending();

template <typename Work>
auto with_python(Work work) {
  const Callback callback;
  py::gil_scoped_acquire interpreter;
  return work();
}

// The driver and the clock as the library wants them.
std::shared_ptr<orlop::Driver> make_driver(std::shared_ptr<Host> host);
std::function<orlop::Instant()> make_clock(std::shared_ptr<Host> host);

// Raises what a callback of this thread raised since the last time, if it did.
void raise_pending();

}  // namespace orlop_python
