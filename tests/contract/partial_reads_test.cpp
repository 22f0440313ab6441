// Reads that want less than there is: some fields of records, and counts up to a bound.
#include <algorithm>
#include <initializer_list>

#include "contract/children.h"

namespace orlop::contract {
namespace {

TEST_P(Contract, what_is_wanted_of_records_changes_neither_which_they_are_nor_their_order) {
  ASSERT_TRUE(write(three_hundred_children()));
  const auto transaction = reading();
  for (const FamilyNumber family : std::initializer_list<FamilyNumber>{0, 2, 3, 4}) {
    for (const std::uint64_t after : {0, 15, 308, 400}) {
      for (const std::size_t limit : {std::size_t{0}, std::size_t{1}, std::size_t{70}, SIZE_MAX}) {
        RecordRange range = children_of(1, family, after, limit);
        const std::vector<Id> all = ids_of(*transaction, range);
        for (const RecordRange::Fields fields : {RecordRange::Fields::no_text, RecordRange::Fields::place}) {
          range.fields = fields;
          EXPECT_EQ(ids_of(*transaction, range), all) << family << " after " << after << ", " << limit;
        }
      }
    }
  }
}

// Whatever is said of it: ids without a row, the same one twice, one that is gone, more than a store looks up at once; in a transaction that is open or over.
TEST_P(Contract, what_is_said_to_be_read_next_changes_nothing) {
  Changes changes = three_hundred_children();
  for (std::uint64_t number = 10; number < 310; number += 3) changes.machines.push_back(machine_of(number, 1 + number % 4));
  changes.records.push_back(write_of(record_of(1)));
  ASSERT_TRUE(write(changes));
  Changes erasing;
  for (const std::uint64_t number : {10, 13}) erasing.erasures.push_back(id_of(number));
  std::vector<Id> ids = ids_from({0, 1, 1, 2, 3, 9, 10, 13, 900, 1});
  ids.push_back(Id{});
  for (std::uint64_t number = 10; number < 320; ++number) ids.push_back(id_of(number));
  const auto say = [&ids](const Transaction& transaction) {
    for (const std::span<const Id> some : {std::span<const Id>(), std::span<const Id>(ids).first(1), std::span<const Id>(ids)}) {
      for (const RowParts parts : {RowParts::machine, RowParts::head, RowParts::texts}) transaction.will_read(some, parts);
      transaction.will_visit(some);
    }
  };
  const auto expect_all = [](Transaction& transaction, std::size_t gone) {
    EXPECT_EQ(ids_of(transaction, children_of(1)).size(), 300 - gone);
    std::size_t machines = 0;
    for (std::uint64_t owner = 1; owner < 5; ++owner) machines += ids_of(transaction, machines_of(owner)).size();
    EXPECT_EQ(machines, 100 - gone);
    EXPECT_TRUE(same(**transaction.record(id_of(11)), record_of(11, 1, 3)));
    EXPECT_TRUE(same(**transaction.machine(id_of(16)), machine_of(16, 1)));
  };
  const auto before = reading();
  say(*before);
  expect_all(*before, 0);
  {
    const auto changing = writing();
    say(*changing);
    ASSERT_TRUE(changing->apply(erasing));
    say(*changing);
    expect_all(*changing, 2);
    ASSERT_TRUE(changing->commit());
    say(*changing);
  }
  say(*before);
  expect_all(*before, 0);
  const auto after = reading();
  say(*after);
  expect_all(*after, 2);
}

TEST_P(Contract, counts_say_at_least_what_is_enough) {
  ASSERT_TRUE(write(three_hundred_children()));
  ASSERT_TRUE(write(changes_of({write_of(record_of(400, 1, 7)), write_of(record_of(401, 2, 2))})));
  const auto transaction = reading();
  const std::vector<Id> keys = ids_from({1, 2, 3});
  for (const FamilyNumber family : std::initializer_list<FamilyNumber>{0, 2, 7, 9}) {
    const auto all = transaction->counts({RecordRange::By::parent, keys, family});
    ASSERT_TRUE(all);
    for (const std::uint64_t enough : {1, 2, 149, 150, 151, 1000}) {
      const auto some = transaction->counts({RecordRange::By::parent, keys, family, enough});
      ASSERT_TRUE(some);
      ASSERT_EQ(some->size(), all->size());
      for (const RecordCount& exact : *all) {
        const auto found = std::ranges::find_if(*some, [&](const RecordCount& count) { return count.key == exact.key && count.family == exact.family; });
        ASSERT_NE(found, some->end());
        EXPECT_GE(found->count, std::min(exact.count, enough));
        EXPECT_LE(found->count, exact.count);
      }
    }
  }
}

}  // namespace
}  // namespace orlop::contract
