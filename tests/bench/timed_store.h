// A store that measures its write transactions: for as long as one is open, other writers wait.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <memory>
#include <utility>

#include "store/store.h"

namespace bench {

struct CommitTimes {
  std::size_t commits = 0;
  double longest = 0;            // ms on the clock, from the beginning of a transaction to its end
  double longest_processor = 0;  // ms of the processor, for a machine that others use too
};

class TimedTransaction final : public orlop::Transaction {
 public:
  TimedTransaction(std::unique_ptr<Transaction> behind, CommitTimes& times) : behind_(std::move(behind)), times_(times) {}
  ~TimedTransaction() override {
    behind_.reset();
    const double elapsed = std::chrono::duration<double, std::milli>(Clock::now() - begun_).count();
    times_.longest = std::max(times_.longest, elapsed);
    times_.longest_processor = std::max(times_.longest_processor, 1000.0 * static_cast<double>(std::clock() - used_) / CLOCKS_PER_SEC);
  }
  TimedTransaction(const TimedTransaction&) = delete;
  TimedTransaction& operator=(const TimedTransaction&) = delete;

  orlop::Result<std::optional<orlop::Record>> record(const orlop::Id& id) override { return behind_->record(id); }
  orlop::Result<std::optional<orlop::Machine>> machine(const orlop::Id& id) override { return behind_->machine(id); }
  orlop::Result<std::optional<orlop::Id>> find(std::string_view name_key) override { return behind_->find(name_key); }
  orlop::Result<orlop::RecordLinks> links(const orlop::Id& id) override { return behind_->links(id); }
  orlop::Result<void> records(const orlop::RecordRange& range, const orlop::RecordVisitor& visit) override { return behind_->records(range, visit); }
  orlop::Result<void> machines(const orlop::MachineRange& range, const orlop::MachineVisitor& visit) override { return behind_->machines(range, visit); }
  orlop::Result<std::vector<orlop::RecordCount>> counts(const orlop::CountRange& range) override { return behind_->counts(range); }
  orlop::Result<void> events(const orlop::EventRange& range, const orlop::EventVisitor& visit) override { return behind_->events(range, visit); }
  orlop::Result<void> apply(const orlop::Changes& changes) override { return behind_->apply(changes); }
  orlop::Result<void> commit() override {
    ++times_.commits;
    return behind_->commit();
  }
  orlop::Result<orlop::FeedEnd> feed_end() override { return behind_->feed_end(); }
  orlop::Coordination* coordination() override { return behind_->coordination(); }
  orlop::Result<void> records_by_ids(std::span<const orlop::Id> ids, const orlop::RecordVisitor& visit) override { return behind_->records_by_ids(ids, visit); }
  orlop::Result<void> machines_by_ids(std::span<const orlop::Id> ids, const orlop::MachineVisitor& visit) override { return behind_->machines_by_ids(ids, visit); }
  orlop::Result<void> records_below(std::span<const orlop::Id> parents, const orlop::RecordVisitor& visit) override { return behind_->records_below(parents, visit); }
  bool reads_in_batches() const override { return behind_->reads_in_batches(); }

 private:
  using Clock = std::chrono::steady_clock;
  std::unique_ptr<Transaction> behind_;
  CommitTimes& times_;
  Clock::time_point begun_ = Clock::now();
  std::clock_t used_ = std::clock();
};

class TimedStore final : public orlop::Store {
 public:
  // `times` outlives the store.
  TimedStore(std::unique_ptr<Store> behind, CommitTimes& times) : behind_(std::move(behind)), times_(times) {}
  orlop::Result<std::unique_ptr<orlop::Transaction>> begin(orlop::Access access) override {
    ORLOP_TRY(transaction, behind_->begin(access));
    if (access == orlop::Access::read) return std::move(transaction);
    return std::unique_ptr<orlop::Transaction>(std::make_unique<TimedTransaction>(std::move(transaction), times_));
  }

 private:
  std::unique_ptr<Store> behind_;
  CommitTimes& times_;
};

}  // namespace bench
