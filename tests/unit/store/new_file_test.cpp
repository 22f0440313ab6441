// An opening that fails removes only a file that it made, that is empty and that is not in use. The refusals themselves
// are in tests/python/test_refused_openings.py.
#include "store/sqlite/copies/new_file.h"

#include <SQLiteCpp/Database.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "store/open.h"
#include "unit/scratch.h"

namespace orlop {
namespace {

std::unique_ptr<Store> opened(const std::string& path) {
  auto store = open_sqlite_store(path, Durability::full);
  EXPECT_TRUE(store);
  return store ? std::move(*store) : nullptr;
}

bool is_there(const std::string& path) { return std::filesystem::exists(path); }

TEST(NewSqliteFile, is_removed_with_all_that_lies_beside_it) {
  const std::string path = tests::scratch_file("new.db");
  for (const std::string& url : {path, "sqlite:" + path}) {
    const NewSqliteFile file(url);
    opened(path).reset();
    ASSERT_TRUE(is_there(path));
    file.remove();
    for (const char* ending : {"", "-wal", "-shm", "-journal"}) EXPECT_FALSE(is_there(path + ending)) << ending;
  }
}

TEST(NewSqliteFile, an_opening_that_made_none_removes_none) {
  const std::string path = tests::scratch_file("none.db");
  NewSqliteFile(path).remove();
  NewSqliteFile("memory:").remove();
  NewSqliteFile("postgresql://host/db").remove();
  EXPECT_FALSE(is_there(path));
}

TEST(NewSqliteFile, a_file_that_was_there_stays) {
  const std::string path = tests::scratch_file("old.db");
  opened(path).reset();
  const NewSqliteFile file(path);
  opened(path).reset();
  file.remove();
  EXPECT_TRUE(is_there(path));
  std::filesystem::remove(path);
  {
    SQLite::Database beside(path + "-wal", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    beside.exec("CREATE TABLE mine (a)");
  }
  const NewSqliteFile beside(path);
  beside.remove();
  EXPECT_TRUE(is_there(path + "-wal"));
  std::filesystem::remove(path + "-wal");
}

TEST(NewSqliteFile, one_that_is_in_use_stays) {
  const std::string path = tests::scratch_file("used.db");
  const NewSqliteFile file(path);
  auto store = opened(path);
  file.remove();
  ASSERT_TRUE(is_there(path));
  EXPECT_TRUE(store->begin(Access::write));
  store.reset();
  file.remove();
  EXPECT_FALSE(is_there(path));
}

TEST(NewSqliteFile, one_that_holds_something_stays) {
  for (const char* content :
       {"INSERT INTO event (sequence, at, kind, family, from_state, to_state, revision, id_count) VALUES (1, 1, 1, 1, "
        "0, 0, 1, 0)",
        "INSERT INTO record (family, parent, organization, revision, body) VALUES (1, 0, 0, 1, '{}')",
        "DROP TABLE event"}) {
    const std::string path = tests::scratch_file("full.db");
    const NewSqliteFile file(path);
    opened(path).reset();
    SQLite::Database(path, SQLite::OPEN_READWRITE).exec(content);
    file.remove();
    EXPECT_TRUE(is_there(path)) << content;
  }
  const std::string path = tests::scratch_file("full.db");
  const NewSqliteFile file(path);
  opened(path).reset();
  // The seal, which is not counted as content.
  SQLite::Database(path, SQLite::OPEN_READWRITE)
      .exec("INSERT INTO record (family, parent, organization, revision, body) VALUES (1003, 0, 0, 1, '{}')");
  file.remove();
  EXPECT_FALSE(is_there(path));
}

TEST(NewSqliteFile, what_was_restored_is_removed_unless_more_was_stored) {
  for (const int stored : {2, 3}) {
    const std::string path = tests::scratch_file("restored.db");
    const NewSqliteFile file(path);
    opened(path).reset();
    SQLite::Database database(path, SQLite::OPEN_READWRITE);
    database.exec("INSERT INTO record (family, parent, organization, revision, body) VALUES (1, 0, 0, 1, '{}')");
    for (int number = 1; number <= stored; ++number) {
      database.exec(
          "INSERT INTO event (sequence, at, kind, family, from_state, to_state, revision, id_count) VALUES (" +
          std::to_string(number) + ", 1, 1, 1, 0, 0, 1, 0)");
    }
    { const SQLite::Database ended(std::move(database)); }
    file.remove(2);
    EXPECT_EQ(is_there(path), stored > 2);
  }
}

TEST(NewSqliteFile, of_a_link_its_target_is_removed) {
  const std::string path = tests::scratch_file("target.db");
  const std::string link = tests::scratch_file("link.db");
  std::filesystem::create_symlink(path, link);
  const NewSqliteFile file(link);
  opened(link).reset();
  ASSERT_TRUE(is_there(path));
  file.remove();
  EXPECT_FALSE(is_there(path));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  std::filesystem::remove(link);
}

}  // namespace
}  // namespace orlop
