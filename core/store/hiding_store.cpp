#include "store/hiding_store.h"

#include <unordered_map>
#include <utility>
#include <vector>

namespace orlop {
namespace {

using Roots = std::shared_ptr<const std::unordered_set<Id>>;

class HidingTransaction final : public Transaction {
 public:
  HidingTransaction(std::unique_ptr<Transaction> behind, Roots roots) : behind_(std::move(behind)), roots_(std::move(roots)) {}

  Result<std::optional<Record>> record(const Id& id) override {
    ORLOP_TRY(found, behind_->record(id));
    if (!found) return std::optional<Record>();
    ORLOP_TRY(hidden, is_hidden(found->id, found->parent));
    return hidden ? std::optional<Record>() : std::move(found);
  }
  // A machine lies under its record's id.
  Result<std::optional<Machine>> machine(const Id& id) override {
    ORLOP_TRY(found, behind_->machine(id));
    if (!found) return std::optional<Machine>();
    ORLOP_TRY(hidden, lies_hidden(id));
    return hidden ? std::optional<Machine>() : std::move(found);
  }
  Result<std::optional<Id>> find(std::string_view name_key) override { return unless_hidden(behind_->find(name_key)); }
  Result<std::optional<Id>> find_unlikely(std::string_view name_key) override { return unless_hidden(behind_->find_unlikely(name_key)); }
  Result<RecordLinks> links(const Id& id) override {
    ORLOP_TRY(hidden, lies_hidden(id));
    return hidden ? Result<RecordLinks>(RecordLinks{}) : behind_->links(id);
  }
  Result<void> records(const RecordRange& range, const RecordVisitor& visit) override;
  Result<void> machines(const MachineRange& range, const MachineVisitor& visit) override;
  // Read before they are visited: a visitor must not ask the transaction.
  Result<void> records_by_ids(std::span<const Id> ids, const RecordVisitor& visit) override {
    std::vector<Record> found;
    ORLOP_CHECK(behind_->records_by_ids(ids, [&found](const Record& record) { return found.push_back(record), true; }));
    for (const Record& record : found) {
      ORLOP_TRY(hidden, is_hidden(record.id, record.parent));
      if (!hidden && !visit(record)) break;
    }
    return {};
  }
  Result<void> machines_by_ids(std::span<const Id> ids, const MachineVisitor& visit) override {
    std::vector<Machine> found;
    ORLOP_CHECK(behind_->machines_by_ids(ids, [&found](const Machine& machine) { return found.push_back(machine), true; }));
    for (const Machine& machine : found) {
      ORLOP_TRY(hidden, lies_hidden(machine.id));
      if (!hidden && !visit(machine)) break;
    }
    return {};
  }
  bool reads_in_batches() const override { return behind_->reads_in_batches(); }
  // Only while something is hidden: what is kept counts it too.
  Result<std::vector<RecordCount>> counts(const CountRange& range) override { return counted(range); }
  Result<FeedEnd> feed_end() override { return behind_->feed_end(); }
  Result<void> validate() override { return behind_->validate(); }
  Result<void> check(const FaultVisitor& visit) override { return behind_->check(visit); }
  std::optional<std::uint64_t> last_number() const override { return behind_->last_number(); }
  Coordination* coordination() override { return behind_->coordination(); }
  Result<void> events(const EventRange& range, const EventVisitor& visit) override { return behind_->events(range, visit); }
  Result<void> apply(const Changes& changes) override { return behind_->apply(changes); }
  Result<void> commit() override { return behind_->commit(); }
  Result<void> apply_and_commit(Changes&& changes) override { return behind_->apply_and_commit(std::move(changes)); }

 private:
  Result<bool> lies_hidden(const Id& id) {
    if (id.is_nil()) return false;
    if (roots_->contains(id)) return true;
    if (const auto known = hidden_.find(id); known != hidden_.end()) return known->second;
    ORLOP_TRY(record, behind_->record(id));
    const Id parent = record ? record->parent : Id{};
    ORLOP_TRY(hidden, lies_hidden(parent));
    hidden_.emplace(id, hidden);
    return hidden;
  }
  // The same of a record that has been read. It is not remembered: most are asked for once.
  Result<bool> is_hidden(const Id& id, const Id& parent) {
    return roots_->contains(id) ? Result<bool>(true) : lies_hidden(parent);
  }
  Result<std::optional<Id>> unless_hidden(Result<std::optional<Id>> found) {
    if (!found || !*found) return found;
    ORLOP_TRY(hidden, lies_hidden(**found));
    return hidden ? std::optional<Id>() : std::move(found);
  }

