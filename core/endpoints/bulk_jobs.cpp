#include "endpoints/bulk_jobs.h"

#include <algorithm>
#include <array>
#include <new>
#include <vector>

#include "base/deletion_number.h"
#include "deploy/request/queuing.h"
#include "endpoints/environments/parts/copy_environment.h"
#include "endpoints/organizations/parts/tree_deletion.h"
#include "records/bulk_jobs/job_parts.h"
#include "records/tree/removal.h"
#include "records/variables/reach.h"
#include "store/sort.h"

namespace orlop {
namespace {

// The queuing of a large deployment request is a phase of the request, which uses its own record and machine as the
// job.
bool is_queuing(const Machine& machine) {
  return machine.family == deployment_request_number && request_state(machine) == RequestState::queuing;
}

Result<PartEnd> do_part_of(Unit& unit, const Id& id, QueuedBefore& before) {
  ORLOP_TRY(machine, unit.machine(id));
  if (!machine || !BulkJobs::is_job(*machine)) return PartEnd::done;
  if (is_queuing(*machine)) {
    ORLOP_TRY(is_queued, queue_part(unit, *machine, before));
    return is_queued ? PartEnd::done : PartEnd::more;
  }
  ORLOP_TRY(job, JobPart::of(unit, *machine));
  if (!job) return PartEnd::done;
  switch (job->kind()) {
    case JobKind::removal: return deletion_part(unit, std::move(*job));
    case JobKind::copy: return copy_part(unit, std::move(*job));
    case JobKind::marking: return mark_part(unit, std::move(*job));
  }
  return PartEnd::done;
}

}  // namespace

bool BulkJobs::is_job(const Machine& machine) { return machine.family == bulk_job_number || is_queuing(machine); }

Result<void> BulkJobs::prepare(Store& store) {
  std::vector<Machine> older;
  {
    ORLOP_TRY(transaction, store.begin(Access::read));
    std::vector<Machine> removals;
    const MachineRange jobs = {.by = MachineRange::By::active, .family = bulk_job_number};
    ORLOP_CHECK(transaction->machines(jobs, [&](const Machine& machine) {
      committer_.note_given(id_count_of(machine.id));
      if (static_cast<JobKind>(machine.state) == JobKind::removal) removals.push_back(machine);
      return true;
    }));
    for (const Machine& removal : removals) {
      ORLOP_TRY(record, transaction->record(removal.id));
      ORLOP_TRY(parent, record ? transaction->record(record->parent) : Result<Shared<Record>>(Shared<Record>()));
      if (parent && parent->family != deletion_number) older.push_back(removal);
    }
  }
  if (older.empty()) return {};
  const auto marked = committer_.run([&](Unit& unit) -> Result<void> {
    for (const Machine& removal : older) ORLOP_CHECK(mark_older_removal(unit, removal));
    return {};
  });
  return marked ? Result<void>() : Result<void>(marked.error());
}

Result<void> BulkJobs::recover(Transaction& store, PartitionSet held) {
  queued_by_ticks_.request.reset();  // a store that was reset may hold another request
  {
    const std::lock_guard lock(mutex_);
    queue_.clear();
    held_ = PartitionSet();
    must_recover_ = false;
    note_work();
  }
  return take_up(store, held);
}

Result<void> BulkJobs::take_up(Transaction& store, PartitionSet gained) {
  {
    const std::lock_guard lock(mutex_);
    held_ = held_ | gained;
  }
  // Read by family: waiting services are active too, and numerous.
  std::vector<Machine> found;
  for (const FamilyNumber family : {bulk_job_number, deployment_request_number}) {
    ORLOP_CHECK(store.machines({.by = MachineRange::By::active, .family = family}, [&](const Machine& machine) {
      if (is_job(machine)) found.push_back(machine);
      return true;
    }));
  }
  sort_by_id(found);
  for (const Machine& job : found) {
    if (gained.contains(job.partition)) take_up(job);
  }
  return {};
}

void BulkJobs::take_up(const Machine& job) { take(std::array{Job{.id = job.id, .partition = job.partition}}); }

void BulkJobs::drop(PartitionSet lost) {
  const std::lock_guard lock(mutex_);
  held_ = held_.without(lost);
  std::erase_if(queue_, [&](const Job& job) { return lost.contains(job.partition); });
  note_work();
}

void BulkJobs::take(std::span<const Job> jobs) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    for (const Job& job : jobs) {
      // The first job may be running.
      const bool is_known = !queue_.empty() && std::any_of(queue_.begin() + 1, queue_.end(),
                                                           [&job](const Job& other) { return other.id == job.id; });
      if (!job.is_elsewhere && !is_known) queue_.push_back(job);
    }
    note_work();
  } catch (const std::bad_alloc&) {
    const std::lock_guard lock(mutex_);
    must_recover_ = true;
    note_work();
  }
}

Result<BulkJobs::Outcome> BulkJobs::do_part(const Id& job, QueuedBefore& before) {
  Outcome outcome;
  auto woken = committer_.run([&](Unit& unit) -> Result<void> {
    ORLOP_TRY(end, do_part_of(unit, job, before));
    outcome = {end, unit.awaited_job()};
    return {};
  });
  if (!woken || outcome.end == PartEnd::done) before.request.reset();
  if (!woken) return std::move(woken).error();
  if (!woken->empty()) wake_(*woken);
  return outcome;
}

void BulkJobs::finish(const Id& job) {
  QueuedBefore before;
  for (Id at = job; !at.is_nil();) {
    const auto outcome = do_part(at, before);
    if (!outcome || outcome->end == PartEnd::waits) return;
    if (outcome->end == PartEnd::done) at = outcome->next;
  }
}

// If a commit fails, the job keeps its position and is tried again with the next tick.
Result<void> BulkJobs::tick() {
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
  ORLOP_TRY(outcome, do_part(job.id, queued_by_ticks_));
  const std::lock_guard lock(mutex_);
  queue_.pop_front();
  if (outcome.end == PartEnd::more) queue_.push_back(job);
  note_work();
  return {};
}

}  // namespace orlop
