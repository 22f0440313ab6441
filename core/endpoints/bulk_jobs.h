// The jobs of an engine (records/bulk_jobs/job_parts.h): which there are, whose turn it is, and the commits of their
// parts. The ticks do one part of one job each, the oldest job first and each in its turn. One that waits has none
// until it is begun again. An operation that waits for a job does its parts itself. The queuing of a large deployment
// request (deploy/request/queuing.h) is done in the same way, without a record of its own.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <utility>

#include "commit/commit.h"
#include "deploy/request/queuing.h"
#include "records/bulk_jobs/job_parts.h"

namespace orlop {

class BulkJobs {
 public:
  // Called with the environments that a job has given new work.
  using Wake = std::function<void(std::span<const WakeUp> owners)>;

  // The committer must outlive this.
  BulkJobs(Committer& committer, Wake wake) : committer_(committer), wake_(std::move(wake)) {}

  // Before the first request: marks what an earlier version of the library was removing when it last used the store,
  // and counts the ids of jobs, which the feed does not: a commit that only begins a deletion has no event.
  Result<void> prepare(Store& store);
  // At open: takes up the jobs that the store holds in these partitions, in place of those that are known.
  Result<void> recover(Transaction& store, PartitionSet held);
  // Adds the jobs of these partitions.
  Result<void> take_up(Transaction& store, PartitionSet gained);
  // Forgets the jobs of these partitions, which another engine does.
  void drop(PartitionSet lost);
  // A job that another engine has left for this one; false: it is none.
  static bool is_job(const Machine& machine);
  void take_up(const Machine& job);
  // Jobs that a commit has begun. They are stored, so that this cannot fail: if memory runs out, the next tick reads
  // them. Any thread.
  void take(std::span<const Job> jobs) noexcept;
  // Any thread.
  bool has_work() const { return has_work_; }
  // Commits one part of one job, if there is any. One thread at a time.
  Result<void> tick();
  // Commits the parts of this job, and then of the job that it waits for, until nothing is left of them or a part
  // cannot be committed: then the ticks continue. Any thread.
  void finish(const Id& job);

 private:
  struct Outcome {
    PartEnd end = PartEnd::more;
    Id next;  // the job that a part of this one waits for; nil: none
  };
  Result<Outcome> do_part(const Id& job, QueuedBefore& before);

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
