// Answers the requests of an event loop on a pool of threads. The loop submits a request, polls a file descriptor for
// replies, and takes all of them at once. The threads do not hold the GIL, so that they and the loop do not block each
// other.
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

  // At most `readers` threads answer GET, `writers` threads other methods; each is started when it is first needed.
  // Throws std::runtime_error if no pipe can be made. The handle may be closed at any time: requests then get the error
  // `closed`.
  RequestPool(orlop_engine* engine, std::size_t readers, std::size_t writers);
  // Drops waiting requests; running ones complete.
  ~RequestPool();
  RequestPool(const RequestPool&) = delete;
  RequestPool& operator=(const RequestPool&) = delete;

  // Returns a descriptor that is readable while replies wait. The pool owns it.
  int descriptor() const;
  // Submits an untrusted request. With `only_authenticates` only its credentials are checked.
  void submit(std::uint64_t ticket, bool only_authenticates, std::string method, std::string target, Headers headers,
              std::string body);
  // Returns the replies since the last call: tuples (ticket, status, headers, body). Status 0: the credentials are
  // valid. A negative status: there is no reply; headers is then the name of the error, and body its text or the
  // exception that a callback raised.
  py::list take();

  struct State;

 private:
  std::shared_ptr<State> state_;
};

// Exists while the thread waits for a port of the host. If it is a thread of a pool, the pool may start another one, so
// that requests without a port continue.
class PortWait {
 public:
  PortWait();
  ~PortWait();
  PortWait(const PortWait&) = delete;
  PortWait& operator=(const PortWait&) = delete;
};

}  // namespace orlop_python
