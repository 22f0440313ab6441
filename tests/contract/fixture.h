// The fixture of the storage contract's tests: a store of the kind under test, and functions that make records,
// machines and events.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "store/open.h"
#include "store/store.h"

namespace orlop::contract {

// A kind of store: its name in the output, and a function that opens one in a folder.
struct Kind {
  std::string name;
  std::function<Result<std::unique_ptr<Store>>(const std::filesystem::path& folder)> open;
  bool survives_close = false;
  // Whether its changes() and has_ended() report at once what other engines did. Otherwise changes() reports it later,
  // and has_ended() may never report it.
  bool knows_at_once = true;
  bool notifies = true;
  bool is_optimistic = false;  // whether it is tested with optimistic transactions
  int rounds = 600;            // number of random transactions: fewer for a kind that wraps a kind with all of them
};

// Prints the kind in failures of GoogleTest.
inline void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

std::vector<Kind> all_kinds();
// Kinds that survive being closed.
std::vector<Kind> durable_kinds();
// Kinds that are tested with optimistic transactions.
std::vector<Kind> optimistic_kinds();

class Contract : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override;
  void TearDown() override;

  Store& store() { return *store_; }
  const std::filesystem::path& folder() const { return folder_; }
  // Closes the store and opens it again; only for kinds that survive it.
  void reopen();

  std::unique_ptr<Transaction> reading();
  std::unique_ptr<Transaction> writing();
  // Applies and commits the changes in one transaction and one call.
  Result<void> write(const Changes& changes);

 private:
  std::filesystem::path folder_;
  std::unique_ptr<Store> store_;
};

// Returns an id that sorts by `number`.
Id id_of(std::uint64_t number);
Record record_of(std::uint64_t number, std::uint64_t parent = 0, FamilyNumber family = 1, std::uint64_t revision = 1);
RecordWrite write_of(const Record& record);
Machine machine_of(std::uint64_t number, std::uint64_t owner = 0, FamilyNumber family = 1, std::uint64_t revision = 1);
Event event_of(std::uint64_t subject, const std::string& detail = "");

Changes changes_of(std::vector<RecordWrite> records);
Changes changes_of(std::vector<Machine> machines);

RecordRange children_of(std::uint64_t parent, FamilyNumber family = 0, std::uint64_t after = 0,
                        std::size_t limit = SIZE_MAX);
RecordRange referrers_of(std::uint64_t target, FamilyNumber family = 0, std::uint64_t after = 0,
                         std::size_t limit = SIZE_MAX);
MachineRange machines_of(std::uint64_t owner, FamilyNumber family = 0);
MachineRange active_machines(FamilyNumber family = 0);

// Return all rows of a range.
std::vector<Id> ids_of(Transaction& transaction, const RecordRange& range);
std::vector<Id> ids_of(Transaction& transaction, const MachineRange& range);
std::vector<Event> events_of(Transaction& transaction, std::uint64_t after = 0, std::size_t limit = SIZE_MAX);
std::vector<std::uint64_t> numbers_of(Transaction& transaction, const EventRange& range);

bool same(const Record& a, const Record& b);
bool same(const Machine& a, const Machine& b);
bool same(const Event& a, const Event& b);  // Compares all members but the sequence.

// Returns ORLOP_SEED of the environment, else a fixed number; prints it, so that a failure can be replayed.
std::uint64_t seed_of_run();

}  // namespace orlop::contract
