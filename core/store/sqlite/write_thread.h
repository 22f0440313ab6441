// The writing connection and its queue. Writers that wait for each other share one durable commit: a writer that
// commits while another waits passes the open SQL transaction on, and both succeed or fail with the COMMIT of the last
// one.
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
  // Bounds how long the first of a group waits for the last.
  static constexpr std::size_t group_size_max = 64;

  // Each transaction begins in the line of `lock`, `files` are checked before each durable commit, `cache` is held
  // right by each, `readers` make checkpoints after it; they outlive this. `gathers_log_writes`: COMMITs are those of
  // SqliteLogWrites.
  SqliteWriter(std::unique_ptr<SqliteConnection> connection, SqliteFileLock& lock, SqliteFiles& files,
               SqliteRowCache& cache, SqliteReaders& readers, bool gathers_log_writes = true)
      : connection_(std::move(connection)),
        lock_(lock),
        files_(files),
        cache_(cache),
        checkpoint_(readers),
        gathers_log_writes_(gathers_log_writes) {
    // The end of a transaction must also work without memory.
    for (const SqliteQuery query :
         {SqliteQuery::commit, SqliteQuery::roll_back, SqliteQuery::roll_back_to_savepoint,
          SqliteQuery::release_savepoint, SqliteQuery::mark_log, SqliteQuery::write_first_page}) {
      connection_->prepare(query);
    }
  }

  // The writers in the open SQL transaction that wait for its COMMIT.
  struct Group {
    std::size_t members = 0;
    bool ended = false;
    Result<void> outcome;
    std::condition_variable over;
  };

  // Waits for its turn. The caller owns the connection from a successful begin() to the end of commit() or roll_back().
  Result<void> begin();
  // Returns when the changes are durable or none of them is kept. Neither throws: out-of-memory is a result.
  Result<void> commit() noexcept;
  void roll_back() noexcept;

  // The parts of these, for several pieces of work in one turn. Each piece begins with enter(), and ends with keep() or
  // undo(); what is kept is durable once the group that keep() gives has ended well. Of a piece that cannot be kept
  // undo() is to be called. None but enter() throws. `members`: how many wait for the COMMIT.
  void take_turn() { turns_.take(); }
  // Whether another writer waits for its turn. Any thread.
  bool is_awaited() const { return turns_.waiting() > 0; }
  Result<void> enter(std::shared_ptr<Group> group);
  Result<std::shared_ptr<Group>> keep(std::size_t members = 1) noexcept;
  void undo() noexcept;
  // Commits what is kept, or leaves that to a writer that waits, and passes the turn. True: make_checkpoint() is due.
  bool pass_turn() noexcept;
  void make_checkpoint() noexcept;
  // Of a group that has ended, as all have whose turn was passed.
  Result<void> outcome_of(const Group& group) noexcept;

  // A number that is another one once another connection has changed the file; the last known one while a writer has
  // its turn. Waits for no one.
  Result<std::uint64_t> foreign_changes();

  // In the open transaction. May throw SQLite::Exception.
  Result<void> apply(const Changes& changes);

  SqliteConnection& connection() { return *connection_; }
  // Of the open transaction.
  SqliteKnownRows& rows() { return rows_; }

 private:
  // BEGIN IMMEDIATE, in line with the writers of other processes.
  Result<void> begin_in_line();
  // Begins a transaction on freshly read pages and rolls it back.
  Result<void> try_begin();
  // Writes the mark of the log on freshly read pages and rolls it back.
  Result<void> try_mark();
  void end_group(Result<void> outcome) noexcept;
  // After a transaction that was rolled back or has failed.
  void forget() noexcept;
  // Whether a checkpoint is due.
  bool commit_group() noexcept;
  // The COMMIT, of which the cache learns.
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
  bool is_front_stuck_ = false;  // the last writer has not come to the front of the line
  SqliteKnownRows rows_;
  SqliteStaleRows stale_;            // of the open group, and of what was rolled back in it
  std::uint32_t known_version_ = 0;  // of the file's content, at the end of the last transaction: rows_ is of it

  Turns turns_;
  std::mutex mutex_;  // guards what follows and every Group
  std::uint64_t foreign_changes_ = 0;
};

}  // namespace orlop
