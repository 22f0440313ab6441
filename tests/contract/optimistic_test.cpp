// Optimistic transactions, and changes by another process to the rows that they have read.
#include <functional>
#include <optional>
#include <string>

#include "contract/optimistic.h"
#include "store/coordination.h"

namespace orlop::contract {
namespace {

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Optimistic);  // a program may have no such kind
INSTANTIATE_TEST_SUITE_P(stores, Optimistic, testing::ValuesIn(optimistic_kinds()),
                         [](const auto& info) { return info.param.name; });

// A read, and a change by another process that affects it.
struct Read {
  const char* name;
  std::function<void(Transaction&)> read;
  std::function<Changes()> change;
};

void read_leases(Transaction& transaction) {
  PartitionSet both;
  both.add(5);
  both.add(6);
  EXPECT_EQ(transaction.coordination()->leases(both)->size(), 1U);
}

void read_two(Transaction& transaction) {
  const Id ids[] = {id_of(2), id_of(3), id_of(99)};
  EXPECT_EQ(transaction.rows({.records = ids})->records.size(), 2U);
}

void read_two_machines(Transaction& transaction) {
  const Id ids[] = {id_of(2), id_of(3), id_of(99)};
  EXPECT_EQ(transaction.rows({.machines = ids})->machines.size(), 2U);
}

std::function<void(Transaction&)> records(const RecordRange& range) {
  return [range](Transaction& transaction) {
    EXPECT_TRUE(transaction.records(range, [](const Record&) { return true; }));
  };
}

RecordRange bare(RecordRange range) {
  range.fields = RecordRange::Fields::no_text;
  return range;
}

std::function<void(Transaction&)> machines(const MachineRange& range) {
  return [range](Transaction& transaction) {
    EXPECT_TRUE(transaction.machines(range, [](const Machine&) { return true; }));
  };
}

std::function<void(Transaction&)> counts(RecordRange::By by, std::uint64_t number) {
  return [=](Transaction& transaction) {
    const Id keys[] = {id_of(number), id_of(98)};
    EXPECT_TRUE(transaction.counts({by, keys, 0}));
  };
}

std::function<void(Transaction&)> links(std::uint64_t number) {
  return [=](Transaction& transaction) { EXPECT_TRUE(transaction.links(id_of(number))); };
}

Changes with_reference(std::uint64_t number, std::uint64_t target) {
  Changes changes = changes_of({write_of(record_of(number))});
  changes.records[0].references = std::vector<Id>{id_of(target)};
  return changes;
}

Changes renamed(std::uint64_t number, std::uint64_t target) {
  Changes changes = edit(number);
  changes.records[0].name_key = target == 1 ? "renamed" : "two";
  changes.records[0].references = std::vector<Id>{id_of(target)};
  return changes;
}

std::vector<Read> noted_reads_of_one() {
  const auto record = [](std::uint64_t number) {
    return [number](Transaction& transaction) { EXPECT_TRUE(transaction.record(id_of(number))); };
  };
  const auto machine = [](std::uint64_t number) {
    return [number](Transaction& transaction) { EXPECT_TRUE(transaction.machine(id_of(number))); };
  };
  const auto find = [](const char* name) {
    return [name](Transaction& transaction) { EXPECT_TRUE(transaction.find(name)); };
  };
  const auto unlikely = [](const char* name) {
    return [name](Transaction& transaction) { EXPECT_FALSE(*transaction.find(name, Expected::absent)); };
  };
  return {
      {"a record that is edited", record(2), [] { return edit(2); }},
      {"a record that is erased", record(2), [] { return erasure_of(2); }},
      {"a record that is not there, and is made", record(9), [] { return changes_of({write_of(record_of(9))}); }},
      {"records of which one is edited", read_two, [] { return edit(3); }},
      {"records of which one that is not there is made", read_two,
       [] { return changes_of({write_of(record_of(99))}); }},
      {"a machine that moves", machine(2), [] { return changes_of({machine_of(2, 1, 1, 2)}); }},
      {"a machine that is erased", machine(3), [] { return erasure_of(3); }},
      {"a machine that is not there, and is made", machine(9), [] { return changes_of({machine_of(9, 1)}); }},
      {"machines of which one moves", read_two_machines, [] { return changes_of({machine_of(3, 1, 1, 2)}); }},
      {"machines of which one that is not there is made", read_two_machines,
       [] { return changes_of({machine_of(99, 1)}); }},
      {"a name that is given away", find("nine"), [] { return with_name(9, "nine"); }},
      {"a name that is taken to be free, and is given away", unlikely("nine"), [] { return with_name(9, "nine"); }},
      {"a name whose record is erased", find("two"), [] { return erasure_of(2); }},
      {"a lease of another epoch", read_leases,
       [] {
         return lease_of({5, id_of(70), 2});
       }},
      {"a lease of another holder", read_leases,
       [] {
         return lease_of({5, id_of(71), 1});
       }},
      {"a lease that is given up", read_leases,
       [] {
         return lease_of({5, {}, 1});
       }},
      {"a partition that is held for the first time", read_leases,
       [] {
         return lease_of({6, id_of(70), 1});
       }},
  };
}

std::vector<Read> noted_reads_of_ranges() {
  return {
      {"children of which one is edited", records(children_of(1)), [] { return edit(3); }},
      {"children to which one is added", records(children_of(1)),
       [] { return changes_of({write_of(record_of(40, 1))}); }},
      {"children of which one is erased", records(children_of(1)), [] { return erasure_of(3); }},
      {"children without their texts, of which one is edited", records(bare(children_of(1))), [] { return edit(3); }},
      {"no children, to which one is added", records(children_of(2)),
       [] { return changes_of({write_of(record_of(40, 2))}); }},
      {"children of a family to which one is added", records(children_of(1, 1)),
       [] { return changes_of({write_of(record_of(40, 1))}); }},
      {"children behind one, to which one is added", records(children_of(1, 0, 3)),
       [] { return changes_of({write_of(record_of(40, 1))}); }},
      {"the first child, which is erased", records(children_of(1, 0, 0, 1)), [] { return erasure_of(2); }},
      {"referrers to which one is added", records(referrers_of(1)), [] { return with_reference(40, 1); }},
      {"referrers of which one is edited", records(referrers_of(1)), [] { return edit(2); }},
      {"referrers of which one is erased", records(referrers_of(1)), [] { return erasure_of(2); }},
      {"machines of an owner of which one moves", machines(machines_of(1)),
       [] { return changes_of({machine_of(3, 1, 1, 2)}); }},
      {"machines of an owner to which one is added", machines(machines_of(1)),
       [] { return changes_of({machine_of(40, 1)}); }},
      {"machines of an owner of which one is erased", machines(machines_of(1)), [] { return erasure_of(3); }},
      {"machines of a family to which one is added", machines(machines_of(1, 1)),
       [] { return changes_of({machine_of(40, 1)}); }},
      {"how many children there are", counts(RecordRange::By::parent, 1),
       [] { return changes_of({write_of(record_of(40, 1))}); }},
      {"that there are no children", counts(RecordRange::By::parent, 2),
       [] { return changes_of({write_of(record_of(40, 2))}); }},
      {"how many referrers there are", counts(RecordRange::By::reference, 1), [] { return erasure_of(2); }},
      {"links of a record that is named anew", links(2), [] { return renamed(2, 1); }},
      {"links of a record that refers to another one", links(2), [] { return renamed(2, 3); }},
      {"links of a record that is not there, and is made", links(40), [] { return with_reference(40, 1); }},
  };
}

std::vector<Read> noted_reads() {
  std::vector<Read> all = noted_reads_of_one();
  const std::vector<Read> ranges = noted_reads_of_ranges();
  all.insert(all.end(), ranges.begin(), ranges.end());
  return all;
}

TEST_P(Optimistic, what_was_read_and_changed_since_is_found_out) {
  bool is_known = false;  // from an earlier transaction of the process
  for (const Read& each : noted_reads()) {
    for (const bool writes : {false, true}) {
      is_known = !is_known;
      SCOPED_TRACE(std::string(each.name) + (is_known ? ", known" : "") +
                   (writes ? ", by a write" : ", by validate()"));
      begin_anew();
      if (is_known) each.read(*begin(store(), Access::write));
      else open_again();
      auto transaction = begin();
      each.read(*transaction);
      write(other(), each.change());
      const Result<void> outcome = writes ? transaction->apply_and_commit(write_beside()) : transaction->validate();
      ASSERT_FALSE(outcome);
      EXPECT_EQ(outcome.error().code, ErrorCode::lost_update) << outcome.error().message;
      transaction.reset();
      EXPECT_FALSE(begin(store(), Access::read)->record(id_of(50))->has_value());
    }
    is_known = !is_known;
  }
}

// A record whose name is taken is not written; the action runs again and finds the name taken.
TEST_P(Optimistic, an_act_that_took_a_name_to_be_free_runs_again) {
  std::vector<std::optional<Id>> found;
  const Result<void> written = store().write([&](std::unique_ptr<Transaction> transaction) -> Result<void> {
    ORLOP_TRY(holder, transaction->find("two", Expected::absent));
    found.push_back(holder);
    if (holder) return make_error(ErrorCode::conflict, "taken");
    return transaction->apply_and_commit(with_name(9, "two"));
  });
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "taken");
  EXPECT_EQ(found.back(), id_of(2));
}

TEST_P(Optimistic, what_has_not_changed_is_valid_beside_other_changes) {
  for (const Read& each : noted_reads()) {
    SCOPED_TRACE(each.name);
    begin_anew();
    auto transaction = begin();
    each.read(*transaction);
    Changes elsewhere = changes_of({write_of(record_of(60, 3))});
    elsewhere.records[0].name_key = "sixty";
    elsewhere.events = {event_of(60)};
    elsewhere.coordination.leases = {{7, id_of(70), 1}};
    write(other(), elsewhere);
    const Result<void> valid = transaction->validate();
    EXPECT_TRUE(valid) << valid.error().message;
    const Result<void> written = transaction->apply_and_commit(write_beside());
    EXPECT_TRUE(written) << written.error().message;
    EXPECT_EQ(transaction->last_number(), 3U);
  }
}

}  // namespace
}  // namespace orlop::contract
