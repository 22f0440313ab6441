#include "unit/deploy/counting_store.h"

#include <utility>

namespace orlop {
namespace {

class CountingTransaction : public Transaction {
 public:
  CountingTransaction(std::unique_ptr<Transaction> behind, StoreCounts& counts, bool in_batches)
      : behind_(std::move(behind)), counts_(counts), in_batches_(in_batches) {
    ++counts_.open;
  }
  CountingTransaction(const CountingTransaction&) = delete;
  CountingTransaction& operator=(const CountingTransaction&) = delete;
  ~CountingTransaction() override { --counts_.open; }

  Result<std::optional<Record>> record(const Id& id) override { return count_one(behind_->record(id)); }
  Result<std::optional<Machine>> machine(const Id& id) override { return count_one(behind_->machine(id)); }
  Result<std::optional<Id>> find(std::string_view name_key) override { return count_one(behind_->find(name_key)); }
  Result<RecordLinks> links(const Id& id) override { return behind_->links(id); }
  Result<void> records(const RecordRange& range, const RecordVisitor& visit) override { return behind_->records(range, counted(visit)); }
  Result<void> machines(const MachineRange& range, const MachineVisitor& visit) override {
    return behind_->machines(range, counted(visit));
  }
  bool reads_in_batches() const override { return in_batches_; }
  Result<void> records_by_ids(std::span<const Id> ids, const RecordVisitor& visit) override { return behind_->records_by_ids(ids, counted(visit)); }
  Result<void> machines_by_ids(std::span<const Id> ids, const MachineVisitor& visit) override { return behind_->machines_by_ids(ids, counted(visit)); }
  Result<void> records_below(std::span<const Id> parents, const RecordVisitor& visit) override { return behind_->records_below(parents, counted(visit)); }
  Result<std::vector<RecordCount>> counts(const CountRange& range) override {
    ++counts_.asked;
    ORLOP_TRY(found, behind_->counts(range));
    counts_.rows += found.size();
    return std::move(found);
  }
  Result<void> events(const EventRange& range, const EventVisitor& visit) override {
    return behind_->events(range, counted(visit));
  }
  Result<void> apply(const Changes& changes) override {
    counts_.written += changes.erasures.size() + changes.records.size() + changes.machines.size() + changes.events.size();
    return behind_->apply(changes);
  }
  Result<void> commit() override { return behind_->commit(); }

 private:
  template <typename Found>
  Found count_one(Found found) {
    ++counts_.asked;
    if (found && found->has_value()) ++counts_.rows;
    return found;
  }
  template <typename Row>
  std::function<bool(const Row&)> counted(const std::function<bool(const Row&)>& visit) {
    ++counts_.asked;
    return [this, &visit](const Row& row) {
      ++counts_.rows;
      return visit(row);
    };
  }

  std::unique_ptr<Transaction> behind_;
  StoreCounts& counts_;
  bool in_batches_;
};

class CountingStore : public Store {
 public:
  CountingStore(std::unique_ptr<Store> behind, StoreCounts& counts, bool in_batches) : behind_(std::move(behind)), counts_(counts), in_batches_(in_batches) {}

  Result<std::unique_ptr<Transaction>> begin(Access access) override {
    ORLOP_TRY(transaction, behind_->begin(access));
    return std::unique_ptr<Transaction>(std::make_unique<CountingTransaction>(std::move(transaction), counts_, in_batches_));
  }

 private:
  std::unique_ptr<Store> behind_;
  StoreCounts& counts_;
  bool in_batches_;
};

}  // namespace

std::unique_ptr<Store> count_store(std::unique_ptr<Store> store, StoreCounts& counts, bool in_batches) {
  return std::make_unique<CountingStore>(std::move(store), counts, in_batches);
}

}  // namespace orlop
