// The host's callbacks as the core's interfaces, and the mark of a call that comes from inside one of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "base/log.h"
#include "base/source.h"
#include "deploy/driver/driver.h"
#include "orlop/driver.h"
#include "orlop/orlop.h"
#include "orlop/ports.h"

namespace orlop::c {

class Instance;

enum class Callback : std::uint8_t { none, driver, source, port, store, log };

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

// The struct of a port that the host gave. Its release() is called at the end, once own() has said that the struct was taken over.
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

class HostLog final : public Log, public HostPort<orlop_log> {
 public:
  using HostPort::HostPort;
  void write(LogLevel level, std::string_view message) override;
};

class HostDriver final : public Driver, public HostPort<orlop_driver> {
 public:
  using HostPort::HostPort;
  Result<void> start(const Step& step) override;
  void cancel(const Id& step, CancelMode mode) override;
};

orlop_id id_of(const Id& id);
Id id_of(const orlop_id& id);

}  // namespace orlop::c
