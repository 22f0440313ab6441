#include "operations/jobs.h"

#include <algorithm>
#include <array>
#include <new>
#include <vector>

#include "deploy/request/queuing.h"
#include "operations/environments/parts/clone_environment.h"
#include "ops/jobs/job.h"
#include "ops/tree/removal.h"
#include "ops/variables/reach.h"
#include "store/sort.h"

namespace orlop {
namespace {

// The queuing of a large deployment request is a phase of the request, whose own record and machine are those of the job.
bool is_queuing(const Machine& machine) {
  return machine.family == deployment_request_number && request_state(machine) == RequestState::queuing;
}

// The tree that it hides; nil: none.
Result<Id> hidden_by(Transaction& store, const Machine& machine) {
  const bool hides = machine.family == bulk_job_number && static_cast<JobKind>(machine.state) == JobKind::removal;
  if (!hides) return Id{};
  ORLOP_TRY(record, store.record(machine.id));
  return record ? record->parent : Id{};
}

// True if nothing is left of the job.
Result<bool> do_part_of(Unit& unit, const Id& id, QueuedBefore& before) {
  ORLOP_TRY(machine, unit.machine(id));
  if (!machine || !Jobs::is_job(*machine)) return true;
  if (is_queuing(*machine)) return queue_part(unit, *machine, before);
  ORLOP_TRY(job, JobPart::of(unit, *machine));
  if (!job) return true;
  switch (job->kind()) {
    case JobKind::removal: return remove_part(unit, std::move(*job));
    case JobKind::copy: return copy_part(unit, std::move(*job));
    case JobKind::marking: return mark_part(unit, std::move(*job));
  }
  return true;
}

}  // namespace

bool Jobs::is_job(const Machine& machine) { return machine.family == bulk_job_number || is_queuing(machine); }

Result<void> Jobs::recover(Transaction& store, PartitionSet held) {
  queued_by_ticks_.request.reset();  // a store that has gone back may hold another one
  {
    const std::lock_guard lock(mutex_);
    queue_.clear();
    held_ = PartitionSet();
    must_recover_ = false;
    note_work();
  }
  return take_up(store, held);
}

Result<void> Jobs::take_up(Transaction& store, PartitionSet gained) {
  {
    const std::lock_guard lock(mutex_);
    held_ = held_ | gained;
  }
  // By family: services that wait for their request are active too, and many.
  std::vector<Machine> found;
  for (const FamilyNumber family : {bulk_job_number, deployment_request_number}) {
    ORLOP_CHECK(store.machines({.by = MachineRange::By::active, .family = family}, [&](const Machine& machine) {
      if (is_job(machine)) found.push_back(machine);
      return true;
    }));
  }
  sort_by_id(found);
  for (const Machine& job : found) ORLOP_CHECK(take_up(store, job, gained.contains(job.partition)));
  return {};
}

Result<void> Jobs::take_up(Transaction& store, const Machine& job, bool is_ours) {
  ORLOP_TRY(hides, hidden_by(store, job));
  take(std::array{Job{.id = job.id, .hides = hides, .sees_hidden = !hides.is_nil(), .partition = job.partition, .is_elsewhere = !is_ours}});
  return {};
}

void Jobs::drop(PartitionSet lost) {
  const std::lock_guard lock(mutex_);
  held_ = held_.without(lost);
  std::erase_if(queue_, [&](const Job& job) { return lost.contains(job.partition); });
  note_work();
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
    note_work();
  } catch (const std::bad_alloc&) {
    const std::lock_guard lock(mutex_);
    must_recover_ = true;
    note_work();
  }
}

Result<Jobs::Outcome> Jobs::do_part(Committer& committer, const Id& job, QueuedBefore& before) {
  Outcome outcome;
  auto woken = committer.run([&](Unit& unit) -> Result<void> {
    ORLOP_TRY(is_done, do_part_of(unit, job, before));
    outcome = {is_done, unit.awaited_job()};
    return {};
  });
  if (!woken || outcome.is_done) before.request.reset();
  if (!woken) return std::move(woken).error();
  if (!woken->empty()) wake_(*woken);
  return outcome;
}

void Jobs::finish(const Id& job) {
  QueuedBefore before;
  for (Id at = job; !at.is_nil();) {
    const auto outcome = do_part(seen_, at, before);
    if (!outcome) return;
    if (outcome->is_done) at = outcome->next;
  }
}

// A commit that fails leaves the job where it is: it is tried again with the next tick.
Result<void> Jobs::tick() {
  if (!has_work_) return {};
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
  ORLOP_TRY(outcome, do_part(job.hides.is_nil() ? seen_ : committer_, job.id, queued_by_ticks_));
  const bool is_done = outcome.is_done;
  if (is_done && !job.hides.is_nil()) hiding_.show(job.hides);
  const std::lock_guard lock(mutex_);
  queue_.pop_front();
  if (!is_done) queue_.push_back(job);
  note_work();
  return {};
}

}  // namespace orlop
