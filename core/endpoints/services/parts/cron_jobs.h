// Cron jobs, which the engine runs with the scripted driver; a driver of the host runs the schedules of its own
// deployments. A deployment of the job installs its schedule: a record of family cron_schedule below it, which holds
// the settings until the next deployment. At each of its times it creates a run: a record of family job_run below the
// job, a task of the driver.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "unit/unit.h"

namespace orlop {

// OperationSet::due of a job whose deployment, stop or uninstallation has just succeeded: installs the schedule, or
// removes it and cancels unfinished runs.
Result<std::optional<Instant>> follow_job(Unit& unit, Machine job);

// OperationSet::due of schedules: creates a run if the concurrency policy permits, which counts runs on request too,
// and returns the next due time. Times that passed without an engine make one run together; without a deployed cluster
// there is no run.
Result<std::optional<Instant>> run_when_due(Unit& unit, Machine schedule);

// Applies the concurrency policy of the deployed job before a run on request: Replace cancels unfinished runs. Error
// conflict if a run is unfinished and the policy is Forbid.
Result<void> admit_forced_run(Unit& unit, const Record& job);

struct JobRun {
  Record record;
  Machine machine;
};

struct JobRuns {
  std::optional<Instant> next;  // nullopt: no run is scheduled
  bool never_comes = false;     // no date matches the days of the schedule
  // Unfinished runs, and ended ones up to the history limits; newest first.
  std::vector<JobRun> runs;
};

Result<JobRuns> runs_of(Unit& unit, const Id& job);

}  // namespace orlop
