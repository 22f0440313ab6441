// A store in memory behind a forwarding store: either shared by engines, or used by a single engine without leases.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "store/open.h"
#include "store/store.h"

namespace bench {

class PassingTransaction final : public orlop::Transaction {
 public:
  PassingTransaction(std::unique_ptr<orlop::Transaction> behind, bool is_shared)
      : behind_(std::move(behind)), is_shared_(is_shared) {}
  orlop::Result<std::optional<orlop::Record>> record(const orlop::Id& id) override { return behind_->record(id); }
  orlop::Result<std::optional<orlop::Machine>> machine(const orlop::Id& id) override { return behind_->machine(id); }
  orlop::Result<std::optional<orlop::Id>> find(std::string_view name_key) override { return behind_->find(name_key); }
  orlop::Result<orlop::RecordLinks> links(const orlop::Id& id) override { return behind_->links(id); }
  orlop::Result<void> records(const orlop::RecordRange& range, const orlop::RecordVisitor& visit) override {
    return behind_->records(range, visit);
  }
  orlop::Result<void> machines(const orlop::MachineRange& range, const orlop::MachineVisitor& visit) override {
    return behind_->machines(range, visit);
  }
  orlop::Result<std::vector<orlop::RecordCount>> counts(const orlop::CountRange& range) override {
    return behind_->counts(range);
  }
  orlop::Result<void> events(const orlop::EventRange& range, const orlop::EventVisitor& visit) override {
    return behind_->events(range, visit);
  }
  orlop::Result<void> apply(const orlop::Changes& changes) override { return behind_->apply(changes); }
  orlop::Result<void> commit() override { return behind_->commit(); }
  orlop::Result<void> apply_and_commit(orlop::Changes&& changes) override {
    return behind_->apply_and_commit(std::move(changes));
  }
  orlop::Result<orlop::FeedEnd> feed_end() override { return behind_->feed_end(); }
  orlop::Coordination* coordination() override { return is_shared_ ? behind_->coordination() : nullptr; }

 private:
  std::unique_ptr<orlop::Transaction> behind_;
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
