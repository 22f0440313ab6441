// The one connection that writes, and the queue in front of it. Writers that wait for each other share one durable commit: who
// commits while another waits hands the open SQL transaction on, and both succeed or fail with the last one's COMMIT.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>

#include "base/result.h"
#include "store/sqlite_connection.h"
#include "store/sqlite_files.h"

namespace orlop {

class SqliteWriter {
 public:
  // `files` are looked at before each durable commit, and outlive this.
  SqliteWriter(std::unique_ptr<SqliteConnection> connection, SqliteFiles& files) : connection_(std::move(connection)), files_(files) {
    // What ends a transaction must do so when memory has run out, too.
    for (const Query query : {Query::commit, Query::roll_back, Query::roll_back_to_savepoint, Query::release_savepoint}) {
      connection_->prepare(query);
    }
  }

  // Waits for its turn. Between a begin() that succeeded and the end of commit() or roll_back(), the connection is the caller's.
  Result<void> begin();
  // Returns when the changes are durable, or when nothing of them is kept. Neither throws: memory that runs out is an outcome.
  Result<void> commit() noexcept;
  void roll_back() noexcept;

  SqliteConnection& connection() { return *connection_; }

 private:
  // Who is in the open SQL transaction and waits for its COMMIT.
  struct Group {
    std::size_t members = 0;
    bool ended = false;
    Result<void> outcome;
    std::condition_variable over;
  };

  // Begins on pages that are read anew, and rolls back.
  Result<void> try_begin();
  void take_turn();
  void pass_turn(const std::unique_lock<std::mutex>& lock);
  Result<void> end_group(Result<void> outcome) noexcept;
  Result<void> commit_group() noexcept;

  std::unique_ptr<SqliteConnection> connection_;
  SqliteFiles& files_;
  std::shared_ptr<Group> group_;  // of whoever has the turn
  bool has_savepoint_ = false;

  std::mutex mutex_;  // over what follows, and every Group
  std::condition_variable turn_;
  bool taken_ = false;
  std::size_t waiting_ = 0;
};

}  // namespace orlop
