// What the engine has to say to the people who run its host: that it went on after a crash, that a tick was not stored, that a port failed.
#pragma once

#include <cstdint>
#include <string_view>

namespace orlop {

// Numbers are public.
enum class LogLevel : std::uint8_t {
  error = 1,    // something does not work until an operator acts
  warning = 2,  // something failed, and is tried again or counted as failed
  info = 3,     // something that happens now and then, and is as it should be
};

// Given by the host. Called on a thread that is inside a call of the engine, maybe with its locks held, on several at once; must not call the
// engine.
class Log {
 public:
  virtual ~Log() = default;
  // One sentence without a full stop or line break at its end. Never a secret.
  virtual void write(LogLevel level, std::string_view message) = 0;
};

}  // namespace orlop
