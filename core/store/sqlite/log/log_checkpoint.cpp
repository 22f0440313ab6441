#include "store/sqlite/log/log_checkpoint.h"

#include <sqlite3.h>

#include <memory>
#include <utility>

namespace orlop {
namespace {

constexpr std::uint32_t long_log = 1000;  // pages: SQLite's default for automatic checkpoints
constexpr std::uint32_t rest_max = 500;   // pages that writers of the process may wait for
// 32 MB, half of the size to which a longer log is cut (journal_size_limit)
constexpr std::uint32_t overdue_log = 8000;
constexpr std::uint32_t until_next_try = 2000;
constexpr int standstill_tries = 50;  // at 1 ms each

// Pages that a reader still needs stay in the log until a later checkpoint.
void make(SqliteConnection& connection) {
  sqlite3_wal_checkpoint_v2(connection.database().getHandle(), "main", SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
}

}  // namespace

void SqliteLogCheckpoint::prepare(SqliteConnection& writing) {
  sqlite3_wal_autocheckpoint(writing.database().getHandle(), 0);
}

bool SqliteLogCheckpoint::is_overdue(const SqliteLogHeader& log) noexcept {
  if (log.page_count() < overdue_log) overdue_at_ = overdue_log;
  return log.page_count() >= overdue_at_;
}

void SqliteLogCheckpoint::make_overdue(SqliteConnection& writing, const SqliteLogHeader& log) noexcept {
  make(writing);  // does most of the work while other processes can write
  sqlite3* const database = writing.database().getHandle();
  // Short pauses: writers in quick succession release the lock only briefly.
  sqlite3_busy_handler(
      database, [](void*, int tries) { return sqlite3_sleep(1) != 0 && tries < standstill_tries ? 1 : 0; }, nullptr);
  const int code = sqlite3_wal_checkpoint_v2(database, "main", SQLITE_CHECKPOINT_RESTART, nullptr, nullptr);
  sqlite3_busy_timeout(database, SqliteConnection::busy_wait_milliseconds);
  overdue_at_ = code == SQLITE_OK ? overdue_log : log.page_count() + until_next_try;
}

bool SqliteLogCheckpoint::is_due(const SqliteConnection& writing) noexcept { return writing.log_backlog() >= long_log; }

void SqliteLogCheckpoint::make_rest(SqliteConnection& writing) noexcept {
  if (const std::uint32_t rest = writing.log_backlog(); rest > 0 && rest <= rest_max) make(writing);
}

bool SqliteLogCheckpoint::make_beside() noexcept {
  if (is_being_made_.test_and_set(std::memory_order_acquire)) return false;
  const auto outcome = fenced([&]() -> Result<void> {
    ORLOP_TRY(connection, readers_.take());
    // A connection that has never read has not opened the log.
    (void)connection->run(SqliteQuery::data_version).step();
    // The checkpoint must wait for the disk, independent of this SQLite's default.
    connection->database().exec("PRAGMA synchronous = FULL");
    make(*connection);
    readers_.give_back(std::move(connection));
    return {};
  });
  is_being_made_.clear(std::memory_order_release);
  return outcome.ok();
}

}  // namespace orlop
