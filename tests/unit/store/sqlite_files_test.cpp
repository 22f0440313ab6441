// A store whose file, log, index or directory disappears while it is open takes no more changes, and names the missing
// file.
#include "store/sqlite/log/files.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "store/fork.h"
#include "store/open.h"
#include "store/sqlite/log/process_files.h"

namespace orlop {
namespace {

class OpenStoreFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder);
    open(path);
    ASSERT_TRUE(write());
    ASSERT_EQ(written(), 1U);  // keeps a reading connection open
  }
  void TearDown() override {
    store.reset();
    std::filesystem::remove_all(base_);
  }

  void open(const std::string& file) {
    Result<std::unique_ptr<Store>> opened = open_sqlite_store(file, Durability::normal);
    ASSERT_TRUE(opened) << opened.error().message;
    store = std::move(opened).value();
  }
  Result<void> write() {
    Changes changes;
    changes.events = {Event{}};
    ORLOP_TRY(transaction, store->begin(Access::write));
    ORLOP_CHECK(transaction->apply(changes));
    return transaction->commit();
  }
  std::uint64_t written() {
    Result<std::unique_ptr<Transaction>> reader = store->begin(Access::read);
    return reader ? (*reader)->feed_end()->sequence : 0;
  }
  void expect_refused(const std::string& file) {
    const Result<void> refused = write();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::storage_failed);
    EXPECT_EQ(refused.error().message,
              "\"" + file +
                  "\" was deleted, moved or replaced while the store was open; close the store, put the file "
                  "back and open it again");
  }

 private:
  std::filesystem::path base_ = std::filesystem::temp_directory_path() / ("orlop-lost-" + std::to_string(::getpid()));

 protected:
  std::filesystem::path folder = base_ / "here";
  std::string path = (folder / "store.db").string();
  std::unique_ptr<Store> store;
};

class LostFile : public OpenStoreFiles, public testing::WithParamInterface<const char*> {};

TEST_P(LostFile, deleted) {
  std::filesystem::remove(path + GetParam());
  expect_refused(path + GetParam());
  expect_refused(path + GetParam());
}

TEST_P(LostFile, moved_away_and_back) {
  const std::string file = path + GetParam();
  std::filesystem::rename(file, file + ".moved");
  expect_refused(file);
  std::filesystem::rename(file + ".moved", file);
  expect_refused(file);  // others may have used the file meanwhile
  EXPECT_EQ(written(), 1U);
  store.reset();
  open(path);
  EXPECT_TRUE(write());
  EXPECT_EQ(written(), 2U);
}

TEST_P(LostFile, replaced) {
  const std::string file = path + GetParam();
  std::filesystem::copy(file, file + ".copy");
  std::filesystem::rename(file + ".copy", file);
  expect_refused(file);
}

INSTANTIATE_TEST_SUITE_P(Each, LostFile, testing::Values("", "-wal", "-shm"), [](const auto& info) {
  return std::string(info.param).empty() ? "file" : std::string(info.param).substr(1);
});

TEST_F(OpenStoreFiles, the_directory_is_deleted) {
  std::filesystem::remove_all(folder);
  expect_refused(path);
}

TEST_F(OpenStoreFiles, a_directory_above_is_moved) {
  ASSERT_TRUE(write());  // the first commit always checks
  std::filesystem::rename(folder.parent_path(), folder.parent_path().string() + "-moved");
  expect_refused(path);
  std::filesystem::rename(folder.parent_path().string() + "-moved", folder.parent_path());
  expect_refused(path);
}

// Between commits without a change of the files.
TEST_F(OpenStoreFiles, the_log_is_deleted_after_many_commits) {
  for (int commit = 0; commit < 200; ++commit) ASSERT_TRUE(write());
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  ASSERT_TRUE(write());
  std::filesystem::remove(path + "-wal");
  expect_refused(path + "-wal");
}

TEST_F(OpenStoreFiles, a_reader_opens_no_other_file_in_its_place) {
  Result<std::unique_ptr<Transaction>> first = store->begin(Access::read);
  ASSERT_TRUE((*first)->feed_end());
  std::filesystem::rename(path, path + ".moved");
  EXPECT_FALSE(store->begin(Access::read));
  EXPECT_FALSE(std::filesystem::exists(path));
  ASSERT_TRUE(open_sqlite_store(path, Durability::normal));
  EXPECT_EQ(store->begin(Access::read).error().code, ErrorCode::storage_failed);
}

TEST_F(OpenStoreFiles, a_change_of_the_working_directory_moves_nothing) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder);
  open("relative.db");
  std::filesystem::current_path(before);
  EXPECT_TRUE(write());
  EXPECT_EQ(written(), 1U);
  EXPECT_FALSE(std::filesystem::exists(before / "relative.db"));
}

// The child has a copy of the descriptor, and a lock of an open file description lasts until its last copy is closed.
TEST(SqliteProcessFiles, a_child_of_fork_keeps_no_engine_of_its_parent_alive) {
  const std::string path = std::filesystem::temp_directory_path() / ("orlop-forked-" + std::to_string(::getpid()));
  std::ofstream(path) << "no store: nothing of SQLite has locks on it";
  const Id engine{{1}};
  auto parent = std::make_unique<SqliteProcessFile>();
  ASSERT_TRUE(parent->open(path, [] {}));
  ASSERT_TRUE(parent->lock().take(path));
  if (!parent->lock().hold(engine)) GTEST_SKIP() << "this system has no such locks";
  SqliteFileLock other;
  ASSERT_TRUE(other.take(path));
  EXPECT_FALSE(other.is_free(engine));
  int ready[2];
  int life[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(life), 0);
  before_store_fork();
  const pid_t child = ::fork();
  after_store_fork(child == 0);
  char none = 0;
  if (child == 0) {
    ::close(life[1]);
    (void)!::write(ready[1], "", 1);
    (void)!::read(life[0], &none, 1);  // until the test ends
    ::_exit(0);
  }
  ::close(life[0]);
  EXPECT_EQ(::read(ready[0], &none, 1), 1);
  EXPECT_FALSE(other.is_free(engine)) << "the parent lives";
  parent.reset();  // closes the descriptor, like the end of the process
  EXPECT_TRUE(other.is_free(engine));
  ::close(life[1]);
  ::waitpid(child, nullptr, 0);
  for (const int end : {ready[0], ready[1]}) ::close(end);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace orlop
