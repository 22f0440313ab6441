// Checkpoints: they write the pages of a SQLite file's write-ahead log into the file.
#pragma once

#include <atomic>
#include <cstdint>

#include "store/sqlite/readers.h"
#include "store/sqlite/sqlite_connection.h"

namespace orlop {

// SQLite makes checkpoints inside the COMMIT that finds the log long, and every writer of the process waits for both.
// Here the writer passes its turn first, and its thread makes the checkpoint on a separate connection, while others
// read and write. Thread-safe.
class SqliteLogCheckpoint {
 public:
  // `readers` must outlive this.
  explicit SqliteLogCheckpoint(SqliteReaders& readers) : readers_(readers) {}

  // Called before the writer's first commit: disables SQLite's automatic checkpoints. May throw SQLite::Exception.
  static void prepare(SqliteConnection& writing);

  // Reports whether the log is so long that the next checkpoint must block writers. is_overdue() and make_overdue() are
  // called by the writer whose turn it is, without an open transaction.
  bool is_overdue(const SqliteLogHeader& log) noexcept;
  // Blocks the writers of all processes, so that the log restarts in any case. Waits briefly for a reader that still
  // needs the log; after that the log may grow by a quarter before the next try.
  void make_overdue(SqliteConnection& writing, const SqliteLogHeader& log) noexcept;

  // Reports whether so many pages are not in the file yet that a checkpoint is due. Thread-safe.
  static bool is_due(const SqliteConnection& writing) noexcept;
  // Makes a checkpoint while others write. Returns false if another thread makes one, or it fails; a later commit
  // retries.
  bool make_beside() noexcept;
  // Writes the pages that writers have added during make_beside(), unless there are many; the next commit then restarts
  // the log. Called by the writer whose turn it is, without an open transaction.
  static void make_rest(SqliteConnection& writing) noexcept;

 private:
  SqliteReaders& readers_;
  std::uint32_t overdue_at_ = 0;  // pages; used by the writer whose turn it is
  std::atomic_flag is_being_made_;
};

}  // namespace orlop