  std::unique_ptr<Transaction> behind_;
  Roots roots_;
  std::unordered_map<Id, bool> hidden_;  // of what lies above what was asked for
};

// What lies below one record is hidden with it. Referrers lie anywhere: a visitor must not ask the transaction, so that their parents
// are known before they are visited.
Result<void> HidingTransaction::records(const RecordRange& range, const RecordVisitor& visit) {
  if (range.by == RecordRange::By::parent) {
    ORLOP_TRY(hidden, lies_hidden(range.key));
    if (hidden) return {};
  } else {
    std::vector<Id> parents;
    RecordRange bare = range;
    bare.fields = RecordRange::Fields::no_text;
    bare.limit = SIZE_MAX;
    ORLOP_CHECK(behind_->records(bare, [&](const Record& record) {
      if (parents.empty() || parents.back() != record.parent) parents.push_back(record.parent);
      return true;
    }));
    for (const Id& parent : parents) {
      if (auto known = lies_hidden(parent); !known) return std::move(known).error();
    }
  }
  const auto is_known_hidden = [&](const Record& record) {
    if (roots_->contains(record.id) || roots_->contains(record.parent)) return true;
    const auto known = hidden_.find(record.parent);
    return known != hidden_.end() && known->second;
  };
  RecordRange wide = range;
  wide.limit = SIZE_MAX;
  std::size_t left = range.limit;
  if (left == 0) return {};
  return behind_->records(wide, [&](const Record& record) {
    if (is_known_hidden(record)) return true;
    return visit(record) && --left > 0;
  });
}

Result<void> HidingTransaction::machines(const MachineRange& range, const MachineVisitor& visit) {
  if (range.by == MachineRange::By::owner) {
    ORLOP_TRY(hidden, lies_hidden(range.owner));
    if (hidden) return {};
  }
  std::vector<Machine> found;
  ORLOP_CHECK(behind_->machines(range, [&](const Machine& machine) {
    found.push_back(machine);
    return true;
  }));
  for (const Machine& machine : found) {
    ORLOP_TRY(hidden, range.by == MachineRange::By::owner ? Result<bool>(roots_->contains(machine.id)) : lies_hidden(machine.id));
    if (!hidden && !visit(machine)) return {};
  }
  return {};
}

}  // namespace

HidingStore::Roots HidingStore::roots() {
  if (!has_roots_.load(std::memory_order_acquire)) return nullptr;
  const std::lock_guard lock(mutex_);
  return roots_;
}

Result<std::unique_ptr<Transaction>> HidingStore::begin(Access access) {
  ORLOP_TRY(transaction, store_->begin(access));
  Roots hidden = roots();  // looked up after the beginning: what was hidden before it stays hidden
  if (hidden == nullptr) return std::move(transaction);
  return std::unique_ptr<Transaction>(std::make_unique<HidingTransaction>(std::move(transaction), std::move(hidden)));
}

Store::Act HidingStore::hidden_from(const Act& act) {
  return [this, &act](std::unique_ptr<Transaction> transaction) {
    Roots hidden = roots();
    if (hidden == nullptr) return act(std::move(transaction));
    return act(std::make_unique<HidingTransaction>(std::move(transaction), std::move(hidden)));
  };
}

Result<void> HidingStore::read(const Act& act) { return store_->read(hidden_from(act)); }
Result<void> HidingStore::write(const Act& act) { return store_->write(hidden_from(act)); }

void HidingStore::hide(const Id& root) {
  const std::lock_guard lock(mutex_);
  auto roots = roots_ == nullptr ? std::make_shared<std::unordered_set<Id>>() : std::make_shared<std::unordered_set<Id>>(*roots_);
  roots->insert(root);
  roots_ = std::move(roots);
  has_roots_.store(true, std::memory_order_release);
}

void HidingStore::show(const Id& root) {
  const std::lock_guard lock(mutex_);
  if (roots_ == nullptr) return;
  auto roots = std::make_shared<std::unordered_set<Id>>(*roots_);
  roots->erase(root);
  roots_ = roots->empty() ? nullptr : std::move(roots);
  has_roots_.store(roots_ != nullptr, std::memory_order_release);
}

}  // namespace orlop
