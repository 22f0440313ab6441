#include "store/sqlite/log_checkpoint.h"

#include <sqlite3.h>

#include <memory>
#include <utility>

namespace orlop {
namespace {

constexpr std::uint32_t long_log = 1000;     // pages: from here on SQLite makes checkpoints by itself
constexpr std::uint32_t overdue_log = 8000;  // 32 MB, half of what a log that was longer keeps (journal_size_limit)

}  // namespace

void SqliteLogCheckpoint::prepare(SqliteConnection& writing) { sqlite3_wal_autocheckpoint(writing.database().getHandle(), 0); }

bool SqliteLogCheckpoint::is_overdue(const SqliteLogHeader& log) { return log.page_count() >= overdue_log; }

void SqliteLogCheckpoint::make(SqliteConnection& writing) noexcept {
  // Pages that a reader still needs stay in the log, until a later one.
  sqlite3_wal_checkpoint_v2(writing.database().getHandle(), "main", SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
}

void SqliteLogCheckpoint::after_commit(const SqliteLogHeader& log) noexcept {
  if (log.page_count() < long_log || is_being_made_.test_and_set(std::memory_order_acquire)) return;
  const auto outcome = fenced([&]() -> Result<void> {
    ORLOP_TRY(connection, readers_.take());
    // A connection that has never read has not opened the log.
    (void)connection->run(SqliteQuery::data_version).step();
    connection->database().exec("PRAGMA synchronous = FULL");  // it waits for the disk, whatever this SQLite does by default
    make(*connection);
    readers_.give_back(std::move(connection));
    return {};
  });
  (void)outcome;
  is_being_made_.clear(std::memory_order_release);
}

}  // namespace orlop
