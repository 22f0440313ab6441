#include "unit/without_deleted.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "store/forwarding_transaction.h"
#include "store/partition.h"
#include "unit/deletions.h"

namespace orlop {
namespace {

class WithoutDeleted final : public ForwardingTransaction {
 public:
  WithoutDeleted(std::unique_ptr<Transaction> behind, const std::vector<Deletion>& deletions)
      : ForwardingTransaction(std::move(behind)) {
    for (const Deletion& deletion : deletions) {
      organizations_.insert(deletion.organization);
      partitions_.add(partition_of(deletion.organization));
      roots_.insert(deletion.roots.begin(), deletion.roots.end());
    }
  }

  Result<Shared<Record>> record(const Id& id) override {
    ORLOP_TRY(found, behind().record(id));
    if (!found) return Shared<Record>();
    ORLOP_TRY(hidden, is_hidden(*found));
    return hidden ? Shared<Record>() : std::move(found);
  }
  // A machine has the id of its record.
  Result<Shared<Machine>> machine(const Id& id) override {
    ORLOP_TRY(found, behind().machine(id));
    if (!found) return Shared<Machine>();
    ORLOP_TRY(hidden, lies_hidden(id));
    return hidden ? Shared<Machine>() : std::move(found);
  }
  Result<Rows> rows(const RowKeys& keys) override {
    ORLOP_TRY(found, behind().rows(keys));
    for (auto* const records : {&found.records, &found.children}) {
      ORLOP_CHECK(leave_out_hidden(*records, [&](const Record& record) { return is_hidden(record); }));
    }
    ORLOP_CHECK(leave_out_hidden(found.machines, [&](const Machine& machine) { return lies_hidden(machine.id); }));
    return found;
  }
  Result<std::optional<Id>> find(std::string_view name_key, Expected expected) override {
    ORLOP_TRY(found, behind().find(name_key, expected));
    if (!found) return std::optional<Id>();
    ORLOP_TRY(hidden, lies_hidden(*found));
    return hidden ? std::optional<Id>() : std::move(found);
  }
  Result<RecordLinks> links(const Id& id) override {
    ORLOP_TRY(hidden, lies_hidden(id));
    return hidden ? Result<RecordLinks>(RecordLinks{}) : behind().links(id);
  }
  Result<void> records(const RecordRange& range, const RecordVisitor& visit) override;
  Result<void> machines(const MachineRange& range, const MachineVisitor& visit) override;
  Result<std::vector<RecordCount>> counts(const CountRange& range) override;

 private:
  Result<bool> lies_hidden(const Id& id) {
    if (id.is_nil()) return false;
    if (roots_.contains(id)) return true;
    if (const auto known = hidden_.find(id); known != hidden_.end()) return known->second;
    ORLOP_TRY(record, behind().record(id));
    bool is_below = false;
    if (record && organizations_.contains(record->organization)) {
      ORLOP_TRY(hidden, lies_hidden(record->parent));
      is_below = hidden;
    }
    hidden_.emplace(id, is_below);
    return is_below;
  }
  // lies_hidden() for a record that was read. The result is not cached: most records are asked for once.
  Result<bool> is_hidden(const Record& record) {
    if (!organizations_.contains(record.organization)) return false;
    return roots_.contains(record.id) ? Result<bool>(true) : lies_hidden(record.parent);
  }
  // Removes the rows for which `hides` is true.
  template <typename Row, typename Hides>
  static Result<void> leave_out_hidden(std::vector<Shared<Row>>& rows, const Hides& hides) {
    std::vector<Shared<Row>> visible;
    for (Shared<Row>& row : rows) {
      ORLOP_TRY(hidden, hides(*row));
      if (!hidden) visible.push_back(std::move(row));
    }
    rows = std::move(visible);
    return {};
  }
  Result<void> referrers(const RecordRange& range, const RecordVisitor& visit);
  Result<bool> may_count_hidden(const Id& key);

