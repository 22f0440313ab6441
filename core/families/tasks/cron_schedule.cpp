// The schedule of a deployed cron job, as the engine follows it.
#include "base/job_run_number.h"
#include "model/family.h"

namespace orlop::families::cron_schedule {
namespace {

constexpr Field fields[] = {
    text("timezone", "Time zone of the schedule.").required(),
    text("scheduled_at", "Cron expression with five fields.").required(),
    text("concurrency_policy", "`Forbid`, `Allow` or `Replace`.").required(),
    integer("failed_limit", "Number of failed and canceled runs that are kept.").required(),
    integer("success_limit", "Number of successful runs that are kept.").required(),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = cron_schedule_number,
    .name = "cron_schedule",
    .schema = "CronScheduleRecord",
    .about =
        "The schedule of a cron job as it was when the job was last deployed. It lies below the job and goes with it; "
        "its machine is active while the job is deployed.",
    .parent = "job",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .machine = MachineKind::schedule,
    .is_internal = true,
    .has_events = false,
    .is_cloned = false,
    .sample =
        R"({"timezone": "Etc/UTC", "scheduled_at": "0 3 * * *", "concurrency_policy": "Forbid", "failed_limit": 1,)"
        R"( "success_limit": 1})",
};

}  // namespace orlop::families::cron_schedule
