// The writing connection and its queue. Waiting writers share one durable commit: a writer that commits while another
// waits passes the open SQL transaction on, and both succeed or fail with the COMMIT of the last one.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "base/result.h"
#include "store/sqlite/log/files.h"
#include "store/sqlite/log/log_checkpoint.h"
#include "store/sqlite/log/log_mark.h"
#include "store/sqlite/log/log_writes.h"
#include "store/sqlite/rows/known_rows.h"
#include "store/sqlite/rows/row_cache.h"
#include "store/sqlite/sqlite_connection.h"
#include "store/turns.h"

namespace orlop {

class SqliteWriter {
 public:
  // Bounds how long the first writer of a group waits for the last.
  static constexpr std::size_t group_size_max = 64;

  // `lock` orders the begin of transactions, `files` are checked before each durable commit, `cache` is updated by each
  // commit, `readers` make checkpoints after it; all must outlive this. `gathers_log_writes`: COMMITs use
  // SqliteLogWrites.
  SqliteWriter(std::unique_ptr<SqliteConnection> connection, SqliteFileLock& lock, SqliteFiles& files,
               SqliteRowCache& cache, SqliteReaders& readers, bool gathers_log_writes = true)
      : connection_(std::move(connection)),
        lock_(lock),
        files_(files),
        cache_(cache),
        checkpoint_(readers),
        gathers_log_writes_(gathers_log_writes) {
    // A transaction must be able to end when memory has run out.
    for (const SqliteQuery query :
         {SqliteQuery::commit, SqliteQuery::roll_back, SqliteQuery::roll_back_to_savepoint,
          SqliteQuery::release_savepoint, SqliteQuery::mark_log, SqliteQuery::write_first_page}) {
      connection_->prepare(query);
    }
  }

  // Writers in the open SQL transaction that wait for its COMMIT.
  struct Group {
    std::size_t members = 0;
    bool ended = false;
    Result<void> outcome;
    std::condition_variable over;
  };

  // Waits for its turn. The caller owns the connection from a successful begin() to the end of commit() or roll_back().
  Result<void> begin();
  // Returns when the changes are durable or none of them is kept. Neither function throws: they return out_of_memory.
  Result<void> commit() noexcept;
  void roll_back() noexcept;

  // Parts of begin(), commit() and roll_back(), for several pieces of work in one turn. Each piece begins with enter(),
  // and ends with keep(), or with undo() if it cannot be kept. Its changes are durable once the group that keep()
  // returns has ended successfully. Only enter() throws. `members`: number of writers that wait for the COMMIT.
  void take_turn() { turns_.take(); }
  // Reports whether another writer waits for its turn. Thread-safe.
  bool is_awaited() const { return turns_.waiting() > 0; }
  Result<void> enter(std::shared_ptr<Group> group);
  Result<std::shared_ptr<Group>> keep(std::size_t members = 1) noexcept;
  void undo() noexcept;
  // Commits the kept changes, or leaves the COMMIT to a waiting writer, and passes the turn. Returns true if
  // make_checkpoint() is due.
  bool pass_turn() noexcept;
  void make_checkpoint() noexcept;
  // Returns the outcome of a group that has ended, as all groups have after pass_turn().
  Result<void> outcome_of(const Group& group) noexcept;

  // Returns a number that differs after another connection has changed the file; the last known one while a writer has
  // its turn. Does not wait.
  Result<std::uint64_t> foreign_changes();

  // Applies changes in the open transaction. May throw SQLite::Exception.
  Result<void> apply(const Changes& changes);

  SqliteConnection& connection() { return *connection_; }
  // Rows as of the open transaction.
  SqliteKnownRows& rows() { return rows_; }

 private:
  // Runs BEGIN IMMEDIATE, in line with the writers of other processes.
  Result<void> begin_in_line();
  // Begins a transaction on freshly read pages and rolls it back.
  Result<void> try_begin();
  // Writes the mark of the log on freshly read pages and rolls it back.
  Result<void> try_mark();
  void end_group(Result<void> outcome) noexcept;
  // Called after a rollback or a failed transaction.
  void forget() noexcept;
  // Returns whether a checkpoint is due.
  bool commit_group() noexcept;
  // Runs COMMIT and updates the cache.
  Result<void> commit_cached() noexcept;

  std::unique_ptr<SqliteConnection> connection_;
  SqliteFileLock& lock_;
  SqliteFiles& files_;
  SqliteRowCache& cache_;
  SqliteLogCheckpoint checkpoint_;
  SqliteLogWrites log_writes_;
  const bool gathers_log_writes_;
  SqliteLogMark log_mark_;
  std::shared_ptr<Group> group_;  // of the writer whose turn it is
  bool has_savepoint_ = false;
  bool is_front_stuck_ = false;  // the last writer did not reach the front of the line
  SqliteKnownRows rows_;
  SqliteStaleRows stale_;            // of the open group, including changes rolled back in it
  std::uint32_t known_version_ = 0;  // data_version() at the end of the last transaction; rows_ is valid for it

  Turns turns_;
  std::mutex mutex_;  // guards the members below and every Group
  std::uint64_t foreign_changes_ = 0;
};

}  // namespace orlop
