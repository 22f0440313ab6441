// The frames of a commit are written in few pieces, and SQLite, another connection and a new process read the same as
// without.
#include "store/sqlite/log/log_writes.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "unit/store/sqlite_file.h"
#include "unit/store/watched_writes.h"

namespace orlop {
namespace {

using Content = std::map<std::int64_t, std::string>;

// Pages: larger changes are written to the log before their COMMIT.
constexpr const char* small_cache = "PRAGMA cache_size = 10";

Content content_of(SQLite::Database& database) {
  Content content;
  SQLite::Statement rows(database, "SELECT key, text FROM entry ORDER BY key");
  while (rows.executeStep()) content[rows.getColumn(0).getInt64()] = rows.getColumn(1).getString();
  return content;
}

class LogWrites : public SqliteFile {
 protected:
  void open() {
    connection = std::make_unique<SqliteConnection>(path, true);
    connection->database().execAndGet("PRAGMA journal_mode = WAL");
    connection->database().execAndGet("PRAGMA wal_autocheckpoint = 0");
    connection->database().exec(small_cache);
    connection->database().exec("CREATE TABLE entry (key INTEGER PRIMARY KEY, text TEXT NOT NULL)");
    ASSERT_TRUE(connection->prepare_log_header());
  }
  void TearDown() override {
    connection.reset();
    SqliteFile::TearDown();
  }

  void write(std::int64_t key, const std::string& text, Content& content) {
    SQLite::Statement statement(connection->database(), "INSERT OR REPLACE INTO entry VALUES (?1, ?2)");
    statement.bind(1, key);
    statement.bind(2, text);
    statement.exec();
    content[key] = text;
  }
  Result<void> commit() { return writes.commit(*connection); }

  // Returns the contents that a program finds after a crash in the file and its log.
  Content after_a_crash() {
    const std::string copy = path + "-copy.db";
    for (const char* ending : {"", "-wal"})
      std::filesystem::copy_file(path + ending, copy + ending, std::filesystem::copy_options::overwrite_existing);
    Content content;
    {
      SQLite::Database database(copy, SQLite::OPEN_READWRITE);
      EXPECT_EQ(database.execAndGet("PRAGMA integrity_check").getString(), "ok");
      content = content_of(database);
    }
    for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(copy + ending);
    return content;
  }

