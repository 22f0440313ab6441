// A store in front of another one that hides trees of records: those that are being erased in several commits (ops/tree/removal.h). Neither the root nor anything below it
// is found, listed or counted. Unique names remain taken, and events remain visible. While nothing is hidden, transactions are those of the store behind.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_set>

#include "store/store.h"

namespace orlop {

class HidingStore final : public Store {
 public:
  explicit HidingStore(std::shared_ptr<Store> store) : store_(std::move(store)) {}

  Result<std::unique_ptr<Transaction>> begin(Access access) override;
  bool is_optimistic() const override { return store_->is_optimistic(); }
  Result<void> read(const Act& act) override;
  Result<void> write(const Act& act) override;

  // Applies to every transaction that begins afterwards. Any thread.
  void hide(const Id& root);
  void show(const Id& root);

 private:
  using Roots = std::shared_ptr<const std::unordered_set<Id>>;

  // nullptr: none.
  Roots roots();
  // The act in a transaction without what is hidden when it begins.
  Act hidden_from(const Act& act);

  std::shared_ptr<Store> store_;
  std::atomic<bool> has_roots_ = false;
  std::mutex mutex_;  // guards what follows
  Roots roots_;  // replaced as a whole: open transactions keep theirs
};

}  // namespace orlop
