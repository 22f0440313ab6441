// The fixture of the tests of the storage contract: a store of the kind under test, and functions that make records,
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

// A kind of store: its name in the output, and how to open it at a place of its own.
struct Kind {
  std::string name;
  std::function<Result<std::unique_ptr<Store>>(const std::filesystem::path& folder)> open;
  bool survives_close = false;
  // Whether its changes() and has_ended() know at once what other engines did. Else the one knows it later, and the
  // other may never know.
  bool knows_at_once = true;
  bool notifies = true;
  bool is_optimistic = false;  // whether it is tested with optimistic transactions, where it has them
  int rounds = 600;  // of random transactions: fewer for another way to a store that also goes through all of them
};

// How GoogleTest names it in a failure.
inline void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

std::vector<Kind> all_kinds();
// Those that survive being closed.
std::vector<Kind> durable_kinds();
// Those that are tested with optimistic transactions.
std::vector<Kind> optimistic_kinds();

class Contract : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override;
  void TearDown() override;

  Store& store() { return *store_; }
  const std::filesystem::path& folder() const { return folder_; }
  // Closes and opens again; only for kinds that survive it.
  void reopen();

  std::unique_ptr<Transaction> reading();
  std::unique_ptr<Transaction> writing();
  // One transaction with these changes, committed in the same call; the error, if any.
  Result<void> write(const Changes& changes);

 private:
  std::filesystem::path folder_;
  std::unique_ptr<Store> store_;
};

// An id that sorts by `number`.
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

// All that a range gives.
std::vector<Id> ids_of(Transaction& transaction, const RecordRange& range);
std::vector<Id> ids_of(Transaction& transaction, const MachineRange& range);
std::vector<Event> events_of(Transaction& transaction, std::uint64_t after = 0, std::size_t limit = SIZE_MAX);
std::vector<std::uint64_t> numbers_of(Transaction& transaction, const EventRange& range);

bool same(const Record& a, const Record& b);
bool same(const Machine& a, const Machine& b);
bool same(const Event& a, const Event& b);  // but for the sequence

// ORLOP_SEED of the environment, else a fixed number; printed, so that a failure can be replayed.
std::uint64_t seed_of_run();

}  // namespace orlop::contract
