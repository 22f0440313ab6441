// A store in memory that refuses some of the changes written to it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "store/forwarding_transaction.h"
#include "store/open.h"

namespace orlop::tests {

class RefusingStore final : public Store {
 public:
  // Refuses the change of this number (from 1, counted from here) and rolls back its transaction. 0: none.
  void refuse_at(std::size_t number) {
    count_ = 0;
    refused_ = number;
  }
  // Refuses every `number`-th change; 0: none.
  void refuse_each(std::size_t number) {
    refuse_at(0);
    each_ = number;
  }
  std::size_t changes() const { return count_; }
  // While false, changes are neither counted nor refused.
  bool is_on = true;
  // Whether it has optimistic transactions, and whether their reads count as outdated.
  bool can_be_optimistic = false;
  bool is_stale = false;
  std::size_t optimistic = 0;  // number of those begun
  bool is_optimistic() const override { return can_be_optimistic; }
  bool has_refused() const { return refused_ != 0 && count_ >= refused_; }

  Result<std::unique_ptr<Transaction>> begin(Access access) override {
    const bool is_optimistic = access == Access::optimistic;
    optimistic += is_optimistic ? 1 : 0;
    ORLOP_TRY(transaction, store_->begin(is_optimistic ? Access::write : access));
    return std::unique_ptr<Transaction>(std::make_unique<Refusing>(*this, std::move(transaction), is_optimistic));
  }

 private:
  class Refusing final : public ForwardingTransaction {
   public:
    Refusing(RefusingStore& store, std::unique_ptr<Transaction> behind, bool is_optimistic)
        : ForwardingTransaction(std::move(behind)), store_(store), is_optimistic_(is_optimistic) {}
    Result<void> apply_and_commit(Changes changes) override {
      return Transaction::apply_and_commit(std::move(changes));
    }
    Result<void> apply(Changes changes) override {
      ORLOP_CHECK(validate());
      const std::size_t number = store_.is_on ? ++store_.count_ : 0;
      if (store_.is_on && (number == store_.refused_ || (store_.each_ != 0 && number % store_.each_ == 0)))
        return make_error(ErrorCode::storage_failed, "the disk is full");
      return behind().apply(std::move(changes));
    }
    Result<void> validate() override {
      return is_optimistic_ && store_.is_stale ? make_error(ErrorCode::lost_update, "another one has changed it")
                                               : Result<void>();
    }

   private:
    RefusingStore& store_;
    bool is_optimistic_;
  };

  std::shared_ptr<Store> store_ = open_store("memory:").value();
  std::size_t count_ = 0;
  std::size_t refused_ = 0;
  std::size_t each_ = 0;
};

}  // namespace orlop::tests
