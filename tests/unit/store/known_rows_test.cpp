// The rows that the writing connection caches equal those of the file: after its own changes, after a rollback, and
// after another connection's changes.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "unit/store/sqlite_file.h"

namespace orlop {
namespace {

constexpr FamilyNumber known_family = 31;

class KnownRows : public SqliteFile {
 protected:
  void SetUp() override {
    SqliteFile::SetUp();
    store = open();
    Changes changes;
    changes.records = {written("first", 0)};
    changes.machines = {moved(1, 1)};
    changes.events = {Event{}};
    ASSERT_TRUE(write(*store, changes));
    ASSERT_EQ(seen(*store), "first 1 1");
  }
  void TearDown() override {
    store.reset();
    SqliteFile::TearDown();
  }

  std::unique_ptr<Store> open() const {
    Result<std::unique_ptr<Store>> opened = open_sqlite_store(path, Durability::normal);
    EXPECT_TRUE(opened) << opened.error().message;
    return std::move(opened).value();
  }
  static RecordWrite written(const std::string& body, std::uint64_t expected) {
    RecordWrite write;
    write.record = {numbered(1), known_family, {}, {}, expected + 1, body, {}};
    write.expected_revision = expected;
    return write;
  }
  static Machine moved(std::uint64_t revision, std::uint8_t state) {
    Machine machine;
    machine.id = numbered(1);
    machine.family = known_family;
    machine.revision = revision;
    machine.state = state;
    return machine;
  }
  static Changes second_change() {
    Changes changes;
    changes.records = {written("second", 1)};
    changes.machines = {moved(2, 7)};
    changes.events = {Event{}, Event{}};
    return changes;
  }
  static Result<void> write(Store& to, const Changes& changes) {
    ORLOP_TRY(transaction, to.begin(Access::write));
    ORLOP_CHECK(transaction->apply(changes));
    return transaction->commit();
  }
  // Returns the record's text, the machine's state and the number of events, as a write transaction sees them.
  static std::string seen(Transaction& transaction) {
    const Shared<Record> record = transaction.record(numbered(1)).value();
    const Shared<Machine> machine = transaction.machine(numbered(1)).value();
    return (record ? record->body : "none") + " " + (machine ? std::to_string(machine->state) : "none") + " " +
           std::to_string(transaction.feed_end().value().sequence);
  }
  static std::string seen(Store& in) {
    const auto transaction = in.begin(Access::write).value();
    std::string found = seen(*transaction);
    EXPECT_TRUE(transaction->commit());  // a rollback would clear the cache
    return found;
  }

  std::unique_ptr<Store> store;
};

TEST_F(KnownRows, FollowAChangeOfTheirOwn) {
  ASSERT_TRUE(write(*store, second_change()));
  EXPECT_EQ(seen(*store), "second 7 3");
}

TEST_F(KnownRows, FollowAChangeWithinItsTransaction) {
  const auto transaction = store->begin(Access::write).value();
  EXPECT_EQ(seen(*transaction), "first 1 1");
  ASSERT_TRUE(transaction->apply(second_change()));
  EXPECT_EQ(seen(*transaction), "second 7 3");
}

TEST_F(KnownRows, AreForgottenWithATransactionThatIsRolledBack) {
  {
    const auto transaction = store->begin(Access::write).value();
    ASSERT_TRUE(transaction->apply(second_change()));
    EXPECT_EQ(seen(*transaction), "second 7 3");
  }
  EXPECT_EQ(seen(*store), "first 1 1");
}

TEST_F(KnownRows, AreForgottenWithATransactionThatFails) {
  Changes changes = second_change();
  changes.machines = {moved(2, 9), moved(9, 9)};  // the second one has an outdated revision
  ASSERT_EQ(write(*store, changes).error().code, ErrorCode::lost_update);
  EXPECT_EQ(seen(*store), "first 1 1");
}

TEST_F(KnownRows, AreForgottenWhereAnotherConnectionWrote) {
  const std::unique_ptr<Store> other = open();
  ASSERT_TRUE(write(*other, second_change()));
  EXPECT_EQ(seen(*store), "second 7 3");
  Changes third;
  third.records = {written("third", 2)};
  third.machines = {moved(3, 8)};
  ASSERT_TRUE(write(*store, third));
  EXPECT_EQ(seen(*other), "third 8 3");
}

TEST_F(KnownRows, GoWithAnErasure) {
  Changes changes;
  changes.erasures = {numbered(1)};
  ASSERT_TRUE(write(*store, changes));
  EXPECT_EQ(seen(*store), "none none 1");
}

TEST_F(KnownRows, OfARestoreAreThoseThatWerePutBack) {
  Changes changes = second_change();
  changes.erasures = {numbered(1)};
  changes.records = {written("restored", 0)};
  changes.machines = {moved(5, 4)};
  changes.is_restore = true;
  ASSERT_TRUE(write(*store, changes));
  EXPECT_EQ(seen(*store), "restored 4 3");
}

}  // namespace
}  // namespace orlop
