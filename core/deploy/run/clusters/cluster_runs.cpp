#include "deploy/run/clusters/cluster_runs.h"

#include <string>
#include <utility>

#include "catalogs/kubernetes_version.h"
#include "deploy/driver/configuration.h"
#include "deploy/request/cluster_gate.h"
#include "deploy/request/holds.h"
#include "deploy/run/clusters/outcome.h"
#include "deploy/run/run.h"
#include "model/plan_flag.h"
#include "records/write_record.h"
#include "unit/deletions.h"
#include "unit/unique_name.h"
#include "wire/json.h"

namespace orlop {
namespace {

StepKind step_for(const Machine& cluster) {
  switch (static_cast<Action>(cluster.action)) {
    case Action::deploy:
      return static_cast<Freshness>(cluster.freshness) == Freshness::never_deployed ? StepKind::cluster_create
                                                                                    : StepKind::cluster_update;
    case Action::restart: return StepKind::cluster_restart;
    case Action::stop: return StepKind::cluster_stop;
    case Action::remove: return StepKind::cluster_remove;
    case Action::dry_run: return StepKind::cluster_dry_run;
    case Action::upgrade: return StepKind::cluster_upgrade;
    case Action::none:
    case Action::uninstall: break;
  }
  return StepKind::none;
}

// An upgrade needs its target version.
Value overrides_of(Unit& unit, const Machine& cluster, const Record& record) {
  Value overrides;
  if (static_cast<Action>(cluster.action) != Action::upgrade) return overrides;
  const auto body = parse_stored(record.body);
  if (!body) return overrides;
  const std::string_view next =
      next_kubernetes_version(unit.settings().kubernetes_versions, body->text_or("version", ""));
  overrides.set("target_version", Value(next));
  return overrides;
}

}  // namespace

Result<void> ClusterRuns::wake(Unit& unit, const Id& cluster) {
  ORLOP_TRY(machine, unit.machine(cluster));
  ORLOP_TRY(record, unit.record(cluster));
  if (!machine || !record) return {};
  const auto state = static_cast<ClusterState>(machine->state);
  if (state == ClusterState::canceling && !machine->step.is_nil()) {
    in_flight_.postpone(machine->step, machine->deadline);
    in_flight_.ask_cancel(machine->step, CancelMode::interruptible);
    return {};
  }
  if (!is_transient(state)) return come_to_rest(unit, *record);
  if (is_held(*machine) || !machine->step.is_nil()) return {};
  if (!in_flight_.turns().has_limits()) return start(unit, *machine, *record);
  in_flight_.turns().wait(cluster, {record->organization, record->id});
  return {};
}

Result<void> ClusterRuns::take_turn(Unit& unit, const Id& cluster) {
  ORLOP_TRY(machine, unit.machine(cluster));
  ORLOP_TRY(record, unit.record(cluster));
  const bool is_waiting = machine && record && !is_held(*machine) &&
                          is_transient(static_cast<ClusterState>(machine->state)) && machine->step.is_nil();
  return is_waiting ? start(unit, *machine, *record) : Result<void>();
}

Result<void> ClusterRuns::come_to_rest(Unit& unit, const Record& cluster) {
  ORLOP_CHECK(resume_deletions(unit, cluster.organization));
  return wake_environments(unit, cluster.id);
}

Result<void> ClusterRuns::wake_environments(Unit& unit, const Id& cluster) {
  if (!settings_.require_cluster) return {};
  ORLOP_TRY(environments, environments_on(unit, cluster));
  for (const Record& environment : environments) woken_.push_back(environment.id);
  return {};
}

Result<void> ClusterRuns::start(Unit& unit, Machine cluster, const Record& record) {
  const StepKind kind = step_for(cluster);
  if (kind == StepKind::none || in_flight_.is_withheld(cluster.partition)) return {};
  const Instant deadline = unit.now() + settings_.start_deadline;
  StateTransition transition(unit, record.organization, std::move(cluster));
  ORLOP_TRY(is_deleted, kind == StepKind::cluster_remove ? Result<bool>(false) : is_being_deleted(unit, record.id));
  // In a cluster that is being deleted only its deletion begins.
  if (is_deleted && transition.move(ClusterEvent::cancel_requested)) {
    transition.put();
    return come_to_rest(unit, record);
  }
  transition.read_configuration(record.revision);
  const std::uint8_t partition = transition.machine().partition;
  transition.begin_step(step_id_in(unit.make_id(), partition), kind, deadline);
  transition.put();
  in_flight_.add(transition.machine().step,
                 {SubjectKind::cluster, partition, 0, record.id, record.parent, {}, deadline},
                 {record.organization, record.id});
  ORLOP_TRY(step, configured_step(unit, transition.machine(), record));
  in_flight_.ask_start(std::move(step));
  return {};
}

// Empty if the driver does not read it.
Result<std::string> ClusterRuns::configuration_for(Unit& unit, const Machine& cluster, const Record& record,
                                                   SecretValues& secrets) {
  if (!in_flight_.texts_of(cluster).configuration) return std::string();
  const Value overrides = overrides_of(unit, cluster, record);
  return configuration_of(unit, record, &overrides, Value(), {}, secrets);
}

// A configuration that cannot be made fails the step.
Result<Step> ClusterRuns::configured_step(Unit& unit, const Machine& cluster, const Record& record) {
  SecretValues secrets(in_flight_.texts_of(cluster));
  auto configuration = configuration_for(unit, cluster, record, secrets);
  if (!configuration && configuration.error().code != ErrorCode::invalid) return std::move(configuration).error();
  Step step =
      step_of(cluster, record.organization, name_of(record), configuration ? std::move(*configuration) : std::string());
  if (!configuration) step.refusal = configuration.error().message;
  step.secrets = std::move(secrets).take();
  return step;
}

Result<void> ClusterRuns::resume(Unit& unit, const Machine& cluster) {
  ORLOP_TRY(record, unit.record(cluster.id));
  if (!record || cluster.step.is_nil()) return {};
  ORLOP_TRY(step, configured_step(unit, cluster, *record));
  step.resumed = true;
  step.reported_at = cluster.timing.reported_at;
  const bool is_canceling = static_cast<ClusterState>(cluster.state) == ClusterState::canceling;
  step.canceling_since = cluster.timing.canceled_at;
  in_flight_.add(cluster.step,
                 {SubjectKind::cluster, cluster.partition, 0, cluster.id, record->parent, {}, cluster.deadline},
                 {record->organization, record->id});
  in_flight_.ask_start(std::move(step));
  if (is_canceling) in_flight_.ask_cancel(cluster.step, CancelMode::interruptible);
  return {};
}

Result<void> ClusterRuns::report(Unit& unit, const Report& report, const StepPlace& place) {
  ORLOP_TRY(machine, unit.machine(place.subject));
  ORLOP_TRY(record, unit.record(place.subject));
  const bool applies = machine && record && machine->step == report.step;
  if (!applies) {
    in_flight_.end(report.step);
    return {};
  }
  StateTransition transition(unit, record->organization, *machine);
  const StepResult result = take_cluster_report(transition, report, unit.now());
  if (result == StepResult::goes_on && is_beginning(report.kind)) {
    transition.machine().deadline = unit.now() + settings_.step_deadline;
    in_flight_.postpone(report.step, transition.machine().deadline);
  }
  return apply(unit, report.step, transition, *record, result, report.text);
}

Result<void> ClusterRuns::expire(Unit& unit, const Id& step, const StepPlace& place) {
  ORLOP_TRY(machine, unit.machine(place.subject));
  ORLOP_TRY(record, unit.record(place.subject));
  const bool applies = machine && record && machine->step == step;
  if (!applies) {
    in_flight_.end(step);
    return {};
  }
  if (machine->deadline && machine->deadline != place.deadline && *machine->deadline > unit.now()) {
    in_flight_.postpone(step, machine->deadline);
    return {};
  }
  const std::int64_t waited = (unit.now() - machine->step_started_at.value_or(unit.now())).milliseconds / 1000;
  StateTransition transition(unit, record->organization, *machine);
  in_flight_.ask_cancel(step, CancelMode::force);
  const StepResult result =
      fail_cluster(transition, "the step did not end within its time, " + std::to_string(waited) + " seconds");
  return apply(unit, step, transition, *record, result, {});
}

Result<void> ClusterRuns::apply(Unit& unit, const Id& step, StateTransition& cluster, Record record, StepResult result,
                                std::string_view outputs) {
  if (result == StepResult::ignored) return {};
  cluster.put();
  if (result == StepResult::goes_on) return {};
  in_flight_.end(step);
  ORLOP_CHECK(come_to_rest(unit, record));
  if (result != StepResult::succeeded) return {};
  if (cluster.cluster_state() != ClusterState::deleted) return store_outcome(unit, cluster, std::move(record), outputs);
  const auto removed = remove_tree(unit, record);
  if (removed) return {};
  if (removed.error().code != ErrorCode::conflict) return removed.error();
  // An environment was added meanwhile: the record stays, DELETED.
  cluster.edit_detail().reason = removed.error().message;
  cluster.put();
  return {};
}

}  // namespace orlop
