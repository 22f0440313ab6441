#include "unit/deploy/counting_store.h"

#include <utility>

#include "store/forwarding_transaction.h"

namespace orlop {
namespace {

class CountingTransaction : public ForwardingTransaction {
 public:
  CountingTransaction(std::unique_ptr<Transaction> behind, StoreCounts& counts, bool in_batches)
      : ForwardingTransaction(std::move(behind)), counts_(counts), in_batches_(in_batches) {
    ++counts_.open;
  }
  CountingTransaction(const CountingTransaction&) = delete;
  CountingTransaction& operator=(const CountingTransaction&) = delete;
  ~CountingTransaction() override { --counts_.open; }

  Result<Shared<Record>> record(const Id& id) override { return count_one(behind().record(id)); }
  Result<Shared<Machine>> machine(const Id& id) override { return count_one(behind().machine(id)); }
  Result<std::optional<Id>> find(std::string_view name_key, Expected expected) override {
    return count_one(behind().find(name_key, expected));
  }
  Result<void> records(const RecordRange& range, const RecordVisitor& visit) override {
    return behind().records(range, counted(visit));
  }
  Result<void> machines(const MachineRange& range, const MachineVisitor& visit) override {
    return behind().machines(range, counted(visit));
  }
  bool reads_in_batches() const override { return in_batches_; }
  Result<FeedEnd> feed_end() override { return Transaction::feed_end(); }  // reads the last event, which is counted
  Result<Rows> rows(const RowKeys& keys) override {
    counts_.asked += !keys.records.empty() + !keys.machines.empty() + !keys.parents.empty();
    ORLOP_TRY(found, behind().rows(keys));
    counts_.rows += found.records.size() + found.machines.size() + found.children.size();
    return found;
  }
  Result<std::vector<RecordCount>> counts(const CountRange& range) override {
    ++counts_.asked;
    ORLOP_TRY(found, behind().counts(range));
    counts_.rows += found.size();
    return std::move(found);
  }
  Result<void> events(const EventRange& range, const EventVisitor& visit) override {
    return behind().events(range, counted(visit));
  }
  Result<void> apply(Changes changes) override {
    counts_.written +=
        changes.erasures.size() + changes.records.size() + changes.machines.size() + changes.events.size();
    return behind().apply(std::move(changes));
  }
  Result<void> apply_and_commit(Changes changes) override { return Transaction::apply_and_commit(std::move(changes)); }

 private:
  template <typename Found>
  Found count_one(Found found) {
    ++counts_.asked;
    if (found && *found) ++counts_.rows;
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

  StoreCounts& counts_;
  bool in_batches_;
};

class CountingStore : public Store {
 public:
  CountingStore(std::unique_ptr<Store> behind, StoreCounts& counts, bool in_batches)
      : behind_(std::move(behind)), counts_(counts), in_batches_(in_batches) {}

  Result<std::unique_ptr<Transaction>> begin(Access access) override {
    ORLOP_TRY(transaction, behind_->begin(access));
    return std::unique_ptr<Transaction>(
        std::make_unique<CountingTransaction>(std::move(transaction), counts_, in_batches_));
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
