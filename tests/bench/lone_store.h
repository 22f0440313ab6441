// A store in memory behind a forwarding store: either shared by engines, or used by a single engine without leases.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "store/forwarding_transaction.h"
#include "store/open.h"
#include "store/store.h"

namespace bench {

class PassingTransaction final : public orlop::ForwardingTransaction {
 public:
  PassingTransaction(std::unique_ptr<orlop::Transaction> behind, bool is_shared)
      : ForwardingTransaction(std::move(behind)), is_shared_(is_shared) {}
  orlop::Coordination* coordination() override { return is_shared_ ? behind().coordination() : nullptr; }

 private:
  bool is_shared_;
};

class PassingStore final : public orlop::Store {
 public:
  explicit PassingStore(bool is_shared) : behind_(orlop::open_memory_store()), is_shared_(is_shared) {}
  orlop::Result<std::unique_ptr<orlop::Transaction>> begin(orlop::Access access) override {
    ORLOP_TRY(begun, behind_->begin(access));
    return std::unique_ptr<orlop::Transaction>(std::make_unique<PassingTransaction>(std::move(begun), is_shared_));
  }
  orlop::Result<std::unique_ptr<orlop::Membership>> join(const orlop::Id& engine,
                                                         std::function<void()> notify) override {
    return is_shared_ ? behind_->join(engine, std::move(notify)) : orlop::Store::join(engine, std::move(notify));
  }

 private:
  std::unique_ptr<orlop::Store> behind_;
  bool is_shared_;
};

}  // namespace bench
