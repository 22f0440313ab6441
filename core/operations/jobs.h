// The jobs of an engine (ops/jobs/job.h): which there are, whose turn it is, and the commits of their parts. The ticks do one part of one job each, the oldest job first
// and each in its turn. An operation that waits for a job does its parts itself. The queuing of a large deployment request (deploy/request/queuing.h) is done in the same
// way, without a record of its own.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <utility>

#include "deploy/request/queuing.h"
#include "ops/commit/commit.h"
#include "store/hiding_store.h"

namespace orlop {

class Jobs {
 public:
  // Called with the environments that a job has given new work.
  using Wake = std::function<void(std::span<const WakeUp> owners)>;

  // `hiding`: what requests and ticks look through; `seen` writes to it, `committer` to the store behind it, which shows what is hidden. All must outlive this.
  Jobs(HidingStore& hiding, Committer& seen, Committer& committer, Wake wake)
      : hiding_(hiding), seen_(seen), committer_(committer), wake_(std::move(wake)) {}

  // At open: takes up the jobs that the store holds in these partitions, in place of those that are known.
  Result<void> recover(Transaction& store, PartitionSet held);
  // Adds the jobs of these partitions. What the others remove is hidden, too.
  Result<void> take_up(Transaction& store, PartitionSet gained);
  // Forgets the jobs of these partitions, which another engine does.
  void drop(PartitionSet lost);
  // A job that another engine has left for this one; false: it is none.
  static bool is_job(const Machine& machine);
  Result<void> take_up(Transaction& store, const Machine& job, bool is_ours = true);
  // Jobs that a commit has begun. They are stored, so that this cannot fail: if memory runs out, the next tick reads them. Any thread.
  void take(std::span<const Job> jobs) noexcept;
  // Any thread.
  bool has_work() const { return has_work_; }
  // Commits one part of one job, if there is any. One thread at a time.
  Result<void> tick();
  // Commits the parts of this job, and then of the job that it waits for, until nothing is left of them or a part cannot be committed: then the ticks continue. Any
  // thread.
  void finish(const Id& job);

 private:
  struct Outcome {
    bool is_done = false;
    Id next;  // the job that a part of this one waits for; nil: none
  };
  Result<Outcome> do_part(Committer& committer, const Id& job, QueuedBefore& before);

  HidingStore& hiding_;
  Committer& seen_;
  Committer& committer_;
  Wake wake_;
  QueuedBefore queued_by_ticks_;  // of the thread that ticks
  // Under the lock, after a change of what it guards.
  void note_work() { has_work_ = must_recover_ || !queue_.empty(); }

  std::atomic<bool> has_work_ = false;  // for ticks, which mostly have none: they take no lock
  std::mutex mutex_;                    // guards what follows
  PartitionSet held_ = PartitionSet::all();
  std::deque<Job> queue_;
  bool must_recover_ = false;  // there may be jobs that the queue does not hold
};

}  // namespace orlop
