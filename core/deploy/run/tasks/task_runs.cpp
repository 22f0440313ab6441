#include "deploy/run/tasks/task_runs.h"

#include <string>
#include <utility>

#include "base/job_run_number.h"
#include "deploy/driver/configuration.h"
#include "deploy/run/run.h"
#include "model/registry.h"
#include "unit/deletions.h"
#include "unit/lineage.h"
#include "unit/operation.h"
#include "unit/unique_name.h"

namespace orlop {

// Returns the configuration of the job, with the run. For a driver that does not read it, only checks the variables.
Result<std::string> TaskRuns::configuration_of_run(Unit& unit, const Record& run, bool is_read, SecretValues& secrets,
                                                   std::vector<std::string>& remarks) {
  ORLOP_TRY(job, unit.record(run.parent));
  if (!job) return not_found("job", run.parent);
  ORLOP_TRY(is_large, is_large_environment(unit, job->parent));
  const StepVariables variables{&shared_variables_, is_large, &remarks};
  if (!is_read) {
    ORLOP_TRY(referring, with_set_variables(unit, job->parent, {&job->id, 1}));
    if (!referring.empty()) ORLOP_CHECK(check_variables(unit, *job, Value(), variables));
    return std::string();
  }
  ORLOP_TRY(body, unit.value_of(run));
  Value said = Value::object();
  said.set("id", Value(to_text(run.id)));
  said.set("scheduled_at", Value(body->text_or("scheduled_at", "")));
  Value overrides = Value::object();
  overrides.set("run", std::move(said));
  return configuration_of(unit, *job, &overrides, Value(), variables, secrets);
}

// Empty if the driver does not read it.
Result<std::string> TaskRuns::configuration_for(Unit& unit, const Machine& task, const Record& record,
                                                SecretValues& secrets, std::vector<std::string>& remarks) {
  const bool is_read = in_flight_.texts_of(task).configuration;
  if (record.family == job_run_number) return configuration_of_run(unit, record, is_read, secrets, remarks);
  return is_read ? configuration_of(unit, record, nullptr, Value(), {}, secrets) : Result<std::string>(std::string());
}

// A task without a name gets that of its parent.
Result<Step> TaskRuns::step_for(Unit& unit, const Machine& task, const Record& record,
                                std::vector<std::string>& remarks) {
  SecretValues secrets(in_flight_.texts_of(task));
  auto configuration = configuration_for(unit, task, record, secrets, remarks);
  if (!configuration && configuration.error().code != ErrorCode::invalid) return std::move(configuration).error();
  ORLOP_TRY(body, unit.value_of(record));
  Step step = step_of(task, record.organization, {}, configuration ? std::move(*configuration) : std::string());
  step.secrets = std::move(secrets).take();
  if (!configuration) step.refusal = configuration.error().message;
  if (record.family == job_run_number) {
    ORLOP_TRY(job, unit.record(record.parent));
    ORLOP_TRY(restarts, job ? restarts_of(*job) : Result<std::uint32_t>(0));
    step.restarts_max = restarts;
  }
  step.name = body->text_or("name", "");
  if (!step.name.empty()) return step;
  ORLOP_TRY(parent, unit.record(record.parent));
  if (parent) step.name = name_of(*parent);
  return step;
}

// Bound of the step from its beginning.
Result<Duration> TaskRuns::bound_for(Unit& unit, const Record& task) {
  if (task.family != job_run_number) return settings_.step_deadline;
  ORLOP_TRY(job, unit.record(task.parent));
  return job ? bound_of(*job, StepKind::execute, settings_) : settings_.step_deadline;
}

// Scope with the cluster of the task, or of its environment.
Result<StepScope> TaskRuns::scope_of(Unit& unit, const Record& task) {
  StepScope scope{task.organization, Id{}};
  if (!in_flight_.turns().has_cluster_limit()) return scope;
  Lineage lineage(unit, task);
  for (bool is_there = true; is_there && scope.cluster.is_nil();) {
    const Family* family = find_family(lineage.at().family);
    if (family != nullptr && family->machine == MachineKind::cluster) scope.cluster = lineage.at().id;
    if (family != nullptr && family->machine == MachineKind::environment) {
      ORLOP_TRY(body, unit.value_of(lineage.at()));
      scope.cluster = parse_id(body->text_or("cluster_id", "")).value_or(Id{});
    }
    ORLOP_TRY(is_higher, lineage.up());
    is_there = is_higher;
  }
  return scope;
}

void TaskRuns::cancel(const Machine& task) {
  in_flight_.postpone(task.step, task.deadline);
  in_flight_.ask_cancel(task.step, CancelMode::force);
}

Result<void> TaskRuns::wake(Unit& unit, const Id& task) {
  ORLOP_TRY(machine, unit.machine(task));
  if (machine && !machine->step.is_nil()) {
    if (machine->timing.canceled_at && in_flight_.find(machine->step) != nullptr) cancel(*machine);
    return {};
  }
  if (!in_flight_.turns().has_limits()) return begin(unit, task);
  ORLOP_TRY(record, unit.record(task));
  if (!record) return {};
  ORLOP_TRY(scope, scope_of(unit, *record));
  in_flight_.turns().wait(task, scope);
  return {};
}

Result<void> TaskRuns::begin(Unit& unit, const Id& task) {
  ORLOP_TRY(machine, unit.machine(task));
  ORLOP_TRY(record, unit.record(task));
  const bool is_new =
      machine && record && static_cast<TaskState>(machine->state) == TaskState::queued && machine->step.is_nil();
  if (!is_new || in_flight_.is_withheld(machine->partition)) return {};
  ORLOP_TRY(is_deleted, is_being_deleted(unit, task));
  if (is_deleted) return {};  // it is deleted with its parent
  const std::uint8_t partition = machine->partition;
  const Instant deadline = unit.now() + settings_.start_deadline;
  StateTransition transition(unit, record->organization, *machine);
  transition.begin_step(step_id_in(unit.make_id(), partition), StepKind::task, deadline);
  transition.put();
  ORLOP_TRY(scope, scope_of(unit, *record));
  in_flight_.add(transition.machine().step, {SubjectKind::task, partition, 0, record->id, record->parent, {}, deadline},
                 scope);
  std::vector<std::string> remarks;
  ORLOP_TRY(step, step_for(unit, transition.machine(), *record, remarks));
  for (const std::string& remark : remarks) say(transition, EventKind::log_line, remark);
  in_flight_.ask_start(std::move(step));
  return {};
}

Result<void> TaskRuns::resume(Unit& unit, const Machine& task) {
  ORLOP_TRY(record, unit.record(task.id));
  if (!record || task.step.is_nil()) return {};
  std::vector<std::string> said;  // already in the log
  ORLOP_TRY(step, step_for(unit, task, *record, said));
  step.resumed = true;
  step.reported_at = task.timing.reported_at;
  step.canceling_since = task.timing.canceled_at;
  ORLOP_TRY(scope, scope_of(unit, *record));
  in_flight_.add(task.step, {SubjectKind::task, task.partition, 0, task.id, record->parent, {}, task.deadline}, scope);
  in_flight_.ask_start(std::move(step));
  if (task.timing.canceled_at) cancel(task);
  return {};
}

Result<void> TaskRuns::report(Unit& unit, const Report& report, const StepPlace& place) {
  ORLOP_TRY(machine, unit.machine(place.subject));
  ORLOP_TRY(record, unit.record(place.subject));
  if (!machine || !record || machine->step != report.step) {
    in_flight_.end(report.step);  // the task was deleted
    return {};
  }
  StateTransition transition(unit, record->organization, *machine);
  const StepResult result = take_task_report(transition, report, unit.now());
  if (result == StepResult::goes_on && is_beginning(report.kind) && !transition.machine().timing.canceled_at) {
    ORLOP_TRY(bound, bound_for(unit, *record));
    transition.machine().deadline = unit.now() + bound;
    in_flight_.postpone(report.step, transition.machine().deadline);
  }
  apply(report.step, transition, result);
  return {};
}

Result<void> TaskRuns::expire(Unit& unit, const Id& step, const StepPlace& place) {
  ORLOP_TRY(machine, unit.machine(place.subject));
  ORLOP_TRY(record, unit.record(place.subject));
  if (!machine || !record || machine->step != step) {
    in_flight_.end(step);
    return {};
  }
  const std::int64_t waited = (unit.now() - machine->step_started_at.value_or(unit.now())).milliseconds / 1000;
  StateTransition transition(unit, record->organization, *machine);
  in_flight_.ask_cancel(step, CancelMode::force);
  apply(step, transition,
        fail_task(transition, "the step did not end within its time, " + std::to_string(waited) + " seconds"));
  return {};
}

void TaskRuns::apply(const Id& step, StateTransition& task, StepResult result) {
  if (result == StepResult::ignored) return;
  task.put();
  if (result != StepResult::goes_on) in_flight_.end(step);
}

}  // namespace orlop
