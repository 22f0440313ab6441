// The ports that Python gives to an engine. The library calls them back on threads that do not hold the interpreter;
// `with_python` is the one place where they take it.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orlop/orlop.hpp"

namespace orlop_python {

namespace py = pybind11;

class HostedPort;

// The ports that Python gave to one engine, each a callable but for the driver, which has start(facts), cancel(step_id,
// force) and lose(step_id). Owned by the engine's Python object and by the callbacks inside the library. Touched only
// by a thread that holds the interpreter. close() releases the ports, so that a driver that knows its engine does not
// keep it alive.
struct Host : std::enable_shared_from_this<Host> {
  struct Port {
    std::string name;
    py::object object;
  };
  std::vector<Port> ports;

  Host() = default;
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  ~Host();
  HostedPort add(std::string_view name, const py::object& object);
  void let_go();
};

// One port of a host, for a callback inside the library.
class HostedPort {
 public:
  HostedPort() = default;
  HostedPort(std::shared_ptr<Host> host, std::size_t index) : host_(std::move(host)), index_(index) {}
  // None once the engine was closed. The interpreter must be held.
  py::object object() const { return host_->ports[index_].object; }
  const std::string& name() const { return host_->ports[index_].name; }

 private:
  std::shared_ptr<Host> host_;
  std::size_t index_ = 0;
};

// A thread that wants an interpreter which is ending would be unwound, through frames of the library that must not be.
// So the end waits until no callback is under way, and from then on a thread that wants to call back rests for good.
class Callback {
 public:
  Callback();
  Callback(const Callback&) = delete;
  Callback& operator=(const Callback&) = delete;
  ~Callback();
};

// An interpreter that ends unwinds a thread that comes back to it, through frames that hold objects of Python and may
// touch them no more. Innermost around what comes back, so that it is the first to be unwound: the thread rests there
// until the process is gone.
class RestsAtTheEnd {
 public:
  RestsAtTheEnd() = default;
  RestsAtTheEnd(const RestsAtTheEnd&) = delete;
  RestsAtTheEnd& operator=(const RestsAtTheEnd&) = delete;
  ~RestsAtTheEnd();
};

// Calls a function of Python.
template <typename... Arguments>
py::object call_python(const py::object& callee, const Arguments&... arguments) {
  PyObject* answer = nullptr;
  {
    const RestsAtTheEnd innermost;
    answer = PyObject_CallFunctionObjArgs(callee.ptr(), arguments.ptr()..., nullptr);
  }
  if (answer == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(answer);
}

// To be called on the thread that ends the interpreter, which may use it to the last.
void note_ending();

template <typename Work>
auto with_python(Work work) {
  const Callback callback;
  py::gil_scoped_acquire interpreter;
  return work();
}

// Whether the port has this method.
bool has_method(const HostedPort& port, const char* name);
// Raises orlop.Misuse for a port without this method, and for a class.
void require_method(const HostedPort& port, const char* name);

using PortCall = std::function<void(const py::object& callee)>;

// Calls a port of the host's, without a place in the pool of requests. What it raises is thrown on as text.
void call_port(const HostedPort& port, const PortCall& call);
// Calls a port that is only informed. What it raises goes to sys.unraisablehook: the call that is under way did not
// fail.
void inform_port(const HostedPort& port, const PortCall& call);

// Puts a custom port into the options, as the library calls it; port_calls.h has the others.
void give(std::shared_ptr<orlop::Driver>& member, HostedPort port);
void give(orlop::Clock& member, HostedPort port);
void give(orlop::RandomSource& member, HostedPort port);
void give(orlop::ExternalSystems& member, HostedPort port);

// Keeps what a callback raised until the call that led to it returns to Python.
void keep(const py::error_already_set& raised);

// What a callback of this thread raised since the last time, owned by the caller; nullptr if none did. Needs no
// interpreter.
PyObject* take_pending();

// The headers of a reply by their names in lower case.
py::dict headers_of(const orlop::Reply& reply);

// Raises what a callback of this thread raised since the last time, if it did.
void raise_pending();

}  // namespace orlop_python
