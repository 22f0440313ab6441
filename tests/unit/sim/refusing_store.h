// A store in memory that refuses some of the changes that are written to it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "store/open.h"

namespace orlop::tests {

class RefusingStore final : public Store {
 public:
  // The change of this number (from 1, counted from here) is refused, and all that its transaction has changed is undone. 0: none.
  void refuse_at(std::size_t number) {
    count_ = 0;
    refused_ = number;
  }
  // Each change with such a number is refused; 0: none.
  void refuse_each(std::size_t number) {
    refuse_at(0);
    each_ = number;
  }
  std::size_t changes() const { return count_; }
  // While it is off, changes are not counted, and none is refused.
  bool is_on = true;
  // Whether it has optimistic transactions, and whether what they have read is no longer so.
  bool can_be_optimistic = false;
  bool is_stale = false;
  std::size_t optimistic = 0;  // that were begun
  bool is_optimistic() const override { return can_be_optimistic; }
  bool has_refused() const { return refused_ != 0 && count_ >= refused_; }

  Result<std::unique_ptr<Transaction>> begin(Access access) override {
    const bool is_optimistic = access == Access::optimistic;
    optimistic += is_optimistic ? 1 : 0;
    ORLOP_TRY(transaction, store_->begin(is_optimistic ? Access::write : access));
    return std::unique_ptr<Transaction>(std::make_unique<Refusing>(*this, std::move(transaction), is_optimistic));
  }

 private:
  class Refusing final : public Transaction {
   public:
    Refusing(RefusingStore& store, std::unique_ptr<Transaction> behind, bool is_optimistic) : store_(store), behind_(std::move(behind)), is_optimistic_(is_optimistic) {}
    Result<std::optional<Record>> record(const Id& id) override { return behind_->record(id); }
    Result<std::optional<Machine>> machine(const Id& id) override { return behind_->machine(id); }
    Result<std::optional<Id>> find(std::string_view name_key) override { return behind_->find(name_key); }
    Result<RecordLinks> links(const Id& id) override { return behind_->links(id); }
    Result<void> records(const RecordRange& range, const RecordVisitor& visit) override { return behind_->records(range, visit); }
    Result<void> machines(const MachineRange& range, const MachineVisitor& visit) override { return behind_->machines(range, visit); }
    Result<std::vector<RecordCount>> counts(const CountRange& range) override { return behind_->counts(range); }
    Result<void> events(const EventRange& range, const EventVisitor& visit) override { return behind_->events(range, visit); }
    Result<void> apply(const Changes& changes) override {
      ORLOP_CHECK(validate());
      const std::size_t number = store_.is_on ? ++store_.count_ : 0;
      if (store_.is_on && (number == store_.refused_ || (store_.each_ != 0 && number % store_.each_ == 0))) return make_error(ErrorCode::storage_failed, "the disk is full");
      return behind_->apply(changes);
    }
    Result<void> commit() override { return behind_->commit(); }
    Result<void> validate() override {
      return is_optimistic_ && store_.is_stale ? make_error(ErrorCode::lost_update, "another one has changed it") : Result<void>();
    }

   private:
    RefusingStore& store_;
    std::unique_ptr<Transaction> behind_;
    bool is_optimistic_;
  };

  std::shared_ptr<Store> store_ = open_store("memory:").value();
  std::size_t count_ = 0;
  std::size_t refused_ = 0;
  std::size_t each_ = 0;
};

}  // namespace orlop::tests
