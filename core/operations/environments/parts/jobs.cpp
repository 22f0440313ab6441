#include "operations/environments/parts/jobs.h"

#include <new>
#include <vector>

#include "deploy/request/queuing.h"
#include "operations/environments/parts/clone_environment.h"
#include "ops/tree/removal.h"
#include "ops/variables/reach.h"

namespace orlop {
namespace {

bool is_job(const Machine& machine) {
  const bool is_queuing = machine.family == deployment_request_number && request_state(machine) == RequestState::queuing;
  return is_queuing || machine.family == removal_number || machine.family == copy_number || machine.family == marking_number;
}

// True if nothing is left of the job.
Result<bool> do_part_of(Unit& unit, const Id& id) {
  ORLOP_TRY(job, unit.machine(id));
  if (!job || !is_job(*job)) return true;
  if (job->family == deployment_request_number) return queue_part(unit, *job);
  if (job->family == marking_number) return mark_chunk(unit, *job);
  return job->family == removal_number ? remove_chunk(unit, *job) : copy_chunk(unit, *job);
}

}  // namespace

Result<void> Jobs::recover(Transaction& store) {
  std::vector<Job> found;
  MachineRange range;
  range.by = MachineRange::By::active;
  ORLOP_CHECK(store.machines(range, [&](const Machine& machine) {
    if (is_job(machine)) found.push_back({machine.id, Id{}, machine.family != deployment_request_number});
    return true;
  }));
  for (Job& job : found) {
    ORLOP_TRY(record, store.record(job.id));
    if (record && record->family == removal_number) job.hides = record->parent;
  }
  {
    const std::lock_guard lock(mutex_);
    queue_.clear();
    must_recover_ = false;
  }
  take(found);
  return {};
}

void Jobs::take(std::span<const Job> jobs) noexcept {
  try {
    for (const Job& job : jobs) {
      if (!job.hides.is_nil()) hiding_.hide(job.hides);
    }
    const std::lock_guard lock(mutex_);
    queue_.insert(queue_.end(), jobs.begin(), jobs.end());
  } catch (const std::bad_alloc&) {
    const std::lock_guard lock(mutex_);
    must_recover_ = true;
  }
}

bool Jobs::has_work() {
  const std::lock_guard lock(mutex_);
  return must_recover_ || !queue_.empty();
}

Result<bool> Jobs::do_part(Committer& committer, const Id& job) {
  bool is_done = false;
  ORLOP_TRY(woken, committer.run([&](Unit& unit) -> Result<void> {
    ORLOP_TRY(done, do_part_of(unit, job));
    is_done = done;
    return {};
  }));
  if (!woken.empty()) wake_(woken);
  return is_done;
}

void Jobs::finish(const Id& job) {
  while (true) {
    const auto done = do_part(seen_, job);
    if (!done || *done) return;
  }
}

// A commit that fails leaves the job where it is: it is tried again with the next tick.
Result<void> Jobs::tick() {
  Job job;
  bool must_recover = false;
  {
    const std::lock_guard lock(mutex_);
    must_recover = must_recover_;
  }
  if (must_recover) {
    const auto read = committer_.run([this](Unit& unit) { return recover(unit.stored()); });
    if (!read) return read.error();
  }
  {
    const std::lock_guard lock(mutex_);
    if (queue_.empty()) return {};
    job = queue_.front();
  }
  ORLOP_TRY(is_done, do_part(job.sees_hidden ? committer_ : seen_, job.id));
  if (is_done && !job.hides.is_nil()) hiding_.show(job.hides);
  const std::lock_guard lock(mutex_);
  queue_.pop_front();
  if (!is_done) queue_.push_back(job);
  return {};
}

}  // namespace orlop
