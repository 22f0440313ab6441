// Index of the events of a request, a subject and an organization: one row for consecutive events, removed with them.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "unit/store/sqlite_file.h"

namespace orlop {
namespace {

class EventRuns : public SqliteFile {
 protected:
  void SetUp() override {
    SqliteFile::SetUp();
    store = open_sqlite_store(path, Durability::normal).value();
  }
  void TearDown() override {
    store.reset();
    SqliteFile::TearDown();
  }

  // Six events of request 9, two about each of the subjects 1, 2 and 3.
  static Changes six_events() {
    Changes changes;
    for (std::uint8_t at = 0; at < 6; ++at) {
      Event& event = changes.events.emplace_back();
      event.subject = numbered(static_cast<std::uint8_t>(1 + at / 2));
      event.request = numbered(9);
    }
    return changes;
  }
  void write(const Changes& changes) {
    const auto transaction = store->begin(Access::write).value();
    ASSERT_TRUE(transaction->apply(changes));
    ASSERT_TRUE(transaction->commit());
  }
  void forget(std::uint32_t count) {
    Changes changes;
    changes.forgotten_events = count;
    write(changes);
  }
  std::string runs() const {
    return SQLite::Database(path)
        .execAndGet("SELECT group_concat(way || ':' || first || '-' || last, ' ') FROM event_run")
        .getString();
  }
  std::vector<std::uint64_t> found(const EventRange& range) const {
    std::vector<std::uint64_t> numbers;
    const auto transaction = store->begin(Access::read).value();
    EXPECT_TRUE(
        transaction->events(range, [&](const Event& event) { return numbers.push_back(event.sequence), true; }));
    return numbers;
  }

  std::unique_ptr<Store> store;
};

TEST_F(EventRuns, AreOneRowForEventsThatFollowEachOther) {
  write(six_events());
  EXPECT_EQ(runs(), "2:1-6 3:1-2 3:3-4 3:5-6");
  write(six_events());
  EXPECT_EQ(runs(), "2:1-6 2:7-12 3:1-2 3:7-8 3:3-4 3:9-10 3:5-6 3:11-12");
  EXPECT_EQ(found({.subject = numbered(2)}), (std::vector<std::uint64_t>{3, 4, 9, 10}));
}

TEST_F(EventRuns, AreReadFromTheirMiddle) {
  write(six_events());
  write(six_events());
  const EventRange range = {.after = 2, .before = 10, .request = numbered(9)};
  EXPECT_EQ(found(range), (std::vector<std::uint64_t>{3, 4, 5, 6, 7, 8, 9}));
  EventRange newest = range;
  newest.order = EventRange::Order::newest_first;
  newest.limit = 5;
  EXPECT_EQ(found(newest), (std::vector<std::uint64_t>{9, 8, 7, 6, 5}));
  EXPECT_EQ(found({.after = 6, .request = numbered(9), .limit = 2}), (std::vector<std::uint64_t>{7, 8}));
}

TEST_F(EventRuns, GoWithTheirEvents) {
  write(six_events());
  write(six_events());
  forget(3);
  EXPECT_EQ(runs(), "2:4-6 2:7-12 3:7-8 3:4-4 3:9-10 3:5-6 3:11-12");
  forget(5);
  EXPECT_EQ(runs(), "2:9-12 3:9-10 3:11-12");
  forget(100);
  EXPECT_EQ(runs(), "2:12-12 3:12-12");
  EXPECT_EQ(found({.request = numbered(9)}), std::vector<std::uint64_t>{12});
}

TEST_F(EventRuns, OfARestoreHaveTheNumbersThatItKeeps) {
  Changes changes = six_events();
  changes.is_restore = true;
  changes.events.front().sequence = 100;
  write(changes);
  EXPECT_EQ(runs(), "2:100-105 3:100-101 3:102-103 3:104-105");
}

}  // namespace
}  // namespace orlop
