// The connections of a store, and the turn of its writers.
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

  // An idle connection, or a new one. Errors: STORAGE_BUSY (all are in use for longer than the lock timeout), and those
  // of Connection::open.
  Status take(std::unique_ptr<Connection>& connection);
  // The same, but never an idle one.
  Status take_new(std::unique_ptr<Connection>& connection);
  // Gives it back; a lost one is closed.
  void give(std::unique_ptr<Connection> connection);
  // Closes the idle ones: the server that they lead to is gone.
  void forget_idle();

  // The writers of this process wait for each other here and hold no connection meanwhile. Errors: STORAGE_BUSY.
  Status take_turn();
  void give_turn();
  // Of the writer whose turn it is: whether other threads write too, of which one may wait for it.
  bool is_turn_wanted() const { return turns_of_one_ < turns_of_one_alone; }
  // The writer has sent COMMIT and knows of no reason why it should fail: the next one begins before the server has
  // answered. reads() is by then what stands behind the commit. At most one commit is under way.
  void pass_turn();
  // The commit that is under way has ended.
  void land(bool is_kept);
  // By the writer whose turn it is: waits until no commit is under way. `is_kept`: false if one has failed since the
  // last call, and all that is known is forgotten. Errors: STORAGE_BUSY.
  Status settle(bool& is_kept);
  // By the same: whether none is under way, and none has failed since.
  bool has_landed() const;
  // Of the writer whose turn it is.
  ReadCache& reads() { return reads_; }

  const Settings& settings() const { return settings_; }

 private:
  static constexpr std::size_t kept_idle = 16;
  static constexpr int turns_of_one_alone = 32;
  Status reserve(std::unique_ptr<Connection>* idle);

  const Settings settings_;
  const std::vector<std::string> texts_;
  mutable std::mutex mutex_;  // guards the following
  std::condition_variable free_;
  std::condition_variable turn_;
  Status open(std::unique_ptr<Connection>& connection);
  Oid machine_type_ = 0;  // as the last connection of the host knew it; 0: unknown
  std::vector<std::unique_ptr<Connection>> idle_;
  std::size_t open_ = 0;  // with those in use
  std::condition_variable landed_;
  bool is_writing_ = false;
  std::thread::id writer_;     // the last one that had its turn
  int turns_of_one_ = 0;       // of the same one in a row
  bool is_under_way_ = false;  // a commit
  bool has_lost_commit_ = false;
  ReadCache reads_;  // guarded by the turn
};

}  // namespace orlop::postgresql
