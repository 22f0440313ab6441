// Power is cut at each operation of the disk: committed changes survive, others do not.
#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "contract/model.h"
#include "contract/power_cut_vfs.h"
#include "store/sqlite/layout/schema.h"

namespace orlop::contract {
namespace {

constexpr const char* path = "/power-cut/store.db";

// States of a run as models: after each commit() that returned success, and the one that was in progress.
struct History {
  std::vector<Model> committed{Model{}};
  std::optional<Model> in_doubt;
};

struct Scenario {
  std::uint64_t seed = 0;
  int transactions = 0;
  std::size_t filler = 0;  // size of an additional record in every transaction, so that few of them fill the log
  Durability durability = Durability::full;
};

// Runs one write transaction; returns false if the store refused it.
bool write_once(Store& store, RandomChanges& random, const Scenario& scenario, History& history) {
  Changes changes = random.next(history.committed.back());
  Model changed = history.committed.back();
  if (changed.apply(changes)) return true;
  if (scenario.filler > 0) {
    // An id that the model does not use.
    changes.records.push_back(write_of(record_of(1'000'000 + random.below(UINT32_MAX), 1'000'000)));
    changes.records.back().record.body.assign(scenario.filler, '.');
  }
  bool is_applied = false;
  const auto act = [&](std::unique_ptr<Transaction> transaction) -> Result<void> {
    ORLOP_CHECK(transaction->apply(changes));
    is_applied = true;
    return transaction->commit();
  };
  if (!store.write(act)) {
    if (is_applied) history.in_doubt = changed;
    return false;
  }
  history.committed.push_back(changed);
  return true;
}

// Opens the store and runs until the end or the cut. A reader keeps the state of every seventh transaction for a while.
History play(const Scenario& scenario) {
  History history;
  RandomChanges random(scenario.seed);
  Result<std::unique_ptr<Store>> store = open_sqlite_store(path, scenario.durability);
  if (!store) return history;
  std::unique_ptr<Transaction> reader;
  for (int count = 0; count < scenario.transactions; ++count) {
    if (count % 7 == 0) {
      Result<std::unique_ptr<Transaction>> begun = (*store)->begin(Access::read);
      if (!begun || !(*begun)->feed_end()) break;
      reader = std::move(*begun);
    }
    if (count % 7 == 3) reader.reset();
    if (!write_once(**store, random, scenario, history)) break;
  }
  return history;
}

// Returns the index in `committed` of the state in the file, committed.size() for the one in doubt, or -1 for none of
// them.
int state_found(Store& store, const History& history) {
  Result<std::unique_ptr<Transaction>> transaction = store.begin(Access::read);
  if (!transaction) return -1;
  if (history.in_doubt && difference(**transaction, *history.in_doubt).empty())
    return static_cast<int>(history.committed.size());
  for (std::size_t index = history.committed.size(); index-- > 0;) {
    if (difference(**transaction, history.committed[index]).empty()) return static_cast<int>(index);
  }
  return -1;
}

// Runs with a cut at `operation`, restores the power, and describes what is wrong with the file; "" if nothing.
std::string cut_and_look(const Scenario& scenario, std::size_t operation, Leftover leftover,
                         bool ignore_syncs = false) {
  PowerCutDisk disk;
  disk.cut_at(operation);
  if (ignore_syncs) disk.ignore_syncs();
  History history = play(scenario);
  std::mt19937_64 random(scenario.seed + operation);
  disk.restore_power(leftover, random);

  Result<std::unique_ptr<Store>> store = open_sqlite_store(path, scenario.durability);
  if (!store) return "cannot be opened: " + store.error().message;
  const int found = state_found(**store, history);
  if (found < 0) return "holds a state that never was";
  const int promised = scenario.durability == Durability::full ? static_cast<int>(history.committed.size()) - 1 : 0;
  if (found < promised) return "lost " + std::to_string(promised - found) + " committed transactions";
  // The store continues from that state, including the numbers of events.
  if (found == static_cast<int>(history.committed.size())) history.committed.push_back(*history.in_doubt);
  history.committed.resize(static_cast<std::size_t>(found) + 1);
  RandomChanges more(scenario.seed + 1);
  for (int count = 0; count < 3; ++count) {
    if (!write_once(**store, more, scenario, history)) return "does not go on";
  }
  if (state_found(**store, history) != static_cast<int>(history.committed.size()) - 1)
    return "goes on from somewhere else";
  return "";
}

// Runs without a cut, and returns the numbers of the operations to cut at: every sync, truncation, creation and removal
// with its neighbours, and about `writes_max` of the writes.
std::vector<std::size_t> cuts_of(const Scenario& scenario, std::size_t writes_max) {
  PowerCutDisk disk;
  play(scenario);
  const std::vector<Operation>& operations = disk.operations();
  const std::size_t stride = operations.size() / writes_max + 1;
  std::vector<std::size_t> cuts;
  for (std::size_t index = 0; index < operations.size(); ++index) {
    const auto matters = [&](std::size_t at) { return at < operations.size() && operations[at] != Operation::write; };
    if (matters(index) || matters(index + 1) || (index > 0 && matters(index - 1)) || index % stride == 0)
      cuts.push_back(index + 1);
  }
  return cuts;
}

void expect_survival(const Scenario& scenario, std::size_t writes_max) {
  const std::vector<std::size_t> cuts = cuts_of(scenario, writes_max);
  EXPECT_GT(cuts.size(), 50U);
  for (Leftover leftover : {Leftover::nothing, Leftover::random_part}) {
    for (std::size_t cut : cuts) {
      ASSERT_EQ(cut_and_look(scenario, cut, leftover), "")
          << "cut at operation " << cut << ", leftover " << static_cast<int>(leftover)
          << ", ORLOP_SEED=" << seed_of_run();
    }
  }
}

TEST(PowerCut, keeps_every_commit) { expect_survival({seed_of_run(), 12, 0, Durability::full}, 1000); }

TEST(PowerCut, keeps_every_commit_through_checkpoints) {
  expect_survival({seed_of_run(), 16, 400'000, Durability::full}, 10);
}

TEST(PowerCut, keeps_the_order_of_commits_where_only_that_is_promised) {
  expect_survival({seed_of_run(), 12, 0, Durability::normal}, 100);
}

// One write or sync fails: its transaction gets the error and leaves nothing, and the store continues.
void expect_recovery(const Scenario& scenario, std::size_t operation) {
  SCOPED_TRACE("failure at operation " + std::to_string(operation) + ", ORLOP_SEED=" + std::to_string(seed_of_run()));
  PowerCutDisk disk;
  disk.fail_at(operation);
  History history;
  RandomChanges random(scenario.seed);
  Result<std::unique_ptr<Store>> store = open_sqlite_store(path, scenario.durability);
  if (!store) store = open_sqlite_store(path, scenario.durability);
  ASSERT_TRUE(store) << store.error().message;
  int failures = 0;
  for (int count = 0; count < scenario.transactions; ++count) {
    if (!write_once(**store, random, scenario, history)) ++failures;
    ASSERT_LE(failures, 1);
    const int last = static_cast<int>(history.committed.size()) - 1;
    history.in_doubt.reset();
    if (failures > 0 && count % 4 == 0) { ASSERT_EQ(state_found(**store, history), last); }
  }
  *store = nullptr;
  store = open_sqlite_store(path, scenario.durability);
  ASSERT_TRUE(store) << store.error().message;
  ASSERT_EQ(state_found(**store, history), static_cast<int>(history.committed.size()) - 1);
}

TEST(PowerCut, a_disk_that_fails_once_costs_one_transaction) {
  const Scenario scenario{seed_of_run(), 20, 0, Durability::full};
  const std::vector<std::size_t> cuts = cuts_of(scenario, 300);
  for (std::size_t cut : cuts) ASSERT_NO_FATAL_FAILURE(expect_recovery(scenario, cut));
}

void put_version_4() {
  std::ifstream file(std::string(ORLOP_TEST_DATA) + "/unit/store/version_4.sql");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  SQLite::Database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(text);
}

std::string version_of_file() {
  return SQLite::Database(path, SQLite::OPEN_READWRITE).execAndGet("PRAGMA user_version").getString();
}

std::string count_in_file(const char* table) {
  return SQLite::Database(path, SQLite::OPEN_READWRITE)
      .execAndGet(std::string("SELECT count(*) FROM ") + table)
      .getString();
}

// Returns the number of disk operations before a migration, and with it.
std::pair<std::size_t, std::size_t> operations_of_migration() {
  PowerCutDisk disk;
  put_version_4();
  const std::size_t before = disk.operations().size();
  EXPECT_TRUE(open_sqlite_store(path, Durability::full));
  return {before, disk.operations().size()};
}

TEST(PowerCut, leaves_the_old_layout_or_the_new_one) {
  const auto [first, last] = operations_of_migration();
  ASSERT_GT(last - first, 20U);
  std::size_t found_old = 0;
  std::size_t found_new = 0;
  for (std::size_t cut = first + 1; cut <= last; ++cut) {
    for (Leftover leftover : {Leftover::nothing, Leftover::random_part}) {
      SCOPED_TRACE("cut at operation " + std::to_string(cut) + ", ORLOP_SEED=" + std::to_string(seed_of_run()));
      PowerCutDisk disk;
      put_version_4();
      disk.cut_at(cut);
      (void)open_sqlite_store(path, Durability::full);
      std::mt19937_64 random(seed_of_run() + cut);
      disk.restore_power(leftover, random);
      const bool is_old = version_of_file() == "4";
      (is_old ? found_old : found_new) += 1;
      ASSERT_EQ(count_in_file(is_old ? "record WHERE id IS NOT NULL" : "record JOIN identity USING (number)"), "20");
      ASSERT_EQ(count_in_file("event"), "59");
      // The file opens and equals the result of an uncut migration.
      Result<std::unique_ptr<Store>> store = open_sqlite_store(path, Durability::full);
      ASSERT_TRUE(store) << store.error().message;
      Result<std::unique_ptr<Transaction>> transaction = (*store)->begin(Access::read);
      ASSERT_EQ((*transaction)->feed_end()->sequence, 59U);
      ASSERT_EQ(version_of_file(), std::to_string(sqlite_schema_version()));
    }
  }
  EXPECT_GT(found_old, 10U);
  EXPECT_GT(found_new, 0U);
}

// Verifies the tests themselves: on a disk that ignores syncs they find losses.
TEST(PowerCut, notices_a_store_that_does_not_sync) {
  const Scenario scenario{seed_of_run(), 24, 0, Durability::full};
  std::size_t noticed = 0;
  for (std::size_t cut : cuts_of(scenario, 1000)) {
    if (!cut_and_look(scenario, cut, Leftover::nothing, true).empty()) ++noticed;
  }
  EXPECT_GT(noticed, 50U);
}

}  // namespace
}  // namespace orlop::contract
