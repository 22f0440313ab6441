// The host's clock, random source, driver and AEAD as the core's interfaces, how every port is called, and the mark of
// a call that comes from inside one of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
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

// `listener`: a port that is only informed.
enum class Callback : std::uint8_t { none, driver, source, port, store, listener };

// Stands on the stack while a callback of `host` runs on this thread.
class Inside {
 public:
  Inside(const void* host, Callback callback);
  ~Inside();
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  // Which callback of `host` this thread is in; the innermost, if it is in several.
  static Callback of(const void* host);

 private:
  const void* host_;
  Callback callback_;
  const Inside* outer_;
};

// Time of the machine that never jumps.
Duration steady_time();

// An error that a port returned, which is freed here.
Error take_refusal(orlop_error* refusal);
// "the webhook sender", of the name of its option.
std::string port_noun(std::string_view name);

// The struct of a port that the host gave. Its release() is called at the end, once own() has said that the struct was
// taken over.
template <typename Given>
class HostPort {
 public:
  // `engine`: the handle that functions of the port are handed.
  HostPort(const Given& given, Instance* host, orlop_engine* engine) : given_(given), host_(host), engine_(engine) {}
  HostPort(const HostPort&) = delete;
  HostPort& operator=(const HostPort&) = delete;
  void own() { is_owned_ = true; }

 protected:
  ~HostPort() {
    if (is_owned_ && given_.release != nullptr) given_.release(given_.context);
  }

  // Calls a function that accepts or refuses; one that is NULL accepts. Errors: what it returned; driver_failed with a
  // message that names the `port`, an option, where it threw an exception into C.
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

  // Calls a function that gives nothing, unless it is NULL. What it throws is ignored.
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
