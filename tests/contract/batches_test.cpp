// Reads of many ids in one call, and the errors of refused changes.
#include <algorithm>
#include <map>

#include "contract/children.h"

namespace orlop::contract {
namespace {

TEST_P(Contract, batches_give_what_single_reads_give) {
  ASSERT_TRUE(write(three_hundred_children()));
  Changes more = changes_of({write_of(record_of(1)), write_of(record_of(400, 2)), write_of(record_of(401, 2))});
  for (std::uint64_t number = 10; number < 40; ++number) more.machines.push_back(machine_of(number, 1));
  ASSERT_TRUE(write(more));
  const auto transaction = reading();
  // About half of the ids exist.
  std::vector<Id> wanted;
  for (std::uint64_t number = 9; number < 500; number += 7) wanted.push_back(id_of(number));
  const Rows rows = transaction->rows({.records = wanted, .machines = wanted}).value();
  std::vector<Id> records, machines, children;
  for (const Shared<Record>& record : rows.records) {
    records.push_back(record->id);
    EXPECT_TRUE(same(*record, **transaction->record(record->id)));
  }
  for (const Shared<Machine>& machine : rows.machines) machines.push_back(machine->id);
  std::sort(records.begin(), records.end());
  std::sort(machines.begin(), machines.end());
  std::vector<Id> expected_records, expected_machines;
  for (const Id& id : wanted) {
    if (*transaction->record(id)) expected_records.push_back(id);
    if (*transaction->machine(id)) expected_machines.push_back(id);
  }
  EXPECT_EQ(records, expected_records);
  EXPECT_EQ(machines, expected_machines);
  EXPECT_FALSE(records.empty() || machines.empty());
  const std::vector<Id> parents = ids_from({2, 7, 1});
  const Rows below = transaction->rows({.parents = parents}).value();
  for (const Shared<Record>& record : below.children) children.push_back(record->id);
  EXPECT_EQ(children.size(), 302U);
  std::vector<Id> of_one;
  for (const Id& id : children) {
    if (id < id_of(400)) of_one.push_back(id);
  }
  EXPECT_EQ(of_one, ids_of(*transaction, children_of(1)));
  const Rows none = transaction->rows({}).value();
  EXPECT_TRUE(none.records.empty() && none.machines.empty() && none.children.empty());
}

// Rows that are adjacent, apart, and in another order than their ids.
TEST_P(Contract, a_batch_of_machines_has_those_that_are_there_whatever_lies_between) {
  Changes changes = three_hundred_children();
  std::map<Id, Machine> machines;
  for (std::uint64_t index = 0; index < 300; ++index) {
    const std::uint64_t number = 10 + index * 11 % 300;
    if (number % 5 == 0) continue;
    changes.machines.push_back(machine_of(number, 1));
    machines[id_of(number)] = changes.machines.back();
  }
  ASSERT_TRUE(write(changes));
  const auto transaction = reading();
  for (const std::uint64_t step : {60, 290, 11, 7, 2, 1}) {
    std::vector<Id> wanted;
    std::vector<Id> expected;
    for (std::uint64_t number = 501; number > step; number -= step) {
      const Id id = id_of(number);
      wanted.push_back(id);
      if (machines.contains(id)) expected.push_back(id);
    }
    std::ranges::reverse(expected);
    std::vector<Id> found;
    const Rows rows = transaction->rows({.machines = wanted}).value();
    for (const Shared<Machine>& machine : rows.machines) {
      found.push_back(machine->id);
      EXPECT_TRUE(same(*machine, machines[machine->id]));
    }
    std::ranges::sort(found);
    EXPECT_EQ(found, expected) << step;
  }
}

TEST_P(Contract, batches_see_the_changes_of_their_transaction) {
  ASSERT_TRUE(write(changes_of({write_of(record_of(1)), write_of(record_of(2, 1))})));
  const auto transaction = writing();
  Changes changes = changes_of({write_of(record_of(3, 1))});
  changes.erasures.push_back(id_of(2));
  changes.machines.push_back(machine_of(3, 1));
  ASSERT_TRUE(transaction->apply(changes));
  const std::vector<Id> wanted = ids_from({2, 3});
  const std::vector<Id> parents = ids_from({1});
  const Rows rows = transaction->rows({.records = wanted, .machines = wanted, .parents = parents}).value();
  ASSERT_EQ(rows.records.size() + rows.machines.size() + rows.children.size(), 3U);
  EXPECT_EQ(rows.records.front()->id, id_of(3));
  EXPECT_EQ(rows.machines.front()->id, id_of(3));
  EXPECT_EQ(rows.children.front()->id, id_of(3));
}

TEST_P(Contract, of_one_record_a_lost_update_goes_before_a_name_that_is_taken) {
  RecordWrite first = write_of(record_of(1));
  first.name_key = "taken";
  ASSERT_TRUE(write(changes_of({first, write_of(record_of(2))})));
  RecordWrite both = write_of(record_of(2, 0, 1, 7));
  both.expected_revision = 6;
  both.name_key = "taken";
  const auto refused = write(changes_of({both}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::lost_update);
}

// An edit and a machine with outdated revisions, each with other changes of the same commit.
TEST_P(Contract, an_outdated_change_takes_what_stands_beside_it_with_it) {
  ASSERT_TRUE(write(changes_of({write_of(record_of(1))})));
  Changes edit = changes_of({write_of(record_of(2)), write_of(record_of(1, 0, 1, 3))});
  Changes move = changes_of({write_of(record_of(2))});
  move.machines = {machine_of(1, 0, 1, 2)};
  for (Changes outdated : {edit, move}) {
    outdated.events = {event_of(2)};
    const Result<void> written = write(outdated);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::lost_update);
    EXPECT_FALSE(reading()->record(id_of(2))->has_value());
    EXPECT_EQ(reading()->feed_end()->sequence, 0U);
  }
}

}  // namespace
}  // namespace orlop::contract
