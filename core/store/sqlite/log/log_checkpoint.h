// When what the write-ahead log of a SQLite file holds is written into the file: a checkpoint, as SQLite calls it.
#pragma once

#include <atomic>
#include <cstdint>

#include "store/sqlite/readers.h"
#include "store/sqlite/sqlite_connection.h"

namespace orlop {

// SQLite makes its checkpoints inside the COMMIT that finds the log long, and every writer of the process waits for
// both. Here the writer passes its turn on first, and its thread makes the checkpoint on a connection of its own,
// beside which others read and write. Any thread.
class SqliteLogCheckpoint {
 public:
  // `readers` outlives this.
  explicit SqliteLogCheckpoint(SqliteReaders& readers) : readers_(readers) {}

  // Before the writer's first commit: SQLite makes none by itself any more. May throw SQLite::Exception.
  static void prepare(SqliteConnection& writing);

  // The log is so long that writers have outrun the checkpoints beside them: the next one is to be made while none of
  // them writes, by the writer's connection, which has no open transaction. Both by the writer whose turn it is.
  bool is_overdue(const SqliteLogHeader& log) noexcept;
  // The writers of other processes wait for the end of it, so that the log is begun anew however many they are. A
  // reader that still needs the log is waited for briefly: then the log may grow by a quarter before the next try.
  void make_overdue(SqliteConnection& writing, const SqliteLogHeader& log) noexcept;

  // Whether so much of the log is not in the file that one is to be made beside the writers. Any thread.
  static bool is_due(const SqliteConnection& writing) noexcept;
  // Makes it, unless another thread does; false then. What fails is left to a later commit.
  bool make_beside() noexcept;
  // What writers have added meanwhile, by the writer whose turn it is, with no open transaction: the log then begins
  // anew with the next commit. Not where it is much.
  static void make_rest(SqliteConnection& writing) noexcept;

 private:
  SqliteReaders& readers_;
  std::uint32_t overdue_at_ = 0;  // pages; of the writer whose turn it is
  std::atomic_flag is_being_made_;
};

}  // namespace orlop