  std::unique_ptr<SqliteConnection> connection;
  SqliteLogWrites writes;
};

TEST_F(LogWrites, leave_what_sqlite_would_leave) {
  for (const char* synchronous : {"PRAGMA synchronous = NORMAL", "PRAGMA synchronous = FULL"}) {
    std::filesystem::remove(path);
    open();
    connection->database().exec(synchronous);
    SQLite::Database other(path, SQLite::OPEN_READWRITE);
    other.execAndGet("PRAGMA wal_autocheckpoint = 0");
    std::mt19937_64 random(7);
    const auto below = [&random](std::uint64_t bound) { return random() % bound; };
    Content stored;
    for (int turn = 0; turn < 200; ++turn) {
      Content changed = stored;
      connection->database().exec("BEGIN IMMEDIATE");
      const std::uint64_t changes = below(10) == 0 ? 400 : 1 + below(8);
      for (std::uint64_t change = 0; change < changes; ++change) {
        write(static_cast<std::int64_t>(below(300)), std::string(below(2000), static_cast<char>('a' + below(26))),
              changed);
      }
      if (below(4) == 0) {
        connection->database().exec("ROLLBACK");
        // Its frames replace those that were rolled back.
        SQLite::Statement statement(other, "INSERT OR REPLACE INTO entry VALUES (?1, 'of another')");
        statement.bind(1, static_cast<std::int64_t>(below(300)));
        statement.exec();
        stored = content_of(other);
      } else {
        ASSERT_TRUE(commit());
        stored = changed;
      }
      ASSERT_EQ(content_of(other), stored) << turn;
      if (turn % 5 == 0) { ASSERT_EQ(after_a_crash(), stored) << turn; }
      if (below(20) == 0) connection->database().execAndGet("PRAGMA wal_checkpoint(RESTART)");
    }
    connection.reset();
  }
}

TEST_F(LogWrites, that_fail_leave_nothing) {
  int left = -1;  // writes until one fails; negative: none fails
  const WatchedWrites watched(SQLITE_OPEN_WAL, [&left](int) { return left-- == 0 ? SQLITE_FULL : SQLITE_OK; });
  open();
  connection->database().exec("PRAGMA cache_size = -8192");  // kibibytes: all frames are written at COMMIT
  SQLite::Database other(path, SQLite::OPEN_READWRITE);
  Content stored;
  int failures = 0;
  for (int fails_at = 0;; ++fails_at) {
    Content changed = stored;
    connection->database().exec("BEGIN IMMEDIATE");
    for (std::int64_t key = 0; key < 6; ++key)
      write(key, std::string(90'000, static_cast<char>('a' + fails_at)), changed);
    left = fails_at;
    const Result<void> committed = commit();
    const bool has_failed = left < 0;
    left = -1;
    ASSERT_EQ(static_cast<bool>(committed), !has_failed);
    if (!has_failed) {
      EXPECT_EQ(content_of(other), changed);
      break;
    }
    ++failures;
    if (connection->in_transaction()) connection->database().exec("ROLLBACK");
    ASSERT_EQ(content_of(other), stored);
    other.exec("INSERT OR REPLACE INTO entry VALUES (100, 'of another " + std::to_string(fails_at) + "')");
    stored = content_of(other);
    ASSERT_EQ(after_a_crash(), stored);
  }
  EXPECT_GT(failures, 3);
  connection.reset();  // before the watched files
}

// The files are not those of the operating system itself: only an explicit option gathers the writes to them.
class GatheredLogWrites : public LogWrites, public testing::WithParamInterface<orlop::LogWrites> {};

TEST_P(GatheredLogWrites, of_a_commit_are_few) {
  std::vector<int> sizes;
  const WatchedWrites watched(SQLITE_OPEN_WAL, [&sizes](int size) {
    sizes.push_back(size);
    return SQLITE_OK;
  });
  Result<std::unique_ptr<Store>> store = open_sqlite_store(path, Durability::full, 0, GetParam());
  ASSERT_TRUE(store);
  for (std::uint8_t number = 1; number <= 3; ++number) {
    Changes changes;
    RecordWrite record;
    record.record.id = numbered(number);
    record.record.family = 1;
    record.record.organization = record.record.id;
    record.record.revision = 1;
    record.record.body = number == 3 ? std::string(1'000'000, 'x') : "{}";
    changes.records = {record};
    changes.events = {Event{}};
    sizes.clear();
    put(**store, changes);
    if (number == 2) {
      if (GetParam() == orlop::LogWrites::gathered) {
        ASSERT_EQ(sizes.size(), 1U);
        EXPECT_GT(sizes.front(), 4 * 4096);
      } else {
        EXPECT_GT(sizes.size(), 4U);
        EXPECT_LE(*std::ranges::max_element(sizes), 4096);
      }
    }
  }
  if (GetParam() == orlop::LogWrites::gathered) { EXPECT_LT(sizes.size(), 20U) << "pieces of a megabyte"; }
}

INSTANTIATE_TEST_SUITE_P(Each, GatheredLogWrites,
                         testing::Values(orlop::LogWrites::gathered, orlop::LogWrites::automatic,
                                         orlop::LogWrites::single),
                         [](const auto& info) {
                           return info.param == orlop::LogWrites::gathered    ? "gathered"
                                  : info.param == orlop::LogWrites::automatic ? "automatic"
                                                                              : "single";
                         });

// A log that records its calls.
struct NotedLog : sqlite3_file {
  NotedLog() : sqlite3_file{&methods} {}

  static std::string& notes_of(sqlite3_file* file) { return static_cast<NotedLog*>(file)->notes; }
  static int read(sqlite3_file* file, void*, int, sqlite3_int64) { return notes_of(file) += "read ", SQLITE_OK; }
  static int write(sqlite3_file* file, const void*, int size, sqlite3_int64 offset) {
    return notes_of(file) += "write " + std::to_string(size) + " at " + std::to_string(offset) + " ", SQLITE_OK;
  }
  static int truncate(sqlite3_file* file, sqlite3_int64) { return notes_of(file) += "truncate ", SQLITE_OK; }
  static int sync(sqlite3_file* file, int) { return notes_of(file) += "sync ", SQLITE_OK; }
  static int size(sqlite3_file* file, sqlite3_int64*) { return notes_of(file) += "size ", SQLITE_OK; }

  // Writes the frame of a page of 512 bytes.
  void frame(std::int64_t offset, bool is_last = false) {
    std::string header(24, '\0');
    header[7] = is_last ? 9 : 0;
    EXPECT_EQ(pMethods->xWrite(this, header.data(), 24, offset), SQLITE_OK);
    EXPECT_EQ(pMethods->xWrite(this, std::string(512, 'x').data(), 512, offset + 24), SQLITE_OK);
  }
  std::string taken() { return std::exchange(notes, {}); }

  static inline const sqlite3_io_methods methods = {1,       nullptr, read,    write,   truncate, sync,    size,
                                                    nullptr, nullptr, nullptr, nullptr, nullptr,  nullptr, nullptr,
                                                    nullptr, nullptr, nullptr, nullptr, nullptr};
  std::string notes;
};

TEST(LogWriting, puts_frames_together_and_all_else_behind_them) {
  NotedLog log;
  SqliteLogWrites writes;
  const auto during = [&](const auto& act) {
    writes.begin(&log);
    act();
    writes.end(&log);
    EXPECT_EQ(log.pMethods, &NotedLog::methods);
    return log.taken();
  };
  sqlite3_int64 size = 0;
  const auto three_frames = [&] { log.frame(32), log.frame(568), log.frame(1104, true); };
  EXPECT_EQ(during(three_frames), "write 1608 at 32 ");
  EXPECT_EQ(during([&] { log.frame(32), log.pMethods->xSync(&log, 0), log.frame(568, true); }),
            "write 536 at 32 sync write 536 at 568 ");
  // A restarted log: its header.
  EXPECT_EQ(during([&] { log.pMethods->xWrite(&log, std::string(32, 'h').data(), 32, 0), three_frames(); }),
            "write 32 at 0 write 1608 at 32 ");
  const std::string passed_on = "write 24 at 568 write 512 at 592 ";
  EXPECT_EQ(during([&] { log.frame(32), log.pMethods->xRead(&log, &size, 8, 0), log.frame(568); }),
            "write 536 at 32 read " + passed_on);
  EXPECT_EQ(during([&] { log.frame(32), log.pMethods->xTruncate(&log, 0), log.frame(568); }),
            "write 536 at 32 truncate " + passed_on);
  EXPECT_EQ(during([&] { log.frame(32), log.pMethods->xFileSize(&log, &size), log.frame(568); }),
            "write 536 at 32 size " + passed_on);
  EXPECT_EQ(during([&] { log.frame(32), log.frame(5680), log.frame(568); }),
            "write 536 at 32 write 24 at 5680 write 512 at 5704 " + passed_on);
  // A COMMIT that has failed, and the next one.
  EXPECT_EQ(during([&] { log.frame(32), log.frame(568); }), "");
  EXPECT_EQ(during([&] { log.frame(32, true); }), "write 536 at 32 ");
}

TEST_F(LogWrites, without_a_log_are_those_of_sqlite) {
  SqliteConnection plain(path, true);
  plain.database().exec("CREATE TABLE entry (key INTEGER PRIMARY KEY, text TEXT NOT NULL)");
  plain.database().exec("BEGIN IMMEDIATE");
  plain.database().exec("INSERT INTO entry VALUES (1, 'x')");
  ASSERT_TRUE(writes.commit(plain));
  EXPECT_EQ(content_of(plain.database()), (Content{{1, "x"}}));
}

}  // namespace
}  // namespace orlop
