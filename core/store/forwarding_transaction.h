// A transaction that forwards every call to another one. Base of transactions that change a part of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "store/refusal.h"
#include "store/store.h"

namespace orlop {

class ForwardingTransaction : public Transaction {
 public:
  explicit ForwardingTransaction(std::unique_ptr<Transaction> behind)
      : owned_(std::move(behind)), behind_(owned_.get()) {}
  explicit ForwardingTransaction(Transaction& behind) : behind_(&behind) {}

  Result<Shared<Record>> record(const Id& id) override { return is_over() ? ended_transaction() : behind_->record(id); }
  Result<Shared<Machine>> machine(const Id& id) override {
    return is_over() ? ended_transaction() : behind_->machine(id);
  }
  Result<Rows> rows(const RowKeys& keys) override { return is_over() ? ended_transaction() : behind_->rows(keys); }
  bool reads_in_batches() const override { return !is_over() && behind_->reads_in_batches(); }
  Result<std::optional<Id>> find(std::string_view name_key, Expected expected) override {
    return is_over() ? ended_transaction() : behind_->find(name_key, expected);
  }
  Result<RecordLinks> links(const Id& id) override { return is_over() ? ended_transaction() : behind_->links(id); }
  Result<void> records(const RecordRange& range, const RecordVisitor& visit) override {
    return is_over() ? ended_transaction() : behind_->records(range, visit);
  }
  Result<void> machines(const MachineRange& range, const MachineVisitor& visit) override {
    return is_over() ? ended_transaction() : behind_->machines(range, visit);
  }
  Result<std::vector<RecordCount>> counts(const CountRange& range) override {
    return is_over() ? ended_transaction() : behind_->counts(range);
  }
  Result<void> events(const EventRange& range, const EventVisitor& visit) override {
    return is_over() ? ended_transaction() : behind_->events(range, visit);
  }
  Result<FeedEnd> feed_end() override { return is_over() ? ended_transaction() : behind_->feed_end(); }
  Result<void> check(const FaultVisitor& visit) override {
    return is_over() ? ended_transaction() : behind_->check(visit);
  }
  Coordination* coordination() override { return is_over() ? nullptr : behind_->coordination(); }
  Result<void> apply(Changes changes) override {
    return is_over() ? ended_transaction() : behind_->apply(std::move(changes));
  }
  Result<void> commit() override { return is_over() ? ended_transaction() : behind_->commit(); }
  Result<void> apply_and_commit(Changes changes) override {
    return is_over() ? ended_transaction() : behind_->apply_and_commit(std::move(changes));
  }
  Result<void> validate() override { return is_over() ? ended_transaction() : behind_->validate(); }
  std::optional<std::uint64_t> last_number() const override { return behind_->last_number(); }

 protected:
  Transaction& behind() const { return *behind_; }
  // Ends the transaction behind, if this one owns it. No call may follow.
  void release() { owned_.reset(), end(); }
  // Stops forwarding: later calls return ended_transaction().
  void end() { is_over_ = true; }
  bool is_over() const { return is_over_; }

 private:
  std::unique_ptr<Transaction> owned_;
  Transaction* behind_;
  bool is_over_ = false;
};

}  // namespace orlop
