// Notifies the engines that share the store when one of them has changed what it keeps for several engines. A thread
// with a connection of its own waits for the server's notifications (LISTEN), holds the locks of its engines, and looks
// for those of others; through a pooler, which passes no notifications on and keeps no locks, it looks for a new commit
// mark at intervals.
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

// The channel of a schema's notifications.
std::string channel_of(const Settings& settings);

// An engine and its callback for notifications.
struct Member {
  orlop_id engine;
  void (*notify)(void* argument);
  void* argument;
  bool is_settled = false;  // its lock is held, or it is known that there is none for now
};

class Listener {
 public:
  // `settings` outlives the listener.
  explicit Listener(const Settings& settings) : settings_(settings), presence_(settings.schema) {}
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // The first member starts the thread, the last one ends it. A member is not called any more when leave() returns.
  // Throws what starting a thread throws. Waits until the member's lock is held, for two seconds at most: the row that
  // it then writes says so, also to engines that come after its end.
  void join(Member& member);
  void leave(Member& member) noexcept;
  // Rises when something may have changed.
  std::uint64_t changes() const { return changes_; }
  // Whether it is known that the engine has ended: soon after its process did, if that held a connection of its own. It
  // becomes known with a rise of changes().
  bool has_ended(const orlop_id& engine) const { return presence_.has_ended(engine); }

 private:
  void run() noexcept;
  // Until the connection is of no use, or the thread is to end.
  void serve();
  bool connect();
  bool acquire();  // one of the host
  void listen();
  // Takes the locks of members that have joined, and releases those of others. False: the connection is of no use.
  bool hold();
  // Looks which engines are there, if there may be something to see; at intervals. False: the connection is of no use.
  bool look();
  // No lock will be held for these members soon, or theirs are: join() returns.
  void settle() noexcept;
  void settle(const std::set<std::uint32_t>& keys);
  std::set<std::uint32_t> own_keys();
  bool take_notifications();
  // The first value that `text` answers; nothing: the connection is of no use, or the thread is to end.
  std::optional<std::string> ask(const std::string& text);
  // Waits for the connection, for the thread's end, or with `or_join` for another member. False: the thread is to end,
  // or nothing came in time.
  bool wait(short events, std::optional<std::chrono::milliseconds> time, bool or_join = false);
  void notify_members();

  const Settings& settings_;
  std::mutex life_;   // guards the thread's beginning and end
  std::mutex mutex_;  // guards the members
  std::condition_variable settled_;
  std::set<Member*> members_;
  std::atomic<std::uint64_t> changes_ = 0;
  std::atomic<bool> is_ending_ = false;
  int wake_[2] = {-1, -1};
  std::thread thread_;
  Link link_;
  Presence presence_;
  // Of the connection that there is, for the thread alone.
  std::set<std::uint32_t> held_;  // locks
  bool must_look_ = false;
  bool trusts_peers_ = false;  // what their rows say of this server
  bool has_failed_ = false;    // a connection, since the thread began
  std::chrono::steady_clock::time_point looked_at_;
};

}  // namespace orlop::postgresql
