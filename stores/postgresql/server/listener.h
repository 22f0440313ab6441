// Notifies the engines that share the store of changed coordination data. A thread with a separate connection waits for
// the server's notifications (LISTEN), holds the locks of its engines, and checks those of others. Through a pooler,
// which forwards no notifications and keeps no locks, it polls for a new commit mark.
#pragma once

#include <libpq-fe.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "server/link.h"
#include "server/presence.h"
#include "server/settings.h"

namespace orlop::postgresql {

// Returns the channel of a schema's notifications.
std::string channel_of(const Settings& settings);

// An engine and its callback for notifications.
struct Member {
  orlop_id engine;
  void (*notify)(void* argument);
  void* argument;
  bool is_settled = false;  // its lock is held, or cannot be held for now
};

class Listener {
 public:
  // `settings` must outlive the listener.
  explicit Listener(const Settings& settings) : settings_(settings), presence_(settings.schema) {}
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // The first member starts the thread, the last one ends it. After leave() returns, the member is not called any more.
  // join() throws if the thread cannot be started. It waits until the member's lock is held, for two seconds at most:
  // the row that the member then writes contains it, also for engines that join after its end.
  void join(Member& member);
  void leave(Member& member) noexcept;
  // Increases when something may have changed.
  std::uint64_t changes() const { return changes_; }
  // Reports whether the engine is known to have ended: soon after its process, if that held a connection. changes()
  // increases with it.
  bool has_ended(const orlop_id& engine) const { return presence_.has_ended(engine); }

 private:
  void run() noexcept;
  // Runs until the connection is unusable, or the thread must end.
  void serve();
  bool connect();
  bool acquire();  // acquires a connection of the host
  void listen();
  // Takes the locks of members that have joined, and releases those of members that have left. Returns false if the
  // connection is unusable.
  bool hold();
  // Checks at intervals which engines are present, if that may have changed. Returns false if the connection is
  // unusable.
  bool look();
  // Makes join() return for all members, which get no lock soon, or for those whose locks are held.
  void settle() noexcept;
  void settle(const std::set<std::uint32_t>& keys);
  std::set<std::uint32_t> own_keys();
  bool take_notifications();
  // Returns the first value of the query `text`; nullopt if the connection is unusable, or the thread must end.
  std::optional<std::string> ask(const std::string& text);
  // Waits for the connection, for the thread's end, or with `or_join` for another member. Returns false if the thread
  // must end, or the time is over.
  bool wait(short events, std::optional<std::chrono::milliseconds> time, bool or_join = false);
  void notify_members();

  const Settings& settings_;
  std::mutex life_;   // guards start and end of the thread
  std::mutex mutex_;  // guards the members
  std::condition_variable settled_;
  std::set<Member*> members_;
  std::atomic<std::uint64_t> changes_ = 0;
  std::atomic<bool> is_ending_ = false;
  int wake_[2] = {-1, -1};
  std::thread thread_;
  Link link_;
  Presence presence_;
  // State of the current connection, only for the thread.
  std::set<std::uint32_t> held_;  // locks
  bool must_look_ = false;
  bool trusts_peers_ = false;  // rows of peers apply to this server
  bool has_failed_ = false;    // a connection has failed since the thread began
  std::chrono::steady_clock::time_point looked_at_;
};

}  // namespace orlop::postgresql
