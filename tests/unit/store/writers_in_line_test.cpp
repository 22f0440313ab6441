// Writers of several processes on one SQLite file begin in turn. Each store object here represents a process: its locks
// belong to its own descriptors.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "store/open.h"
#include "store/sqlite/log/files.h"
#include "unit/scratch.h"

namespace orlop {
namespace {

class WritersInLine : public testing::Test {
 protected:
  std::unique_ptr<Store> open() const {
    auto opened = open_sqlite_store(path, Durability::normal);
    EXPECT_TRUE(opened) << opened.error().message;
    return std::move(*opened);
  }
  static std::unique_ptr<Transaction> begin(Store& store) {
    auto begun = store.begin(Access::write);
    EXPECT_TRUE(begun) << begun.error().message;
    return begun ? std::move(*begun) : nullptr;
  }
  std::string path = tests::scratch_file("writers_in_line.db");
};

// SQLite lets a waiting writer look at intervals: without turns a writer that begins again at once would always be
// first.
TEST_F(WritersInLine, one_that_waits_is_before_one_that_begins_again) {
  SqliteFileLock watch;  // destroyed after the stores, whose locks end when a descriptor of the file is closed
  SqliteFileLock probe;
  const auto busy = open();
  const auto other = open();
  ASSERT_TRUE(watch.take(path) && probe.take(path));
  if (watch.try_take_front() && probe.try_take_front()) GTEST_SKIP() << "this system has no such locks";
  watch.give_up_front();
  for (int round = 0; round < 20; ++round) {
    auto first = begin(*busy);
    std::atomic<bool> has_begun = false;
    std::thread waits([&] {
      const auto transaction = begin(*other);
      has_begun = true;
    });
    while (watch.try_take_front()) {  // until the other one is at the front
      watch.give_up_front();
      std::this_thread::yield();
    }
    first.reset();
    const auto again = begin(*busy);
    EXPECT_TRUE(has_begun);
    waits.join();
  }
}

// A process that is stopped at the front blocks the others for a limited time.
TEST_F(WritersInLine, one_that_stands_still_at_the_front_is_passed) {
  SqliteFileLock stopped;
  const auto store = open();
  ASSERT_TRUE(stopped.take(path));
  ASSERT_TRUE(stopped.try_take_front());
  EXPECT_NE(begin(*store), nullptr);
}

int pauses = 0;

int count_pause(sqlite3_vfs*, int microseconds) {
  ++pauses;
  return microseconds;
}

// The first of the others waits for it; the next ones do not until it has continued.
TEST_F(WritersInLine, one_that_stands_still_at_the_front_is_waited_for_once) {
  SqliteFileLock stopped;
  const auto store = open();
  ASSERT_TRUE(stopped.take(path));
  ASSERT_TRUE(stopped.try_take_front());
  sqlite3_vfs* const real = sqlite3_vfs_find(nullptr);
  sqlite3_vfs counting = *real;
  counting.zName = "counting-pauses";
  counting.xSleep = count_pause;
  sqlite3_vfs_register(&counting, 1);
  const auto pauses_of_a_write = [&] {
    pauses = 0;
    EXPECT_NE(begin(*store), nullptr);
    return pauses;
  };
  EXPECT_EQ(pauses_of_a_write(), 1000);
  EXPECT_EQ(pauses_of_a_write(), 0);
  EXPECT_EQ(pauses_of_a_write(), 0);
  stopped.give_up_front();
  EXPECT_EQ(pauses_of_a_write(), 0);
  ASSERT_TRUE(stopped.try_take_front());
  EXPECT_EQ(pauses_of_a_write(), 1000);
  sqlite3_vfs_unregister(&counting);
  sqlite3_vfs_register(real, 1);
}

}  // namespace
}  // namespace orlop
