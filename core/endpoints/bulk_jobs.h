// Jobs of an engine (records/bulk_jobs/job_parts.h): their queue, and the commits of their parts. Each tick commits one
// part of one job, in rotation, beginning with the oldest job. A waiting job leaves the queue until it is begun again.
// An operation that waits for a job commits its parts itself. The queuing of a large deployment request
// (deploy/request/queuing.h) is handled like a job, without a record of its own.
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
  // Called with the environments for which a job has created work.
  using Wake = std::function<void(std::span<const WakeUp> owners)>;

  // The committer must outlive this.
  BulkJobs(Committer& committer, Wake wake) : committer_(committer), wake_(std::move(wake)) {}

  // Call before the first request. Marks the trees that an earlier version of the library was removing, and counts the
  // ids of jobs, which the feed may lack: a commit that only begins a deletion has no event.
  Result<void> prepare(Store& store);
  // Replaces the known jobs by those that the store holds in these partitions. Called at open.
  Result<void> recover(Transaction& store, PartitionSet held);
  // Adds the jobs of these partitions.
  Result<void> take_up(Transaction& store, PartitionSet gained);
  // Forgets the jobs of these partitions, which another engine has taken over.
  void drop(PartitionSet lost);
  // is_job(): reports whether the machine is a job. take_up(): continues a job that another engine has left.
  static bool is_job(const Machine& machine);
  void take_up(const Machine& job);
  // Adds jobs that a commit has begun. Cannot fail, since they are stored: if memory runs out, the next tick reads
  // them. Any thread.
  void take(std::span<const Job> jobs) noexcept;
  // Any thread.
  bool has_work() const { return has_work_; }
  // Commits one part of one job, if there are jobs. One thread at a time.
  Result<void> tick();
  // Commits the parts of this job, and of the job that it waits for, until all are done or a commit fails; then the
  // ticks continue. Any thread.
  void finish(const Id& job);

 private:
  struct Outcome {
    PartEnd end = PartEnd::more;
    Id next;  // job that this part waits for; nil: none
  };
  Result<Outcome> do_part(const Id& job, QueuedBefore& before);

  Committer& committer_;
  Wake wake_;
  QueuedBefore queued_by_ticks_;  // used by the thread that ticks
  // Call under the lock after a change of the members that it guards.
  void note_work() { has_work_ = must_recover_ || !queue_.empty(); }

  std::atomic<bool> has_work_ = false;  // lets ticks without work skip the lock
  std::mutex mutex_;                    // guards the members below
  PartitionSet held_ = PartitionSet::all();
  std::deque<Job> queue_;
  bool must_recover_ = false;  // the queue may lack jobs
};

}  // namespace orlop
