#include "endpoints/services/parts/cron_jobs.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <string_view>
#include <utility>

#include "base/job_run_number.h"
#include "deploy/request/cluster_gate.h"
#include "deploy/request/deployment_request.h"
#include "deploy/request/request_parts.h"
#include "deploy/run/state_transition.h"
#include "endpoints/services/parts/next_run.h"
#include "model/plan_flag.h"
#include "model/registry.h"
#include "records/single.h"
#include "records/write_record.h"
#include "store/partition.h"
#include "unit/find_record.h"
#include "unit/unique_name.h"
#include "wire/json.h"

namespace orlop {
namespace {

const Family& family_of(std::string_view name) {
  const Family* family = find_family(name);
  assert(family != nullptr);
  return *family;
}

const Family& schedule_family() {
  static const Family& family = family_of("cron_schedule");
  return family;
}

bool has_ended(const Machine& run) { return !is_transient(static_cast<TaskState>(run.state)); }

std::optional<Instant> next_of(const Unit& unit, const Value& schedule, Instant after) {
  const auto times = read_cron(schedule.text_or("scheduled_at", ""));
  const TimeZone& zone =
      TimeZones::or_built_in(unit.settings().zones.get()).find_or_utc(schedule.text_or("timezone", ""));
  return times ? next_run(*times, zone, after, unit.settings().cron_clock_changes) : std::nullopt;
}

// Returns the next time of a schedule whose run was due at `due`. Runs of @every keep their distance, however late the
// engine is.
std::optional<Instant> next_behind(const Unit& unit, const Value& schedule, Instant due, Instant now) {
  const auto times = read_cron(schedule.text_or("scheduled_at", ""));
  return times && times->every > Duration{} ? next_every(*times, due, now) : next_of(unit, schedule, now);
}

// Reports whether the deadline was set before the clock was put back. A fixed time that the clock repeats is not due
// again, unless it was put back by hours.
bool is_ahead(const Unit& unit, const Machine& schedule, const Value& body, Instant now) {
  const auto times = read_cron(body.text_or("scheduled_at", ""));
  const bool waits =
      times && times->is_fixed && now < schedule.changed_at && schedule.changed_at - now <= clock_change_max;
  const auto next = next_of(unit, body, now);
  return !waits && next && *next < *schedule.deadline;
}

// Settings until the next deployment; null without a schedule.
Result<Value> schedule_of(Unit& unit, const Record& job) {
  ORLOP_TRY(body, unit.value_of(job));
  const Value* const cronjob = body->find_path({"schedule", "cronjob"});
  if (cronjob == nullptr || !cronjob->is_object()) return Value();
  ORLOP_TRY(text, render_single(unit, family_of("job_advanced_settings"), job));
  ORLOP_TRY(settings, parse_stored(text));
  Value schedule = Value::object();
  schedule.set("timezone", Value(cronjob->text_or("timezone", "Etc/UTC")));
  schedule.set("scheduled_at", Value(cronjob->text_or("scheduled_at", "")));
  schedule.set("concurrency_policy", Value(settings.text_or("cronjob.concurrency_policy", "Forbid")));
  schedule.set("failed_limit", Value(settings.integer_or("cronjob.failed_jobs_history_limit", 1)));
  schedule.set("success_limit", Value(settings.integer_or("cronjob.success_jobs_history_limit", 1)));
  return schedule;
}

Result<std::vector<Machine>> run_machines(Unit& unit, const Id& job) { return unit.machines(job, job_run_number); }

// A run whose step the driver has started is canceled through the driver, any other at once.
Result<void> cancel_run(Unit& unit, const Id& organization, Machine run, std::string_view reason) {
  const bool has_step = !run.step.is_nil();
  if (has_step && run.timing.canceled_at) return {};
  StateTransition transition(unit, organization, std::move(run));
  transition.edit_detail().reason = reason;
  if (has_step) {
    transition.machine().timing.canceled_at = unit.now();
    transition.machine().deadline = unit.now() + unit.settings().cancel_deadline;
    unit.wake(transition.machine().id, transition.machine().partition);
  } else {
    transition.move(TaskEvent::canceled);
  }
  std::move(transition).put();
  return {};
}

Result<void> cancel_runs(Unit& unit, const Id& organization, const Id& job, std::string_view reason) {
  ORLOP_TRY(runs, run_machines(unit, job));
  for (Machine& run : runs) {
    if (!has_ended(run)) ORLOP_CHECK(cancel_run(unit, organization, std::move(run), reason));
  }
  return {};
}

// A deployment does not restart the interval of @every: a job that is deployed more often would never run.
bool keeps_its_next_run(const Machine& machine, const Value* before, const Value& schedule, Instant now) {
  const std::string_view text = schedule.text_or("scheduled_at", "");
  return text.starts_with("@every") && machine.active && machine.deadline && *machine.deadline > now &&
         before != nullptr && before->text_or("scheduled_at", "") == text;
}

Result<void> install(Unit& unit, const Record& job, const Value& body) {
  ORLOP_TRY(stored, find_child(unit, job.id, schedule_family().number));
  ORLOP_TRY(before, stored ? unit.value_of(*stored) : Result<std::shared_ptr<const Value>>(nullptr));
  ORLOP_TRY(schedule, stored ? edit_record(unit, schedule_family(), std::move(stored).take(), body)
                             : create_record(unit, schedule_family(), job.id, body));
  ORLOP_TRY(known, unit.machine(schedule.id));
  Machine machine = known ? *known : Machine();
  machine.id = schedule.id;
  machine.family = schedule.family;
  machine.owner = schedule.id;
  machine.partition = partition_of(schedule.organization);
  if (!keeps_its_next_run(machine, before.get(), body, unit.clock_time()))
    machine.deadline = next_of(unit, body, unit.clock_time());
  machine.active = machine.deadline.has_value();
  machine.changed_at = unit.clock_time();
  unit.wake(schedule.id, machine.partition);
  unit.put(std::move(machine));
  return {};
}

Result<void> take_away(Unit& unit, const Record& job) {
  ORLOP_TRY(schedule, find_child(unit, job.id, schedule_family().number));
  if (!schedule) return {};
  ORLOP_TRY(machine, unit.machine(schedule->id));
  if (machine) {
    Machine resting = *machine;
    resting.deadline.reset();
    resting.active = false;
    resting.changed_at = unit.clock_time();
    unit.put(std::move(resting));
  }
  return cancel_runs(unit, job.organization, job.id, "the job is deployed no longer");
}

// Decides for each run whether it is kept. `runs`: oldest first.
std::vector<bool> kept_of(const std::vector<Machine>& runs, const Value& schedule) {
  std::int64_t successes = schedule.integer_or("success_limit", 1);
  std::int64_t failures = schedule.integer_or("failed_limit", 1);
  std::vector<bool> kept(runs.size(), true);
  for (std::size_t at = runs.size(); at-- > 0;) {
    if (!has_ended(runs[at])) continue;
    std::int64_t& left = static_cast<TaskState>(runs[at].state) == TaskState::succeeded ? successes : failures;
    kept[at] = left-- > 0;
  }
  return kept;
}

Result<void> forget_runs(Unit& unit, const std::vector<Machine>& runs, const Value& schedule) {
  const std::vector<bool> kept = kept_of(runs, schedule);
  for (std::size_t at = 0; at < runs.size(); ++at) {
    if (kept[at]) continue;
    ORLOP_TRY(record, unit.record(runs[at].id));
    if (record) ORLOP_CHECK(remove_tree(unit, *record));
  }
  return {};
}

// Returns the unfinished request that runs the job once outside of its schedule and has not finished that run; nullopt
// if none.
Result<std::optional<StoredRequest>> forced_run(Unit& unit, const Record& job) {
  ORLOP_TRY(machine, unit.machine(job.id));
  ORLOP_TRY(requests,
            machine ? request_machines(unit, job.parent) : Result<std::vector<Machine>>(std::vector<Machine>()));
  for (const Machine& request : requests) {
    if (!is_unfinished(request)) continue;
    ORLOP_TRY(stored, stored_request(unit, request));
    const bool is_over = machine->request == request.id && !is_transient(static_cast<ServiceState>(machine->state));
    if (stored.body.forced == ForcedEvent::cron && !is_over && names(stored, *machine))
      return std::optional(std::move(stored));
  }
  return std::optional<StoredRequest>();
}

// Returns false if the request continues with other jobs.
Result<bool> replace_forced(Unit& unit, const StoredRequest& forced) {
  if (forced.body.services.size() != 1) return false;
  ORLOP_CHECK(cancel_request(unit, forced.body.id, CancelMode::force));
  return true;
}

// Returns false if the policy prevents the run.
Result<bool> make_room(Unit& unit, const Record& job, const std::vector<Machine>& runs, std::string_view policy) {
  const bool is_running = std::ranges::any_of(runs, [](const Machine& run) { return !has_ended(run); });
  if (policy == "Allow") return true;
  ORLOP_TRY(forced, forced_run(unit, job));
  if (!is_running && !forced) return true;
  if (policy != "Replace") return false;
  ORLOP_TRY(is_replaced, forced ? replace_forced(unit, *forced) : Result<bool>(true));
  if (!is_replaced) return false;
  ORLOP_CHECK(cancel_runs(unit, job.organization, job.id, "the next run has replaced it"));
  return true;
}

Result<bool> is_cluster_there(Unit& unit, const Record& job) {
  ORLOP_TRY(environment, unit.record(job.parent));
  if (!environment) return false;
  ORLOP_TRY(readiness, cluster_readiness(unit, *environment));
  return readiness.gate == ClusterGate::open;
}

Result<void> begin_run(Unit& unit, const Record& job, const Value& schedule, Instant scheduled_at) {
  ORLOP_TRY(runs, run_machines(unit, job.id));
  ORLOP_CHECK(forget_runs(unit, runs, schedule));
  ORLOP_TRY(is_there, is_cluster_there(unit, job));
  if (!is_there) return {};
  ORLOP_TRY(has_room, make_room(unit, job, runs, schedule.text_or("concurrency_policy", "Forbid")));
  if (!has_room) return {};
  Value body = Value::object();
  body.set("scheduled_at", Value(to_text(scheduled_at)));
  ORLOP_TRY(run, create_record(unit, family_of("job_run"), job.id, body));
  unit.put(new_task_machine(unit, run));
  unit.wake(run.id, partition_of(run.organization));
  return {};
}

}  // namespace

Result<std::optional<Instant>> follow_job(Unit& unit, Machine job) {
  ORLOP_TRY(record, unit.record(job.id));
  if (!record) return std::optional<Instant>();
  const bool has_schedule = static_cast<Action>(job.action) == Action::deploy && has(job.planned_flags, PlanFlag::cron);
  ORLOP_TRY(schedule, has_schedule ? schedule_of(unit, *record) : Result<Value>(Value()));
  ORLOP_CHECK(schedule.is_null() ? take_away(unit, *record) : install(unit, *record, schedule));
  return std::optional<Instant>();
}

Result<std::optional<Instant>> run_when_due(Unit& unit, Machine schedule) {
  if (!schedule.deadline) return std::optional<Instant>();
  const Instant now = unit.clock_time();
  ORLOP_TRY(record, unit.record(schedule.id));
  ORLOP_TRY(job, record ? unit.record(record->parent) : Result<Shared<Record>>(Shared<Record>()));
  if (!job) return std::optional<Instant>();
  ORLOP_TRY(body, unit.value_of(*record));
  const bool is_due = *schedule.deadline <= now;
  if (!is_due && !is_ahead(unit, schedule, *body, now)) return std::optional<Instant>(schedule.deadline);
  if (is_due) ORLOP_CHECK(begin_run(unit, *job, *body, *schedule.deadline));
  schedule.deadline = is_due ? next_behind(unit, *body, *schedule.deadline, now) : next_of(unit, *body, now);
  schedule.active = schedule.deadline.has_value();
  schedule.changed_at = now;
  const std::optional<Instant> next = schedule.deadline;
  unit.put(std::move(schedule));
  return next;
}

Result<void> admit_forced_run(Unit& unit, const Record& job) {
  ORLOP_TRY(runs, run_machines(unit, job.id));
  if (std::ranges::all_of(runs, has_ended)) return {};
  ORLOP_TRY(schedule, find_child(unit, job.id, schedule_family().number));
  if (!schedule) return {};
  ORLOP_TRY(body, unit.value_of(*schedule));
  const std::string_view policy = body->text_or("concurrency_policy", "Forbid");
  if (policy == "Allow") return {};
  if (policy == "Replace") return cancel_runs(unit, job.organization, job.id, "a run on request has replaced it");
  return make_error(ErrorCode::conflict, "a run of job \"" + name_of(job) +
                                             "\" is under way, and its advanced setting `cronjob.concurrency_policy` "
                                             "is Forbid; try again when the run has ended, or set Allow or Replace");
}

Result<JobRuns> runs_of(Unit& unit, const Id& job) {
  JobRuns found;
  ORLOP_TRY(schedule, find_child(unit, job, schedule_family().number));
  if (!schedule) return found;
  ORLOP_TRY(machine, unit.machine(schedule->id));
  const bool runs_here = unit.settings().schedules == Schedules::engine;
  if (machine && machine->active && runs_here) found.next = machine->deadline;
  ORLOP_TRY(body, unit.value_of(*schedule));
  const auto times = read_cron(body->text_or("scheduled_at", ""));
  found.never_comes = times && !comes(*times);
  ORLOP_TRY(runs, run_machines(unit, job));
  const std::vector<bool> kept = kept_of(runs, *body);
  for (std::size_t at = runs.size(); at-- > 0;) {
    if (!kept[at]) continue;
    ORLOP_TRY(record, unit.record(runs[at].id));
    if (record) found.runs.push_back({*record, std::move(runs[at])});
  }
  return found;
}

}  // namespace orlop
