// Checkpoints of the write-ahead log: they keep it short, and no writer waits for a checkpoint of another writer.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "model/registry.h"
#include "store/sqlite/layout/objects.h"
#include "store/sqlite/layout/schema.h"
#include "unit/store/sqlite_file.h"
#include "unit/store/watched_writes.h"

namespace orlop {
namespace {

Changes one_record(std::uint8_t number, std::size_t bytes, std::uint64_t revision = 1) {
  Changes changes;
  RecordWrite write;
  write.record.id = numbered(number);
  write.record.family = find_family("organization")->number;
  write.record.organization = write.record.id;
  write.record.revision = revision;
  write.expected_revision = revision - 1;
  write.record.body = "{\"name\":\"" + std::string(bytes, static_cast<char>('a' + revision % 26)) + "\"}";
  changes.records = {write};
  return changes;
}

constexpr std::size_t makes_a_long_log = 5'000'000;  // bytes

TEST_F(SqliteFile, others_write_while_a_checkpoint_is_made) {
  std::unique_ptr<Store> store;
  std::thread other;
  bool has_written = false;
  int written_to_the_file = 0;
  const auto write_beside = [&](int) {
    ++written_to_the_file;
    if (store == nullptr || other.joinable()) return SQLITE_OK;
    std::promise<void> written;
    std::future<void> waiting = written.get_future();
    other = std::thread([&store, written = std::move(written)]() mutable {
      put(*store, one_record(2, 10));
      written.set_value();
    });
    has_written = waiting.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
    return SQLITE_OK;
  };
  const WatchedWrites writes(SQLITE_OPEN_MAIN_DB, write_beside);
  Result<std::unique_ptr<Store>> opened = open_sqlite_store(path, Durability::full);
  ASSERT_TRUE(opened);
  store = std::move(*opened);
  put(*store, one_record(1, makes_a_long_log));
  ASSERT_TRUE(other.joinable()) << "no checkpoint was made";
  other.join();
  EXPECT_TRUE(has_written);
  // The commits in between are in the file too, so that the log restarts and the next commits have nothing to move.
  const int before = written_to_the_file;
  const auto log_size = std::filesystem::file_size(path + "-wal");
  for (std::uint64_t revision = 2; revision <= 20; ++revision) put(*store, one_record(2, 10, revision));
  EXPECT_EQ(written_to_the_file, before);
  EXPECT_EQ(std::filesystem::file_size(path + "-wal"), log_size);
  store.reset();
}

TEST_F(SqliteFile, the_log_stays_short) {
  Result<std::unique_ptr<Store>> store = open_sqlite_store(path, Durability::full);
  ASSERT_TRUE(store);
  for (std::uint8_t number = 1; number <= 60; ++number) put(**store, one_record(number, 500'000));
  EXPECT_LT(std::filesystem::file_size(path + "-wal"), 6'000'000U);
}

// Another process that writes whenever a checkpoint allows it leaves no moment in which all pages of the log are in the
// file, unless it is made to wait.
TEST_F(SqliteFile, the_log_stays_short_while_another_process_writes) {
  std::unique_ptr<SQLite::Database> other;
  std::size_t written = 0;
  std::size_t refused = 0;
  const auto write_beside = [&](int) {
    if (other != nullptr) (other->tryExec("INSERT INTO beside VALUES (1)") == SQLITE_OK ? written : refused) += 1;
    return SQLITE_OK;
  };
  const WatchedWrites writes(SQLITE_OPEN_MAIN_DB, write_beside);
  Result<std::unique_ptr<Store>> store = open_sqlite_store(path, Durability::normal);
  ASSERT_TRUE(store);
  other = std::make_unique<SQLite::Database>(path, SQLite::OPEN_READWRITE);
  other->exec("PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF; CREATE TABLE beside (number INTEGER)");
  for (std::uint64_t revision = 1; revision <= 200; ++revision) put(**store, one_record(1, 500'000, revision));
  EXPECT_GT(written, 100U);
  EXPECT_GT(refused, 0U);
  EXPECT_LT(std::filesystem::file_size(path + "-wal"), 50'000'000U);
  other.reset();
}

// A reader prevents the log from restarting for as long as it reads.
TEST_F(SqliteFile, the_log_is_begun_anew_when_a_long_read_is_over) {
  Result<std::unique_ptr<Store>> store = open_sqlite_store(path, Durability::full);
  ASSERT_TRUE(store);
  std::uint8_t number = 0;
  put(**store, one_record(++number, 10));
  {
    Result<std::unique_ptr<Transaction>> reader = (*store)->begin(Access::read);
    ASSERT_TRUE(reader);
    ASSERT_TRUE((*reader)->record(numbered(1)));
    for (int count = 0; count < 80; ++count) put(**store, one_record(++number, 500'000));
  }
  const auto longest = std::filesystem::file_size(path + "-wal");
  EXPECT_GT(longest, 40'000'000U);
  for (int count = 0; count < 40; ++count) put(**store, one_record(++number, 500'000));
  // The first of them still appended to the long log.
  EXPECT_LT(std::filesystem::file_size(path + "-wal"), longest + 1'500'000);
}

TEST_F(SqliteFile, the_definitions_of_its_objects_have_the_known_digest) {
  ASSERT_TRUE(open_sqlite_store(path, Durability::full));
  SqliteConnection connection(path, false);
  EXPECT_EQ(digest_of_objects(connection), sqlite_schema_digest)
      << "a new version of the schema has another one: write it into schema.cpp";
}

}  // namespace
}  // namespace orlop
