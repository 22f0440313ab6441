// The rows that readers of an SQLite file cache equal those of the file: the cache alone, and stores that share a file.
#include "store/sqlite/rows/row_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "unit/store/sqlite_file.h"

namespace orlop {
namespace {

constexpr FamilyNumber cached_family = 31;

SqliteLogHeader header_of(std::uint32_t commits, std::uint32_t content = 0) {
  SqliteLogHeader header;
  header.words[2] = commits;
  header.words[6] = content;
  return header;
}

Shared<Record> shared(std::uint8_t last, const std::string& body, const Id& parent = {}) {
  return Shared<Record>(Record{numbered(last), cached_family, parent, {}, 1, body, {}});
}

RecordRange below(const Id& parent, FamilyNumber of = cached_family) {
  RecordRange range;
  range.key = parent;
  range.family = of;
  return range;
}

RecordWrite row_written(std::uint8_t last, const std::string& body, std::uint64_t expected, const Id& parent = {}) {
  RecordWrite write;
  write.record = {numbered(last), cached_family, parent, {}, expected + 1, body, {}};
  write.expected_revision = expected;
  return write;
}

Machine moved(std::uint8_t last, std::uint64_t revision, std::uint8_t state) {
  Machine machine;
  machine.id = numbered(last);
  machine.family = cached_family;
  machine.revision = revision;
  machine.state = state;
  return machine;
}

// A cache at the header of one commit, with records 1 and 2 below 9, the list of both, and machine 1.
class RowCache : public testing::Test {
 protected:
  void SetUp() override {
    first = *cache.enter(header_of(1));
    cache.put(first, below(numbered(9)), {shared(1, "one", numbered(9)), shared(2, "two", numbered(9))});
    cache.put(first, Shared<Machine>(moved(1, 1, 4)));
    ASSERT_EQ(known(first), "one two list machine");
  }

  std::string known(SqliteRowCache::Generation generation) const {
    std::string found;
    for (std::uint8_t last = 1; last <= 2; ++last) {
      const auto record = cache.record(generation, numbered(last));
      found += (record ? record->body : "-") + " ";
    }
    return found + (cache.records(generation, below(numbered(9))) ? "list " : "- ") +
           (cache.machine(generation, numbered(1)) ? "machine" : "-");
  }

  // Applies the commit after the first one.
  void commit(const Changes& changes, bool moves = false) {
    SqliteStaleRows stale;
    stale.add(changes);
    if (moves) stale.add_move();
    cache.begin_change();
    cache.end_change(header_of(1), header_of(2), stale);
  }
  std::string known_after(const Changes& changes, bool moves = false) {
    commit(changes, moves);
    return known(*cache.enter(header_of(2)));
  }

