// Where threads sleep until an engine has work: the core waits for nothing by itself.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>

#include "engine.h"

namespace orlop::c {

// Safe on every thread.
class Wakeup {
 public:
  // The engine has work.
  void ring();
  // Ends every wait that is under way, or the next one if none is.
  void interrupt();
  // Ends every wait, those to come too.
  void close();
  // The engine has stored events. Costs next to nothing while no thread waits for any.
  void ring_for_events();

  // What a thread waits for.
  struct Request {
    bool work = true;                    // the engine is ready
    std::optional<std::uint64_t> since;  // it has stored an event numbered more than this
  };
  // What of the request has occurred.
  struct Found {
    bool work = false;
    bool events = false;
    bool is_interrupted = false;  // or closed
    bool any() const { return work || events; }
  };
  // Until something of the request has occurred, `timeout` has passed in real time (nothing: no bound), or an
  // interruption. Safe on every thread. A descriptor that is readable once the engine has stored events; it ends with
  // this. Error internal: the process has none left.
  Result<int> event_descriptor();

  ~Wakeup();

  Found wait(Engine& engine, const Request& request, std::optional<Duration> timeout);

 private:
  std::mutex mutex_;
  std::condition_variable rung_;
  std::uint32_t sleepers_ = 0;
  std::atomic<std::uint32_t> event_sleepers_ = 0;
  std::uint64_t interruptions_ = 0;
  bool is_next_interrupted_ = false;
  bool is_closed_ = false;
  // Both ends of a pipe, once a host has asked for it. A byte in it stands for events.
  std::atomic<int> event_reader_ = -1;
  std::atomic<int> event_writer_ = -1;
};

}  // namespace orlop::c
