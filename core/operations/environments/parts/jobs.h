// Work that is too large for one commit: the removal of a large tree (ops/removal.h), and the copy of a large environment
// (operations/environments/parts/clone_environment.h). A request or tick begins it; the engine's ticks do it, one chunk for each commit, the oldest job first and
// each in its turn.
#pragma once

#include <deque>
#include <mutex>
#include <span>

#include "ops/commit.h"
#include "store/hiding_store.h"

namespace orlop {

class Jobs {
 public:
  // `hiding`: what requests and ticks look through. `committer`: writes to the store behind it, which shows what is hidden. Both must
  // outlive this.
  Jobs(HidingStore& hiding, Committer& committer) : hiding_(hiding), committer_(committer) {}

  // At open: takes up the jobs that the store holds.
  Result<void> recover(Transaction& store);
  // Jobs that a commit has begun. They are stored, so that this cannot fail: if memory runs out, the next tick reads them. Any thread.
  void take(std::span<const Job> jobs) noexcept;
  // Any thread.
  bool has_work();
  // Commits one chunk of one job, if there is any. One thread at a time.
  Result<void> tick();

 private:
  HidingStore& hiding_;
  Committer& committer_;
  std::mutex mutex_;  // guards what follows
  std::deque<Job> queue_;
  bool must_recover_ = false;  // there may be jobs that the queue does not hold
};

}  // namespace orlop
