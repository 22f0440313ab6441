// What Python gives to an engine: its driver, its clock and its ports. The library calls them back on threads that do not hold the interpreter;
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
  py::object driver = py::none();   // has start(facts) and cancel(step_id); None: the scripted one
  py::object clock = py::none();    // a callable that gives Unix seconds; None: the system's
  py::object random_source = py::none();  // a callable that gives an int of 64 bits; None: the operating system's

  py::object token_authenticator = py::none();  // a callable (token, Unix seconds) that gives (subject, email, name), or raises; None: none
  py::object policy_evaluator = py::none();     // a callable (policy, input) that gives a bool; None: none
  py::object git_provider = py::none();  // a callable (provider, url, token) that gives the hook's events, or None if there is no hook; None: none
  py::object webhook_sender = py::none();   // a callable (facts) that takes a message on; None: none

  py::object log = py::none();       // a callable (level, message); None: none

  Host() = default;
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

// Puts what the host gave into the options, as the library wants it.
void give_callbacks(const std::shared_ptr<Host>& host, orlop::Options& options);

// What a callback of this thread raised since the last time, owned by the caller; nullptr if none did. Needs no interpreter.
PyObject* take_pending();

// The headers of a reply by their names in lower case.
py::dict headers_of(const orlop::Reply& reply);

// Raises what a callback of this thread raised since the last time, if it did.
void raise_pending();

}  // namespace orlop_python
