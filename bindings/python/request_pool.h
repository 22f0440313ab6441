// Answers the requests of an event loop on threads of its own. The loop hands a request over, sees by a file descriptor
// that replies wait, and takes all of them at once. The threads do not hold the interpreter, so that neither side waits
// for the other's Python.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "orlop/orlop.hpp"

namespace orlop_python {

namespace py = pybind11;

class RequestPool {
 public:
  using Headers = std::vector<std::pair<std::string, std::string>>;

  // `readers` threads answer GET, `writers` all else; each is started when it is first needed. Throws
  // std::runtime_error without a pipe. The handle may be closed at any time: requests are then answered with the error
  // `closed`.
  RequestPool(orlop_engine* engine, std::size_t readers, std::size_t writers);
  // Requests that wait are dropped; those that run are left to end by themselves.
  ~RequestPool();
  RequestPool(const RequestPool&) = delete;
  RequestPool& operator=(const RequestPool&) = delete;

  // Readable while replies wait; belongs to the pool.
  int descriptor() const;
  // From outside, and not trusted. With `only_authenticates` the request is not answered, only its credentials are
  // checked.
  void submit(std::uint64_t ticket, bool only_authenticates, std::string method, std::string target, Headers headers,
              std::string body);
  // What is answered since the last call: tuples (ticket, status, headers, body). Status 0: the credentials hold. A
  // negative status: no reply could be made; then headers is the name of the error, and body its text or the exception
  // that a callback raised.
  py::list take();

  struct State;

 private:
  std::shared_ptr<State> state_;
};

// Stands on the stack while the thread waits for a port of the host's. If it is a thread of a pool, another one takes
// its place, so that requests which need no port go on.
class PortWait {
 public:
  PortWait();
  ~PortWait();
  PortWait(const PortWait&) = delete;
  PortWait& operator=(const PortWait&) = delete;
};

}  // namespace orlop_python
