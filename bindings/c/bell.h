// Where threads sleep until an engine has work: the core waits for nothing by itself.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>

#include "engine.h"

namespace orlop::c {

// Safe on every thread.
class Bell {
 public:
  // The engine has work.
  void ring();
  // Ends every wait that is under way, or the next one if none is.
  void interrupt();
  // Ends every wait, those to come too.
  void close();
  // Until the engine is ready, `timeout` has passed in real time (nothing: no bound), or an interruption. True: the engine is ready.
  bool wait(Engine& engine, std::optional<Duration> timeout);

 private:
  std::mutex mutex_;
  std::condition_variable rung_;
  std::uint32_t sleepers_ = 0;
  std::uint64_t interruptions_ = 0;
  bool is_next_interrupted_ = false;
  bool is_closed_ = false;
};

}  // namespace orlop::c
