// Lets threads sleep until an engine has work. The core itself never waits.
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
  // Wakes the waiting threads: the engine has work.
  void ring();
  // Ends every running wait; if none runs, the next one.
  void interrupt();
  // Ends every wait, also future ones.
  void close();
  // Wakes the threads that wait for events: the engine has stored some. Cheap while no thread waits for events.
  void ring_for_events();

  // Conditions that a thread waits for.
  struct Request {
    bool work = true;                    // the engine is ready
    std::optional<std::uint64_t> since;  // the engine has stored an event with a greater number
  };
  // Conditions that are true after a wait.
  struct Found {
    bool work = false;
    bool events = false;
    bool is_interrupted = false;  // or closed
    bool any() const { return work || events; }
  };
  // Returns a descriptor that is readable once the engine has stored events. The destructor closes it. Error internal:
  // the process has no descriptor left.
  Result<int> event_descriptor();

  ~Wakeup();

  // Waits until a condition of the request is true, `timeout` of real time has passed (nullopt: no limit), or the wait
  // is interrupted.
  Found wait(Engine& engine, const Request& request, std::optional<Duration> timeout);

 private:
  std::mutex mutex_;
  std::condition_variable rung_;
  std::atomic<std::uint32_t> sleepers_ = 0;
  std::atomic<std::uint32_t> event_sleepers_ = 0;
  std::uint64_t interruptions_ = 0;
  bool is_next_interrupted_ = false;
  bool is_closed_ = false;
  // Both ends of a pipe, once event_descriptor() was called; else -1. A byte in it signals events.
  std::atomic<int> event_reader_ = -1;
  std::atomic<int> event_writer_ = -1;
};

}  // namespace orlop::c
