#include "deploy/run/tasks/runs.h"

#include <string>
#include <utility>

#include "deploy/driver/configuration.h"
#include "deploy/run/run.h"
#include "model/registry.h"
#include "ops/lineage.h"
#include "ops/verbs.h"

namespace orlop {

// "" if the driver does not read it.
Result<std::string> TaskRuns::configuration_for(Unit& unit, const Machine& task, const Record& record) {
  if (!in_flight_.needs_configuration(task)) return std::string();
  return configuration_of(unit, record, nullptr, Value());
}

// A task without a name is called like what it is about.
Result<Step> TaskRuns::step_for(Unit& unit, const Machine& task, const Record& record) {
  ORLOP_TRY(configuration, configuration_for(unit, task, record));
  ORLOP_TRY(body, unit.value_of(record));
  Step step = step_of(task, record, std::move(configuration));
  step.name = body->text_or("name", "");
  if (!step.name.empty()) return step;
  ORLOP_TRY(parent, unit.record(record.parent));
  if (parent) step.name = name_of(*parent);
  return step;
}

// Of the cluster that the task is about, or that its environment runs on.
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

Result<void> TaskRuns::wake(Unit& unit, const Id& task) {
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
  const bool is_new = machine && record && static_cast<TaskState>(machine->state) == TaskState::queued && machine->step.is_nil();
  if (!is_new || in_flight_.is_withheld(machine->partition)) return {};
  const std::uint8_t partition = machine->partition;
  const Instant deadline = unit.now() + settings_.start_deadline;
  StateTransition transition(unit, record->organization, std::move(*machine));
  transition.begin_step(step_id_in(unit.make_id(), partition), StepKind::task, deadline);
  transition.put();
  ORLOP_TRY(scope, scope_of(unit, *record));
  in_flight_.add(transition.machine().step, {SubjectKind::task, record->id, record->parent, 0, deadline, {}, partition, scope});
  ORLOP_TRY(step, step_for(unit, transition.machine(), *record));
  in_flight_.ask_start(std::move(step));
  return {};
}

Result<void> TaskRuns::resume(Unit& unit, const Machine& task) {
  ORLOP_TRY(record, unit.record(task.id));
  if (!record || task.step.is_nil()) return {};
  ORLOP_TRY(step, step_for(unit, task, *record));
  step.resumed = true;
  step.reported_at = task.detail.reported_at;
  ORLOP_TRY(scope, scope_of(unit, *record));
  in_flight_.add(task.step, {SubjectKind::task, task.id, record->parent, 0, task.deadline, {}, task.partition, scope});
  in_flight_.ask_start(std::move(step));
  return {};
}

Result<void> TaskRuns::report(Unit& unit, const Report& report, const StepPlace& place) {
  ORLOP_TRY(machine, unit.machine(place.subject));
  ORLOP_TRY(record, unit.record(place.subject));
  if (!machine || !record || machine->step != report.step) {
    in_flight_.end(report.step);  // the task was deleted
    return {};
  }
  StateTransition transition(unit, record->organization, std::move(*machine));
  const StepResult result = take_task_report(transition, report, unit.now());
  if (result == StepResult::goes_on && is_beginning(report.kind)) {
    transition.machine().deadline = unit.now() + settings_.step_deadline;
    in_flight_.postpone(report.step, transition.machine().deadline);
  }
  apply(report.step, transition, result);
  return {};
}

Result<void> TaskRuns::expire(Unit& unit, const Id& step, const StepPlace& place) {
  ORLOP_TRY(machine, unit.machine(place.subject));
  ORLOP_TRY(record, unit.record(place.subject));
  in_flight_.ask_cancel(step, CancelMode::force);
  if (!machine || !record || machine->step != step) {
    in_flight_.end(step);
    return {};
  }
  const std::int64_t waited = (unit.now() - machine->step_started_at.value_or(unit.now())).milliseconds / 1000;
  StateTransition transition(unit, record->organization, std::move(*machine));
  apply(step, transition, fail_task(transition, "the step did not end within its time, " + std::to_string(waited) + " seconds"));
  return {};
}

void TaskRuns::apply(const Id& step, StateTransition& task, StepResult result) {
  if (result == StepResult::ignored) return;
  task.put();
  if (result != StepResult::goes_on) in_flight_.end(step);
}

}  // namespace orlop
