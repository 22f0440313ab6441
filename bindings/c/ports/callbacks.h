// Adapts the host's clock, random source, driver and AEAD to the interfaces of the core, calls ports, and marks threads
// that are inside of a callback.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/port.h"
#include "base/source.h"
#include "deploy/driver/driver.h"
#include "orlop/aead.h"
#include "orlop/driver.h"
#include "orlop/orlop.h"
#include "orlop/ports.h"

namespace orlop::c {

class Instance;

// Kinds of callbacks. `listener`: a port that only receives information, such as a log.
enum class Callback : std::uint8_t { none, driver, source, port, store, listener };

// Marks this thread as inside of a callback of `host` while the object exists.
class Inside {
 public:
  Inside(const void* host, Callback callback);
  ~Inside();
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  // Returns the innermost callback of `host` that this thread is in.
  static Callback of(const void* host);

 private:
  const void* host_;
  Callback callback_;
  const Inside* outer_;
};

// Returns the time of the machine's steady clock.
Duration steady_time();

// Converts an error that a port returned, and frees it.
Error take_refusal(orlop_error* refusal);
// Returns a noun for messages, such as "the webhook sender" for the option webhook_sender.
std::string port_noun(std::string_view name);

// Holds the struct of a host's port. The destructor calls its release() if own() was called before.
template <typename Given>
class HostPort {
 public:
  // `engine`: the handle that the port's functions get.
  HostPort(const Given& given, Instance* host, orlop_engine* engine) : given_(given), host_(host), engine_(engine) {}
  HostPort(const HostPort&) = delete;
  HostPort& operator=(const HostPort&) = delete;
  void own() { is_owned_ = true; }

 protected:
  ~HostPort() {
    if (is_owned_ && given_.release != nullptr) given_.release(given_.context);
  }

  // Calls a function that returns NULL or an error; a missing function returns NULL. Errors: that of the function;
  // driver_failed if it threw an exception into C. `port`: name of the option, for the message.
  template <typename Function, typename... Arguments>
  Result<void> accept(Callback callback, std::string_view port, Function* function, const Arguments&... arguments) {
    if (function == nullptr) return {};
    orlop_error* refusal = nullptr;
    try {
      const Inside inside(host_, callback);
      refusal = function(given_.context, arguments...);
    } catch (...) { return make_error(ErrorCode::driver_failed, port_noun(port) + " threw an exception into C"); }
    if (refusal == nullptr) return {};
    return take_refusal(refusal);
  }

  // Calls a function that returns nothing, unless it is NULL. Ignores exceptions.
  template <typename Function, typename... Arguments>
  void inform(Callback callback, Function* function, const Arguments&... arguments) noexcept {
    if (function == nullptr) return;
    try {
      const Inside inside(host_, callback);
      function(given_.context, arguments...);
    } catch (...) { return; }
  }

  Given given_;
  Instance* host_;
  orlop_engine* engine_;

 private:
  bool is_owned_ = false;
};

class HostClock final : public Clock, public HostPort<orlop_clock> {
 public:
  using HostPort::HostPort;
  Instant now() override;
  Duration monotonic() override;

 private:
  std::atomic<std::int64_t> last_ = 0;
  std::atomic<std::int64_t> last_monotonic_ = 0;
};

class HostRandomSource final : public RandomSource, public HostPort<orlop_random_source> {
 public:
  using HostPort::HostPort;
  std::uint64_t draw(std::uint64_t transaction, std::uint64_t index) override;
};

class HostDriver final : public Driver, public HostPort<orlop_driver> {
 public:
  using HostPort::HostPort;
  Result<void> start(const Step& step) override;
  void cancel(const Id& step, CancelMode mode) override;
  bool observes() const override { return given_.observe != nullptr; }
  void observe(const Id& cluster, std::span<const Id> services) override;
};

class HostAead final : public Aead, public HostPort<orlop_aead> {
 public:
  using HostPort::HostPort;
  Result<std::string> encrypt(const Parameters& parameters, std::string_view text) override;
  std::optional<std::string> decrypt(const Parameters& parameters, std::string_view sealed) override;
};

orlop_id id_of(const Id& id);
Id id_of(const orlop_id& id);

}  // namespace orlop::c
