#include "operations/environments/parts/jobs.h"

#include <array>
#include <new>
#include <vector>

#include "deploy/request/queuing.h"
#include "operations/environments/parts/clone_environment.h"
#include "ops/tree/removal.h"
#include "ops/variables/reach.h"

namespace orlop {
namespace {

// True if nothing is left of the job.
Result<bool> do_part_of(Unit& unit, const Id& id) {
  ORLOP_TRY(job, unit.machine(id));
  if (!job || !Jobs::is_job(*job)) return true;
  if (job->family == deployment_request_number) return queue_part(unit, *job);
  if (job->family == marking_number) return mark_chunk(unit, *job);
  return job->family == removal_number ? remove_chunk(unit, *job) : copy_chunk(unit, *job);
}

}  // namespace

bool Jobs::is_job(const Machine& machine) {
  const bool is_queuing = machine.family == deployment_request_number && request_state(machine) == RequestState::queuing;
  return is_queuing || machine.family == removal_number || machine.family == copy_number || machine.family == marking_number;
}

Result<void> Jobs::recover(Transaction& store, PartitionSet held) {
  {
    const std::lock_guard lock(mutex_);
    queue_.clear();
    held_ = PartitionSet();
    must_recover_ = false;
  }
  return take_up(store, held);
}

Result<void> Jobs::take_up(Transaction& store, PartitionSet gained) {
  {
    const std::lock_guard lock(mutex_);
    held_ = held_ | gained;
  }
  std::vector<Machine> found;
  ORLOP_CHECK(store.machines({.by = MachineRange::By::active}, [&](const Machine& machine) {
    if (is_job(machine)) found.push_back(machine);
    return true;
  }));
  for (const Machine& job : found) ORLOP_CHECK(take_up(store, job, gained.contains(job.partition)));
  return {};
}

Result<void> Jobs::take_up(Transaction& store, const Machine& job, bool is_ours) {
  ORLOP_TRY(record, store.record(job.id));
  const bool hides = record && record->family == removal_number;
  take(std::array{Job{job.id, hides ? record->parent : Id{}, job.family != deployment_request_number, job.partition, !is_ours}});
  return {};
}

void Jobs::drop(PartitionSet lost) {
  const std::lock_guard lock(mutex_);
  held_ = held_.without(lost);
  std::erase_if(queue_, [&](const Job& job) { return lost.contains(job.partition); });
}

void Jobs::take(std::span<const Job> jobs) noexcept {
  try {
    for (const Job& job : jobs) {
      if (!job.hides.is_nil()) hiding_.hide(job.hides);
    }
    const std::lock_guard lock(mutex_);
    for (const Job& job : jobs) {
      if (!job.is_elsewhere) queue_.push_back(job);
    }
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
  PartitionSet held;
  {
    const std::lock_guard lock(mutex_);
    must_recover = must_recover_;
    held = held_;
  }
  if (must_recover) {
    const auto read = committer_.run([this, held](Unit& unit) { return recover(unit.stored(), held); });
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
