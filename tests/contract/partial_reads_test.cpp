// Partial reads: some fields of records, and counts up to a bound.
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
        const auto found = std::ranges::find_if(
            *some, [&](const RecordCount& count) { return count.key == exact.key && count.family == exact.family; });
        ASSERT_NE(found, some->end());
        EXPECT_GE(found->count, std::min(exact.count, enough));
        EXPECT_LE(found->count, exact.count);
      }
    }
  }
}

}  // namespace
}  // namespace orlop::contract
