// Ports in Python. The library calls them on threads without the GIL; only `with_python` acquires it for them.
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

// The Python ports of one engine. Each is a callable, except the driver, which has start(facts), cancel(step_id, force)
// and lose(step_id). Owned by the engine's Python object and by the callbacks inside the library. Used only with the
// GIL held. close() releases the ports, so that a driver with a reference to its engine does not keep it alive.
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
  // None once the engine was closed. The GIL must be held.
  py::object object() const { return host_->ports[index_].object; }
  const std::string& name() const { return host_->ports[index_].name; }

 private:
  std::shared_ptr<Host> host_;
  std::size_t index_ = 0;
};

// Guards a callback against the end of the interpreter, which would unwind a thread that waits for the GIL through
// frames of the library. The end waits until no callback is running; from then on a thread that wants to call back
// sleeps until the process ends.
class Callback {
 public:
  Callback();
  Callback(const Callback&) = delete;
  Callback& operator=(const Callback&) = delete;
  ~Callback();
};

// An interpreter that ends unwinds a thread that acquires the GIL, through frames whose Python objects must not be used
// any more. This object is the innermost around the acquisition, and therefore destroyed first: the thread sleeps in
// its destructor until the process ends.
class RestsAtTheEnd {
 public:
  RestsAtTheEnd() = default;
  RestsAtTheEnd(const RestsAtTheEnd&) = delete;
  RestsAtTheEnd& operator=(const RestsAtTheEnd&) = delete;
  ~RestsAtTheEnd();
};

// Calls a Python function.
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

// Notes the thread that ends the interpreter, which may use it until the end.
void note_ending();

template <typename Work>
auto with_python(Work work) {
  const Callback callback;
  py::gil_scoped_acquire interpreter;
  return work();
}

// Reports whether the port has this method.
bool has_method(const HostedPort& port, const char* name);
// Raises orlop.Misuse if the port lacks this method or is a class.
void require_method(const HostedPort& port, const char* name);

using PortCall = std::function<void(const py::object& callee)>;

// Calls a port of the host without occupying a thread of the request pool. Throws its exception as text.
void call_port(const HostedPort& port, const PortCall& call);
// Calls a port that only receives information. Its exception goes to sys.unraisablehook, because the running call did
// not fail.
void inform_port(const HostedPort& port, const PortCall& call);

// Set a custom port in the options; port_calls.h has the other ports.
void give(std::shared_ptr<orlop::Driver>& member, HostedPort port);
void give(orlop::Clock& member, HostedPort port);
void give(orlop::RandomSource& member, HostedPort port);
void give(orlop::ExternalSystems& member, HostedPort port);

// Keeps the exception of a callback until the call that led to it returns to Python.
void keep(const py::error_already_set& raised);

// Returns the exception that keep() has stored on this thread, owned by the caller, or nullptr. Does not need the GIL.
PyObject* take_pending();

// Returns the headers of a reply by their names in lower case.
py::dict headers_of(const orlop::Reply& reply);

// Raises the exception that keep() has stored on this thread, if any.
void raise_pending();

}  // namespace orlop_python
