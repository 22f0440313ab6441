#include "ops/commit.h"

namespace orlop {

Result<std::vector<Id>> Committer::run(const Work& work) {
  Pending pending;
  pending.work = &work;
  std::unique_lock lock(mutex_);
  waiting_.push_back(&pending);
  while (!pending.is_done) {
    if (has_leader_) {
      done_.wait(lock);
    } else {
      lead(lock);
    }
  }
  if (!pending.outcome) return std::move(pending.outcome).error();
  return std::move(pending.woken);
}

// The first thread that finds no leader commits for all that wait; those that come meanwhile make up the next batch.
void Committer::lead(std::unique_lock<std::mutex>& lock) {
  has_leader_ = true;
  std::vector<Pending*> batch = std::move(waiting_);
  waiting_.clear();
  lock.unlock();
  commit_together(batch);
  lock.lock();
  for (Pending* pending : batch) pending->is_done = true;
  has_leader_ = false;
  done_.notify_all();
}

void Committer::commit_together(std::vector<Pending*>& batch) {
  if (batch.size() == 1) {
    batch.front()->outcome = commit_alone(*batch.front());
    return;
  }
  const auto together = [&]() -> Result<void> {
    ORLOP_TRY(transaction, store_.begin(Access::write));
    for (Pending* pending : batch) ORLOP_CHECK(apply_one(*transaction, *pending));
    return transaction->commit();
  };
  if (together()) return;
  // One of them broke the shared transaction: each gets its own, so that only the one that failed hears of it.
  for (Pending* pending : batch) {
    pending->woken.clear();
    pending->outcome = commit_alone(*pending);
  }
}

Result<void> Committer::commit_alone(Pending& pending) {
  ORLOP_TRY(transaction, store_.begin(Access::write));
  ORLOP_CHECK(apply_one(*transaction, pending));
  if (!pending.outcome) return std::move(pending.outcome);
  return transaction->commit();
}

// A refusal by the work itself is the pending's outcome and leaves the transaction as it was; an error is the store's.
Result<void> Committer::apply_one(Transaction& transaction, Pending& pending) {
  ORLOP_TRY(end, transaction.feed_end());
  const Instant clock_now = clock_.now();
  Unit unit(transaction, entropy_, end.sequence, clock_now < end.at ? end.at : clock_now, settings_, hooks_);
  pending.outcome = (*pending.work)(unit);
  if (!pending.outcome || unit.changes().empty()) return {};
  ORLOP_CHECK(transaction.apply(unit.changes()));
  pending.woken = unit.woken();
  return {};
}

}  // namespace orlop
