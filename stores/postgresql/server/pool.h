// Connections of a store, and the turns of its writers.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "known/read_cache.h"
#include "server/connection.h"
#include "server/settings.h"
#include "server/status.h"

namespace orlop::postgresql {

class Pool {
 public:
  explicit Pool(Settings settings) : settings_(std::move(settings)), texts_(texts_of_statements(settings_.prefix)) {
    idle_.reserve(kept_idle);
  }

  // Takes an idle connection, or opens one. Errors: STORAGE_BUSY (all are in use for longer than the lock timeout), and
  // those of Connection::open.
  Status take(std::unique_ptr<Connection>& connection);
  // Like take(), but always opens a connection.
  Status take_new(std::unique_ptr<Connection>& connection);
  // Returns a connection to the pool; a lost one is closed.
  void give(std::unique_ptr<Connection> connection);
  // Closes the idle connections: their server is gone.
  void forget_idle();

  // Waits for the turn of a writer. Writers of this process wait here without a connection. Errors: STORAGE_BUSY.
  Status take_turn();
  void give_turn();
  // Called by the writer whose turn it is. Reports whether another thread has written recently, and may wait for the
  // turn.
  bool is_turn_wanted() const { return turns_of_one_ < turns_of_one_alone; }
  // Called when the writer has sent COMMIT and expects success: the next writer begins before the server has answered.
  // reads() must already hold the state after the commit. At most one commit is under way.
  void pass_turn();
  // Called when the commit under way has ended.
  void land(bool is_kept);
  // Called by the writer whose turn it is: waits until no commit is under way. `is_kept`: false if one has failed since
  // the last call; all cached rows are then dropped. Errors: STORAGE_BUSY.
  Status settle(bool& is_kept);
  // Called by the same writer. Reports whether no commit is under way, and none has failed since settle().
  bool has_landed() const;
  // Only for the writer whose turn it is.
  ReadCache& reads() { return reads_; }

  const Settings& settings() const { return settings_; }

 private:
  static constexpr std::size_t kept_idle = 16;
  static constexpr int turns_of_one_alone = 32;
  Status reserve(std::unique_ptr<Connection>* idle);

  const Settings settings_;
  const std::vector<std::string> texts_;
  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable free_;
  std::condition_variable turn_;
  Status open(std::unique_ptr<Connection>& connection);
  Oid machine_type_ = 0;  // of the last connection of the host; 0: unknown
  std::vector<std::unique_ptr<Connection>> idle_;
  std::size_t open_ = 0;  // includes those in use
  std::condition_variable landed_;
  bool is_writing_ = false;
  std::thread::id writer_;     // last thread that had a turn
  int turns_of_one_ = 0;       // consecutive turns of that thread
  bool is_under_way_ = false;  // a commit is
  bool has_lost_commit_ = false;
  ReadCache reads_;  // guarded by the turn
};

}  // namespace orlop::postgresql
