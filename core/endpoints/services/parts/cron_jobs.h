// Cron jobs that the engine runs, with the scripted driver: a driver of the host has the schedules of what it deploys.
// A deployment of the job installs its schedule: a record of family cron_schedule below it, which holds what counts
// until the next deployment. At each of its times it makes a run: a record of family job_run below the job, a task of
// the driver.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "unit/unit.h"

namespace orlop {

// OperationSet::due of a job, of which a deployment, stop or uninstallation has just succeeded: installs the schedule,
// or takes it away and cancels the runs that have not ended.
Result<std::optional<Instant>> follow_job(Unit& unit, Machine job);

// OperationSet::due of schedules: makes a run, as the concurrency policy wants it, which counts runs on request, and
// answers when the next one is due. Times that have passed while no engine ran make one run together; while the cluster
// is not there, there is none.
Result<std::optional<Instant>> run_when_due(Unit& unit, Machine schedule);

// Before a run on request, as the concurrency policy of the deployed job wants it: Replace cancels the runs that have
// not ended. Error conflict: there is one, and the policy is Forbid.
Result<void> admit_forced_run(Unit& unit, const Record& job);

// A run with its machine.
struct JobRun {
  Record record;
  Machine machine;
};

struct JobRuns {
  std::optional<Instant> next;  // nothing: no run is scheduled
  bool never_comes = false;     // no date has a day of the schedule
  // Those that have not ended, and of the others as many as the history limits say; the newest first.
  std::vector<JobRun> runs;
};

Result<JobRuns> runs_of(Unit& unit, const Id& job);

}  // namespace orlop
