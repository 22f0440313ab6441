// A store that measures its write transactions: an open one blocks other writers.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <memory>
#include <utility>

#include "store/forwarding_transaction.h"
#include "store/store.h"

namespace bench {

struct CommitTimes {
  std::size_t commits = 0;
  double longest = 0;            // ms on the clock, from the beginning of a transaction to its end
  double longest_processor = 0;  // ms of the processor, for a machine that others use too
};

class TimedTransaction final : public orlop::ForwardingTransaction {
 public:
  TimedTransaction(std::unique_ptr<Transaction> behind, CommitTimes& times)
      : ForwardingTransaction(std::move(behind)), times_(times) {}
  ~TimedTransaction() override {
    release();
    const double elapsed = std::chrono::duration<double, std::milli>(Clock::now() - begun_).count();
    times_.longest = std::max(times_.longest, elapsed);
    times_.longest_processor =
        std::max(times_.longest_processor, 1000.0 * static_cast<double>(std::clock() - used_) / CLOCKS_PER_SEC);
  }
  TimedTransaction(const TimedTransaction&) = delete;
  TimedTransaction& operator=(const TimedTransaction&) = delete;

  orlop::Result<void> commit() override {
    ++times_.commits;
    return behind().commit();
  }
  orlop::Result<void> apply_and_commit(orlop::Changes changes) override {
    return Transaction::apply_and_commit(std::move(changes));
  }

 private:
  using Clock = std::chrono::steady_clock;
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
