// What an optimistic transaction has read, against what another process changes of it.
#include <atomic>
#include <functional>
#include <thread>

#include "postgresql/optimistic.h"
#include "store/coordination.h"

namespace orlop::contract {
namespace {

class PostgreSQLOptimisticReads : public OptimisticPostgreSQL {};
INSTANTIATE_TEST_SUITE_P(over, PostgreSQLOptimisticReads, testing::Values("direct", "pooled"), [](const auto& info) { return info.param; });

// What is read, and what another process changes of it.
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
  int found = 0;
  const Id ids[] = {id_of(2), id_of(3), id_of(99)};
  EXPECT_TRUE(transaction.records_by_ids(ids, [&](const Record&) { return ++found, true; }));
  EXPECT_EQ(found, 2);
}

void read_two_machines(Transaction& transaction) {
  int found = 0;
  const Id ids[] = {id_of(2), id_of(3), id_of(99)};
  EXPECT_TRUE(transaction.machines_by_ids(ids, [&](const Machine&) { return ++found, true; }));
  EXPECT_EQ(found, 2);
}

std::function<void(Transaction&)> records(const RecordRange& range) {
  return [range](Transaction& transaction) { EXPECT_TRUE(transaction.records(range, [](const Record&) { return true; })); };
}

RecordRange bare(RecordRange range) {
  range.with_text = false;
  return range;
}

std::function<void(Transaction&)> machines(const MachineRange& range) {
  return [range](Transaction& transaction) { EXPECT_TRUE(transaction.machines(range, [](const Machine&) { return true; })); };
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

std::vector<Read> noted_reads() {
  const auto record = [](std::uint64_t number) { return [number](Transaction& transaction) { EXPECT_TRUE(transaction.record(id_of(number))); }; };
  const auto machine = [](std::uint64_t number) { return [number](Transaction& transaction) { EXPECT_TRUE(transaction.machine(id_of(number))); }; };
  const auto find = [](const char* name) { return [name](Transaction& transaction) { EXPECT_TRUE(transaction.find(name)); }; };
  return {
      {"a record that is edited", record(2), [] { return edit(2); }},
      {"a record that is erased", record(2), [] { return erasure_of(2); }},
      {"a record that is not there, and is made", record(9), [] { return changes_of({write_of(record_of(9))}); }},
      {"records of which one is edited", read_two, [] { return edit(3); }},
      {"records of which one that is not there is made", read_two, [] { return changes_of({write_of(record_of(99))}); }},
      {"a machine that moves", machine(2), [] { return changes_of({machine_of(2, 1, 1, 2)}); }},
      {"a machine that is erased", machine(3), [] { return erasure_of(3); }},
      {"a machine that is not there, and is made", machine(9), [] { return changes_of({machine_of(9, 1)}); }},
      {"machines of which one moves", read_two_machines, [] { return changes_of({machine_of(3, 1, 1, 2)}); }},
      {"machines of which one that is not there is made", read_two_machines, [] { return changes_of({machine_of(99, 1)}); }},
      {"a name that is given away", find("nine"), [] { return with_name(9, "nine"); }},
      {"a name whose record is erased", find("two"), [] { return erasure_of(2); }},
      {"a lease of another epoch", read_leases, [] { return lease_of({5, id_of(70), 2}); }},
      {"a lease of another holder", read_leases, [] { return lease_of({5, id_of(71), 1}); }},
      {"a lease that is given up", read_leases, [] { return lease_of({5, {}, 1}); }},
      {"a partition that is held for the first time", read_leases, [] { return lease_of({6, id_of(70), 1}); }},
      {"children of which one is edited", records(children_of(1)), [] { return edit(3); }},
      {"children to which one is added", records(children_of(1)), [] { return changes_of({write_of(record_of(40, 1))}); }},
      {"children of which one is erased", records(children_of(1)), [] { return erasure_of(3); }},
      {"children without their texts, of which one is edited", records(bare(children_of(1))), [] { return edit(3); }},
      {"no children, to which one is added", records(children_of(2)), [] { return changes_of({write_of(record_of(40, 2))}); }},
      {"children of a family to which one is added", records(children_of(1, 1)), [] { return changes_of({write_of(record_of(40, 1))}); }},
      {"children behind one, to which one is added", records(children_of(1, 0, 3)), [] { return changes_of({write_of(record_of(40, 1))}); }},
      {"the first child, which is erased", records(children_of(1, 0, 0, 1)), [] { return erasure_of(2); }},
      {"referrers to which one is added", records(referrers_of(1)), [] { return with_reference(40, 1); }},
      {"referrers of which one is edited", records(referrers_of(1)), [] { return edit(2); }},
      {"referrers of which one is erased", records(referrers_of(1)), [] { return erasure_of(2); }},
      {"machines of an owner of which one moves", machines(machines_of(1)), [] { return changes_of({machine_of(3, 1, 1, 2)}); }},
      {"machines of an owner to which one is added", machines(machines_of(1)), [] { return changes_of({machine_of(40, 1)}); }},
      {"machines of an owner of which one is erased", machines(machines_of(1)), [] { return erasure_of(3); }},
      {"machines of a family to which one is added", machines(machines_of(1, 1)), [] { return changes_of({machine_of(40, 1)}); }},
      {"how many children there are", counts(RecordRange::By::parent, 1), [] { return changes_of({write_of(record_of(40, 1))}); }},
      {"that there are no children", counts(RecordRange::By::parent, 2), [] { return changes_of({write_of(record_of(40, 2))}); }},
      {"how many referrers there are", counts(RecordRange::By::reference, 1), [] { return erasure_of(2); }},
      {"links of a record that is named anew", links(2), [] { return renamed(2, 1); }},
      {"links of a record that refers to another one", links(2), [] { return renamed(2, 3); }},
      {"links of a record that is not there, and is made", links(40), [] { return with_reference(40, 1); }},
  };
}

template <typename T>
Result<void> outcome_of(const Result<T>& answer) {
  return answer ? Result<void>() : Result<void>(answer.error());
}

TEST_P(PostgreSQLOptimisticReads, what_was_read_and_changed_since_is_found_out) {
  bool is_known = false;  // from an earlier transaction of the process
  for (const Read& each : noted_reads()) {
    for (const bool writes : {false, true}) {
      is_known = !is_known;
      SCOPED_TRACE(std::string(each.name) + (is_known ? ", known" : "") + (writes ? ", by a write" : ", by validate()"));
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

TEST_P(PostgreSQLOptimisticReads, what_has_not_changed_is_valid_beside_other_changes) {
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

// What is noted is read again while all writers wait: not if it is much.
TEST_P(PostgreSQLOptimisticReads, much_is_read_once_the_others_wait) {
  Changes many;
  for (std::uint64_t number = 1000; number < 4000; ++number) many.records.push_back(write_of(record_of(number, 2)));
  write(other(), many);
  auto transaction = begin();
  ASSERT_TRUE(transaction->record(id_of(3)));
  write(other(), edit(3));
  EXPECT_TRUE(transaction->records(children_of(2), [](const Record&) { return true; })) << "the first pages are noted";
  const Result<void> outcome = transaction->records(children_of(1), [](const Record&) { return true; });
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::lost_update);
}

// What cannot be noted is read behind the lock, and what was read before it is validated then.
TEST_P(PostgreSQLOptimisticReads, what_is_not_noted_is_read_once_the_others_wait) {
  const std::vector<std::pair<const char*, std::function<Result<void>(Transaction&)>>> reads = {
      {"active machines", [](Transaction& transaction) { return transaction.machines(active_machines(), [](const Machine&) { return true; }); }},
      {"records below several", [](Transaction& transaction) {
         const Id parents[] = {id_of(1), id_of(2)};
         return transaction.records_below(parents, [](const Record&) { return true; });
       }},
      {"events", [](Transaction& transaction) { return transaction.events({}, [](const Event&) { return true; }); }},
      {"peers", [](Transaction& transaction) { return outcome_of(transaction.coordination()->peers()); }},
      {"reports", [](Transaction& transaction) { return outcome_of(transaction.coordination()->reports(PartitionSet::all(), 9)); }}};
  for (const auto& [name, read] : reads) {
    SCOPED_TRACE(name);
    begin_anew();
    {
      auto transaction = begin();
      ASSERT_TRUE(transaction->record(id_of(2)));
      write(other(), edit(2));
      const Result<void> outcome = read(*transaction);
      ASSERT_FALSE(outcome);
      EXPECT_EQ(outcome.error().code, ErrorCode::lost_update) << outcome.error().message;
    }
    open_again();
    auto transaction = begin();
    ASSERT_TRUE(transaction->record(id_of(2)));
    const Result<void> outcome = read(*transaction);
    ASSERT_TRUE(outcome) << outcome.error().message;
    std::atomic<bool> has_written = false;
    std::thread waiting([&] {
      write(other(), edit(3));
      has_written = true;
    });
    EXPECT_TRUE(transaction->validate());
    EXPECT_TRUE(transaction->apply_and_commit(write_beside()));
    transaction.reset();
    waiting.join();
    EXPECT_TRUE(has_written);
  }
}

}  // namespace
}  // namespace orlop::contract