  std::unordered_set<Id> organizations_;
  PartitionSet partitions_;  // of these organizations
  std::unordered_set<Id> roots_;
  std::unordered_map<Id, bool> hidden_;  // results of lies_hidden() for ancestors
};

// If the parent is hidden, so are all records below it.
Result<void> WithoutDeleted::records(const RecordRange& range, const RecordVisitor& visit) {
  if (range.limit == 0) return {};
  if (range.by == RecordRange::By::reference) return referrers(range, visit);
  ORLOP_TRY(hidden, lies_hidden(range.key));
  if (hidden) return {};
  RecordRange wide = range;
  wide.limit = SIZE_MAX;
  std::size_t left = range.limit;
  return behind().records(
      wide, [&](const Record& record) { return roots_.contains(record.id) || (visit(record) && --left > 0); });
}

// Referrers can have any parent. A visitor must not call the transaction, so that the state of their parents is
// determined first.
Result<void> WithoutDeleted::referrers(const RecordRange& range, const RecordVisitor& visit) {
  std::vector<Id> parents;
  RecordRange bare = range;
  bare.fields = RecordRange::Fields::no_text;
  bare.limit = SIZE_MAX;
  ORLOP_CHECK(behind().records(bare, [&](const Record& record) {
    const bool may_hide = organizations_.contains(record.organization);
    if (may_hide && (parents.empty() || parents.back() != record.parent)) parents.push_back(record.parent);
    return true;
  }));
  for (const Id& parent : parents) {
    if (auto known = lies_hidden(parent); !known) return std::move(known).error();
  }
  const auto is_known_hidden = [&](const Record& record) {
    if (roots_.contains(record.id) || roots_.contains(record.parent)) return true;
    const auto known = hidden_.find(record.parent);
    return known != hidden_.end() && known->second;
  };
  RecordRange wide = range;
  wide.limit = SIZE_MAX;
  std::size_t left = range.limit;
  return behind().records(
      wide, [&](const Record& record) { return is_known_hidden(record) || (visit(record) && --left > 0); });
}

Result<void> WithoutDeleted::machines(const MachineRange& range, const MachineVisitor& visit) {
  const bool by_owner = range.by == MachineRange::By::owner;
  if (by_owner) {
    ORLOP_TRY(hidden, lies_hidden(range.owner));
    if (hidden) return {};
    return behind().machines(range,
                             [&](const Machine& machine) { return roots_.contains(machine.id) || visit(machine); });
  }
  std::vector<Machine> found;
  ORLOP_CHECK(behind().machines(range, [&found](const Machine& machine) { return found.push_back(machine), true; }));
  for (const Machine& machine : found) {
    ORLOP_TRY(hidden, partitions_.contains(machine.partition) ? lies_hidden(machine.id) : Result<bool>(false));
    if (!hidden && !visit(machine)) break;
  }
  return {};
}

// The counts of the store include hidden records.
Result<std::vector<RecordCount>> WithoutDeleted::counts(const CountRange& range) {
  for (const Id& key : range.keys) {
    ORLOP_TRY(may, may_count_hidden(key));
    if (may) return counted(range);
  }
  return behind().counts(range);
}

// A key may be the id of something that is not a record, such as an item.
Result<bool> WithoutDeleted::may_count_hidden(const Id& key) {
  if (key.is_nil()) return true;
  ORLOP_TRY(record, behind().record(key));
  return !record || organizations_.contains(record->organization);
}

}  // namespace

Result<std::unique_ptr<Transaction>> without_deleted(std::unique_ptr<Transaction> transaction) {
  ORLOP_TRY(deletions, deletions_in(*transaction));
  if (deletions.empty()) return transaction;
  return std::unique_ptr<Transaction>(std::make_unique<WithoutDeleted>(std::move(transaction), deletions));
}

}  // namespace orlop