  SqliteRowCache cache;
  SqliteRowCache::Generation first = 0;
};

TEST_F(RowCache, ForgetsOnlyTheRecordThatAnEditChanges) {
  Changes changes;
  changes.records = {row_written(1, "new", 1, numbered(9))};
  EXPECT_EQ(known_after(changes), "- two - -");
}

TEST_F(RowCache, ForgetsOnlyTheMachineThatMoves) {
  Changes changes;
  changes.machines = {moved(2, 2, 5)};
  EXPECT_EQ(known_after(changes), "one - - machine");
}

TEST_F(RowCache, ForgetsTheListThatANewRecordJoins) {
  Changes changes;
  changes.records = {row_written(3, "three", 0, numbered(9))};
  EXPECT_EQ(known_after(changes), "one two - machine");
}

TEST_F(RowCache, KeepsTheListThatANewRecordDoesNotJoin) {
  Changes changes;
  changes.records = {row_written(3, "three", 0, numbered(8))};
  EXPECT_EQ(known_after(changes), "one two list machine");
}

TEST_F(RowCache, ForgetsAListOfAnyFamilyThatANewRecordJoins) {
  cache.put(first, below(numbered(9), 0), {shared(1, "one", numbered(9))});
  Changes changes;
  changes.records = {row_written(3, "three", 0, numbered(9))};
  commit(changes);
  EXPECT_FALSE(cache.records(*cache.enter(header_of(2)), below(numbered(9), 0)));
}

TEST_F(RowCache, ForgetsEveryListWithAnErasure) {
  Changes changes;
  changes.erasures = {numbered(7)};
  EXPECT_EQ(known_after(changes), "one two - machine");
}

TEST_F(RowCache, ForgetsEveryListWithAMove) { EXPECT_EQ(known_after({}, true), "one two - machine"); }

TEST_F(RowCache, AListIsThatOfItsRangeAlone) {
  RecordRange range = below(numbered(9));
  range.limit = 2;
  EXPECT_FALSE(cache.records(first, range));
  range = below(numbered(9));
  range.after = numbered(1);
  EXPECT_FALSE(cache.records(first, range));
  EXPECT_FALSE(cache.records(first, below(numbered(9), cached_family + 1)));
}

TEST_F(RowCache, ForgetsAllAfterACommitOfAnotherProcess) { EXPECT_EQ(known(*cache.enter(header_of(2, 7))), "- - - -"); }

TEST_F(RowCache, ForgetsAllIfAnotherProcessCommittedBefore) {
  cache.begin_change();
  cache.end_change(header_of(2), header_of(3), {});  // the cached rows belong to header 1
  EXPECT_EQ(known(*cache.enter(header_of(3))), "- - - -");
}

TEST_F(RowCache, ForgetsAllIfAnotherProcessCommittedRightAfter) {
  cache.begin_change();
  cache.end_change(header_of(1), header_of(3), {});
  EXPECT_EQ(known(*cache.enter(header_of(3))), "- - - -");
}

TEST_F(RowCache, KeepsAllAfterACommitThatChangesNothing) {
  cache.begin_change();
  cache.end_change(header_of(1), header_of(1), {});
  EXPECT_EQ(known(*cache.enter(header_of(1))), "one two list machine");
}

TEST_F(RowCache, ForgetsAllIfACommitFails) {
  cache.begin_change();
  cache.end_change(header_of(1), std::nullopt, {});
  EXPECT_EQ(known(*cache.enter(header_of(1))), "- - - -");
}

TEST_F(RowCache, IsEnteredByNoOneWhileItChanges) {
  cache.begin_change();
  EXPECT_TRUE(cache.enter(header_of(1)));  // the commit is not complete yet
  EXPECT_FALSE(cache.enter(header_of(2)));
  cache.end_change(header_of(1), header_of(2), {});
  EXPECT_TRUE(cache.enter(header_of(2)));
}

TEST_F(RowCache, AnEarlierGenerationNeitherReadsNorPuts) {
  Changes changes;
  changes.records = {row_written(1, "new", 1, numbered(9))};
  commit(changes);
  EXPECT_EQ(known(first), "- - - -");
  cache.put(first, shared(1, "old"));
  EXPECT_EQ(known(*cache.enter(header_of(2))), "- two - -");
}

TEST_F(RowCache, ForgetsAllWithACommitOfThousandsOfRows) {
  Changes changes;
  changes.machines.assign(5000, moved(8, 2, 5));
  EXPECT_EQ(known_after(changes), "- - - -");
}

TEST_F(RowCache, ForgetsEveryNameWithARenameAndWithAnErasure) {
  Changes creation;
  creation.records = {row_written(3, "three", 0)};
  creation.records[0].name_key = "third";
  Changes edit;
  edit.records = {row_written(1, "new", 1)};
  Changes rename = edit;
  rename.records[0].name_key = "other";
  Changes erasure;
  erasure.erasures = {numbered(7)};
  std::uint32_t commits = 1;
  const auto is_known_after = [&](const Changes& changes) {
    cache.put(*cache.enter(header_of(commits)), "first", numbered(1));
    SqliteStaleRows stale;
    stale.add(changes);
    cache.begin_change();
    cache.end_change(header_of(commits), header_of(commits + 1), stale);
    return cache.find(*cache.enter(header_of(++commits)), "first").has_value();
  };
  EXPECT_TRUE(is_known_after(creation));
  EXPECT_TRUE(is_known_after(edit));
  EXPECT_FALSE(is_known_after(rename));
  EXPECT_FALSE(is_known_after(erasure));
}

TEST(Recent, KeepsWhatIsUsedWithinItsBytes) {
  Recent<int, std::string> recent(100'000);
  for (int key = 0; key < 10'000; ++key) {
    recent.put(key, std::to_string(key), 1000);
    EXPECT_NE(recent.find(0), nullptr) << key;
  }
  int kept = 0;
  for (int key = 0; key < 10'000; ++key) kept += recent.find(key) != nullptr ? 1 : 0;
  EXPECT_GE(kept, 40);
  EXPECT_LE(kept, 100);
  EXPECT_EQ(*recent.find(9'999), "9999");
}

TEST(Recent, KeepsNothingThatIsTooLarge) {
  Recent<int, std::string> recent(100'000);
  recent.put(1, "small", 1000);
  recent.put(2, "large", 60'000);
  EXPECT_EQ(recent.find(2), nullptr);
  recent.put(1, "large", 60'000);
  EXPECT_EQ(recent.find(1), nullptr);  // the earlier value is removed too
}

// Two stores on one file: each reads the commits of the other.
class CachedReads : public SqliteFile {
 protected:
  void SetUp() override {
    SqliteFile::SetUp();
    store = open();
    Changes changes;
    changes.records = {row_written(9, "parent", 0), row_written(1, "one", 0, numbered(9))};
    changes.records[1].name_key = "first";
    changes.machines = {moved(1, 1, 1)};
    changes.events = {Event{}};
    put(*store, changes);
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

  static std::string texts_below(Transaction& transaction, const Id& parent) {
    std::string texts;
    EXPECT_TRUE(transaction.records(below(parent), [&](const Record& record) {
      texts += record.body + " ";
      return true;
    }));
    return texts;
  }
  static std::string texts_below(Store& in, const Id& parent) {
    std::string found;
    EXPECT_TRUE(in.read([&](std::unique_ptr<Transaction> transaction) -> Result<void> {
      found = texts_below(*transaction, parent);
      return {};
    }));
    return found;
  }
  // Returns the texts below the parent, the first one again by its name, and the state of its machine.
  static std::string seen(Transaction& transaction) {
    const std::string texts = texts_below(transaction, numbered(9));
    const auto named = transaction.find("first").value();
    const auto record = transaction.record(named.value_or(numbered(1))).value();
    const auto machine = transaction.machine(numbered(1)).value();
    return texts + (record ? record->body : "-") + " " + (machine ? std::to_string(machine->state) : "-");
  }
  static std::string seen(Store& in) {
    std::string found;
    EXPECT_TRUE(in.read([&](std::unique_ptr<Transaction> transaction) -> Result<void> {
      found = seen(*transaction);
      return {};
    }));
    return found;
  }

  std::unique_ptr<Store> store;
};

TEST_F(CachedReads, FollowEachChangeOfTheirOwnStore) {
  EXPECT_EQ(seen(*store), "one one 1");
  EXPECT_EQ(seen(*store), "one one 1");
  Changes changes;
  changes.records = {row_written(1, "uno", 1, numbered(9)), row_written(2, "two", 0, numbered(9))};
  changes.machines = {moved(1, 2, 7)};
  put(*store, changes);
  EXPECT_EQ(seen(*store), "uno two uno 7");
  EXPECT_EQ(seen(*store), "uno two uno 7");
  EXPECT_EQ(texts_below(*store, numbered(8)), "");
  Changes move;
  move.records = {row_written(2, "two", 1, numbered(8))};
  put(*store, move);
  EXPECT_EQ(seen(*store), "uno uno 7");
  EXPECT_EQ(texts_below(*store, numbered(8)), "two ");
  Changes erasure;
  erasure.erasures = {numbered(1)};
  put(*store, erasure);
  EXPECT_EQ(seen(*store), "- -");
}

TEST_F(CachedReads, FollowEachChangeOfAnotherStoreOnTheFile) {
  const std::unique_ptr<Store> other = open();
  EXPECT_EQ(seen(*store), "one one 1");
  for (std::uint64_t round = 1; round <= 5; ++round) {
    const std::string text = "text" + std::to_string(round);
    Changes changes;
    changes.records = {row_written(1, text, round, numbered(9))};
    put(round % 2 == 0 ? *store : *other, changes);
    EXPECT_EQ(seen(*store), text + " " + text + " 1");
    EXPECT_EQ(seen(*other), text + " " + text + " 1");
  }
}

TEST_F(CachedReads, AChangeThatIsRolledBackIsNotSeen) {
  EXPECT_EQ(seen(*store), "one one 1");
  {
    const auto transaction = store->begin(Access::write).value();
    Changes changes;
    changes.records = {row_written(1, "uno", 1, numbered(9))};
    ASSERT_TRUE(transaction->apply(changes));
    EXPECT_EQ(seen(*store), "one one 1");
  }
  EXPECT_EQ(seen(*store), "one one 1");
}

// The first run reads a record from the cache, then another store changes both, then it reads the file.
TEST_F(CachedReads, RunAgainWhenTheFileChangesInBetween) {
  const std::unique_ptr<Store> other = open();
  EXPECT_EQ(seen(*store), "one one 1");
  int runs = 0;
  std::string found;
  ASSERT_TRUE(store->read([&](std::unique_ptr<Transaction> transaction) -> Result<void> {
    ++runs;
    ORLOP_TRY(record, transaction->record(numbered(1)));
    if (runs == 1) {
      Changes changes;
      changes.records = {row_written(1, "uno", 1, numbered(9))};
      changes.events = {Event{}};
      put(*other, changes);
    }
    ORLOP_TRY(end, transaction->feed_end());
    found = record->body + " " + std::to_string(end.sequence);
    return {};
  }));
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(found, "uno 2");
}

TEST_F(CachedReads, AreOfOneSnapshotThoughTheCacheGoesOn) {
  EXPECT_EQ(seen(*store), "one one 1");
  int runs = 0;
  std::string found;
  ASSERT_TRUE(store->read([&](std::unique_ptr<Transaction> transaction) -> Result<void> {
    ++runs;
    ORLOP_TRY(end, transaction->feed_end());  // read from the file
    Changes changes;
    changes.records = {row_written(1, "uno", runs == 1 ? 1 : 2, numbered(9))};
    changes.events = {Event{}};
    if (runs == 1) put(*store, changes);
    EXPECT_EQ(seen(*store), "uno uno 1");
    found = seen(*transaction) + " " + std::to_string(end.sequence);
    return {};
  }));
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(found, "one one 1 1");
}

TEST_F(CachedReads, ReturnTheErrorOfWhatRan) {
  const Result<void> failed = store->read(
      [](std::unique_ptr<Transaction>) -> Result<void> { return make_error(ErrorCode::not_found, "not here"); });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "not here");
}

TEST_F(CachedReads, AWriteIsMisuse) {
  const Result<void> refused =
      store->read([](std::unique_ptr<Transaction> transaction) { return transaction->apply({}); });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::misuse);
}

}  // namespace
}  // namespace orlop
