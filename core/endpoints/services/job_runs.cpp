// Runs of cron jobs, and when they are due.
#include <optional>
#include <utility>

#include "base/job_run_number.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/cron_jobs.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "lifecycle/state.h"
#include "wire/writer.h"

namespace orlop::operation_sets::services::job_runs {
namespace {

void write_instant(Writer& out, std::string_view name, const std::optional<Instant>& at) {
  if (at) {
    out.field(name, *at);
  } else {
    out.key(name).null();
  }
}

Result<void> write_run(Unit& unit, Writer& out, const JobRun& run) {
  ORLOP_TRY(body, unit.value_of(run.record));
  out.begin_object().field("id", run.record.id).field("scheduled_at", body->text_or("scheduled_at", ""));
  write_instant(out, "started_at", run.machine.timing.started_at);
  write_instant(out, "ended_at", run.machine.timing.ended_at);
  out.field("state", to_string(static_cast<TaskState>(run.machine.state)));
  if (run.machine.detail->reason.empty()) {
    out.key("reason").null();
  } else {
    out.field("reason", std::string_view(run.machine.detail->reason));
  }
  out.end_object();
  return {};
}

Result<Answer> list_runs(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(found, runs_of(unit, subject.record.id));
  Writer out;
  out.begin_object();
  write_instant(out, "next_run_at", found.next);
  if (found.never_comes) out.field("hint", "the schedule never comes: none of its months has one of its days");
  out.key("results").begin_list();
  for (const JobRun& run : found.runs) ORLOP_CHECK(write_run(unit, out, run));
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

Result<std::optional<Instant>> follow(Unit& unit, Machine machine) {
  const bool is_schedule = machine.family == cron_schedule_number;
  return is_schedule ? run_when_due(unit, std::move(machine)) : follow_job(unit, std::move(machine));
}

constexpr std::string_view states[] = {
#define ORLOP_TASK_STATE(name, number, spelling, ...) spelling,
#include "lifecycle/states.def"
};

constexpr Field run_fields[] = {
    uuid("id", "ID of the run.").required(),
    date_time("scheduled_at", "Cron time for which the run was scheduled.").required(),
    date_time("started_at", "Time at which the run began. Null: it has not begun.").required().nullable(),
    date_time("ended_at", "Time at which the run ended. Null: it has not ended.").required().nullable(),
    enumeration("state", states, "State of the run.").required(),
    text("reason", "Why the run failed or was canceled. Null: it did neither, or the driver has not said.")
        .required()
        .nullable(),
};
constexpr Shape run_shape = {.name = "CronRun", .fields = run_fields};

constexpr Field runs_fields[] = {
    date_time("next_run_at",
              "Time of the next run. Null: the job is not deployed, has no cron schedule or one that never comes, or a "
              "driver of the host runs it.")
        .required()
        .nullable(),
    text("hint", "Why a deployed schedule has no next run. Absent where there is nothing to say."),
    list_of("results", run_shape, "Runs, the newest first.").required(),
};
constexpr Shape runs_shape = {.name = "CronRuns", .fields = runs_fields};

constexpr Operation operations[] = {
    {.path = "{flat}/run",
     .name = "list_{family}_runs",
     .handle = list_runs,
     .form = AnswerForm::shape,
     .answer = &runs_shape,
     .summary = "List the runs of a cron job",
     .about = "The runs that the engine has started on the schedule of the job. With a driver of the host, which has "
              "the schedules of what it deploys, there are none. Listed are "
              "those that have not ended, and of the others the last ones, as many as the advanced settings "
              "`cronjob.success_jobs_history_limit` and `cronjob.failed_jobs_history_limit` of the deployed job say."},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("job", "cron_schedule"),
    .operations = operations,
    .due = follow,
    .python_class = "Scheduled",
};

}  // namespace orlop::operation_sets::services::job_runs
