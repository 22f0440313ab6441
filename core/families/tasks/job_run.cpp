// A run of a cron job is a task of the driver.
#include "base/job_run_number.h"
#include "model/family.h"

namespace orlop::families::job_run {
namespace {

constexpr Field fields[] = {
    date_time("scheduled_at", "Cron time for which the run was scheduled.").required(),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = job_run_number,
    .name = "job_run",
    .schema = "JobRunRecord",
    .about = "A run of a cron job on its schedule. It lies below the job; its step has the configuration of the job.",
    .parent = "job",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .machine = MachineKind::task,
    .is_internal = true,
    .has_events = false,
    .is_cloned = false,
    .sample = R"({"scheduled_at": "2026-01-01T03:00:00Z"})",
};

}  // namespace orlop::families::job_run
