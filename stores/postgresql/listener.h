// Tells the engines that share the store when one of them has changed what it keeps for several engines. A thread with a connection of its own waits for the
// server's notifications (LISTEN); through a pooler, which passes none on, it looks for a new commit mark at intervals.
#pragma once

#include <libpq-fe.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "settings.h"

namespace orlop::postgresql {

// The channel of a schema's notifications.
std::string channel_of(const Settings& settings);

// An engine that is told.
struct Member {
  void (*notify)(void* argument);
  void* argument;
};

class Listener {
 public:
  // `settings` outlives the listener.
  explicit Listener(const Settings& settings) : settings_(settings) {}
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // The first member starts the thread, the last one ends it. A member is not called any more when leave() returns. Throws what starting a thread throws.
  void join(Member& member);
  void leave(Member& member) noexcept;
  // Rises when something may have changed.
  std::uint64_t changes() const { return changes_; }

 private:
  void run() noexcept;
  // Until the connection is of no use, or the thread is to end.
  void serve();
  bool connect();
  void listen();
  // The first value that `text` answers; nothing: the connection is of no use, or the thread is to end.
  std::optional<std::string> ask(const std::string& text);
  // Waits for the connection, or for the thread's end. False: the thread is to end, or nothing came in time.
  bool wait(short events, std::optional<std::chrono::milliseconds> time);
  void tell();

  const Settings& settings_;
  std::mutex life_;  // guards the thread's beginning and end
  std::mutex mutex_;  // guards the members
  std::set<Member*> members_;
  std::atomic<std::uint64_t> changes_ = 0;
  std::atomic<bool> is_ending_ = false;
  int wake_[2] = {-1, -1};
  std::thread thread_;
  std::unique_ptr<PGconn, void (*)(PGconn*)> link_{nullptr, PQfinish};
};

}  // namespace orlop::postgresql
