// The host's callbacks as the core's interfaces, and the mark that tells a call which comes from inside one of them.
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

// Each of these calls the host's release() when it is destroyed, once own() has said that the host's struct was taken over.

class HostClock final : public Clock {
 public:
  HostClock(const orlop_clock& given, const void* host) : given_(given), host_(host) {}
  ~HostClock() override;
  void own() { is_owned_ = true; }
  Instant now() override;

 private:
  orlop_clock given_;
  const void* host_;
  std::atomic<std::int64_t> last_ = 0;
  bool is_owned_ = false;
};

class HostRandomSource final : public RandomSource {
 public:
  HostRandomSource(const orlop_random_source& given, const void* host) : given_(given), host_(host) {}
  ~HostRandomSource() override;
  void own() { is_owned_ = true; }
  std::uint64_t draw(std::uint64_t transaction, std::uint64_t index) override;

 private:
  orlop_random_source given_;
  const void* host_;
  bool is_owned_ = false;
};

class HostLog final : public Log {
 public:
  HostLog(const orlop_log& given, const void* host) : given_(given), host_(host) {}
  ~HostLog() override;
  void own() { is_owned_ = true; }
  void write(LogLevel level, std::string_view message) override;

 private:
  orlop_log given_;
  const void* host_;
  bool is_owned_ = false;
};

class HostDriver final : public Driver {
 public:
  // `engine`: the handle that the driver is given.
  HostDriver(const orlop_driver& given, const void* host, orlop_engine* engine) : given_(given), host_(host), engine_(engine) {}
  ~HostDriver() override;
  void own() { is_owned_ = true; }
  Result<void> start(const Step& step) override;
  void cancel(const Id& step, CancelMode mode) override;

 private:
  orlop_driver given_;
  const void* host_;
  orlop_engine* engine_;
  bool is_owned_ = false;
};

orlop_id id_of(const Id& id);
Id id_of(const orlop_id& id);

}  // namespace orlop::c
