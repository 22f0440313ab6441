// Requests to clusters. A cluster has no queue: it takes one operation at a time, and the next tick begins it.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "catalogs/kubernetes_version.h"
#include "deploy/request/cluster_gate.h"
#include "deploy/request/deployment_request.h"
#include "deploy/request/holds.h"
#include "deploy/request/lock_of_cluster.h"
#include "deploy/request/request_gate.h"
#include "deploy/request/request_parts.h"
#include "deploy/run/state_transition.h"
#include "lifecycle/action.h"
#include "lifecycle/table.h"
#include "model/plan_flag.h"
#include "model/registry.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

std::string label(const Record& cluster) { return "cluster \"" + name_of(cluster) + "\""; }

Error refuse(const Record& cluster, std::string_view reason) {
  return make_error(ErrorCode::conflict, label(cluster) + " refuses: " + std::string(reason));
}

Error refuse_in_state(const Record& cluster, ClusterState state, std::string_view action) {
  std::vector<std::string_view> actions;
  for (const Action known : {Action::deploy, Action::dry_run, Action::upgrade, Action::stop, Action::remove}) {
    if (next(state, *row_of(known).cluster_request)) actions.push_back(row_of(known).words);
  }
  if (next(state, ClusterEvent::cancel_requested)) actions.emplace_back("cancel");
  return make_error(ErrorCode::conflict, refusal(label(cluster), to_string(state), actions, action));
}

// A waiting deployment counts: it would begin on a cluster that stops.
Result<bool> has_running_deployment(Unit& unit, const Id& cluster) {
  ORLOP_TRY(environments, environments_on(unit, cluster));
  for (const Record& environment : environments) {
    ORLOP_TRY(requests, unit.machines(environment.id, deployment_request_number));
    if (std::ranges::any_of(requests, is_unfinished)) return true;
  }
  return false;
}

Result<void> check_upgrade(Unit& unit, const Record& cluster, const Machine& machine) {
  ORLOP_TRY(lock, lock_of(unit, cluster.id));
  if (lock) return refuse(cluster, "it is locked");
  if (!has(machine.plan_flags, PlanFlag::upgradable))
    return refuse(cluster, "a PARTIALLY_MANAGED cluster is not upgraded from here");
  ORLOP_TRY(body, parse_stored(cluster.body));
  const std::string_view version = body.text_or("version", "");
  if (next_kubernetes_version(unit.settings().kubernetes_versions, version).empty()) {
    return refuse(cluster, "no version of Kubernetes after " + std::string(version) + " is known");
  }
  return {};
}

Result<void> check_stop(Unit& unit, const Record& cluster, const Machine& machine) {
  if (!has(machine.plan_flags, PlanFlag::stoppable)) {
    return refuse(cluster, "a cluster on GCP or AZURE, or a PARTIALLY_MANAGED one, cannot be stopped");
  }
  ORLOP_TRY(running, has_running_deployment(unit, cluster.id));
  if (running) return refuse(cluster, "a deployment runs on it; wait for its end or cancel it");
  return {};
}

Result<void> check_remove(Unit& unit, const Record& cluster) {
  ORLOP_TRY(environments, environments_on(unit, cluster.id));
  if (environments.empty()) return {};
  const std::string many =
      environments.size() == 1 ? "an environment is" : std::to_string(environments.size()) + " environments are";
  return refuse(cluster, many + " linked to it; delete what is linked first");
}

// Checks the conditions of the action other than the state.
Result<void> check_action(Unit& unit, const Record& cluster, const Machine& machine, Action action) {
  switch (action) {
    case Action::upgrade: return check_upgrade(unit, cluster, machine);
    case Action::stop: return check_stop(unit, cluster, machine);
    case Action::remove: return check_remove(unit, cluster);
    case Action::none:
    case Action::deploy:
    case Action::restart:
    case Action::uninstall:
    case Action::dry_run: return {};
  }
  return {};
}

Result<StateTransition> require_cluster(Unit& unit, const Id& cluster) {
  ORLOP_TRY(record, unit.record(cluster));
  if (!record) return not_found("cluster", cluster);
  ORLOP_TRY(machine, unit.machine(cluster));
  if (!machine) return not_found("cluster", cluster);
  return StateTransition(unit, record->organization, *machine);
}

}  // namespace

Result<void> check_cluster(Unit& unit, const Id& cluster, Action action) {
  ORLOP_TRY(transition, require_cluster(unit, cluster));
  ORLOP_TRY(record, unit.record(cluster));
  return check_action(unit, *record, transition.machine(), action);
}

Result<void> place_cluster(Unit& unit, const Id& cluster, Action action, std::string_view author) {
  ORLOP_TRY(transition, require_cluster(unit, cluster));
  ORLOP_TRY(record, unit.record(cluster));
  const auto event = row_of(action).cluster_request;
  if (!event) return refuse(*record, "clusters do not have the action " + std::string(to_string(action)));
  if (!next(transition.cluster_state(), *event))
    return refuse_in_state(*record, transition.cluster_state(), row_of(action).words);
  ORLOP_CHECK(check_action(unit, *record, transition.machine(), action));
  const Id operation = unit.make_id();
  ActionDetail detail;
  detail.execution_id = make_execution_id(operation, unit.now());
  detail.triggered_by = author;
  transition.begin_action(action, operation, std::move(detail));
  const bool may_wait = next(ClusterState::queued, *event) && next(transition.cluster_state(), ClusterEvent::hold);
  if (may_wait) {
    ORLOP_TRY(is_stopped, must_wait(unit, *record, action, operation));
    if (is_stopped) transition.machine().plan_flags |= static_cast<std::uint32_t>(held_flag);
  }
  const bool waits = may_wait && is_held(transition.machine());
  transition.move(waits ? ClusterEvent::hold : *event);
  transition.put();
  unit.wake(cluster, transition.machine().partition);
  return {};
}

Result<void> cancel_cluster(Unit& unit, const Id& cluster) {
  ORLOP_TRY(transition, require_cluster(unit, cluster));
  const ClusterState before = transition.cluster_state();
  // A step that was handed to the driver counts as begun, even if the driver has not reported it yet.
  const auto started = row_of(transition.action()).cluster_started;
  if (started && !transition.machine().step.is_nil()) transition.move(*started);
  if (!transition.move(ClusterEvent::cancel_requested)) {
    ORLOP_TRY(record, unit.record(cluster));
    return refuse_in_state(*record, before, "cancel");
  }
  if (transition.cluster_state() == ClusterState::canceling) {
    if (transition.machine().step.is_nil()) {
      transition.move(ClusterEvent::canceled);
    } else {
      transition.machine().deadline = unit.now() + unit.settings().cancel_deadline;
      transition.machine().timing.canceled_at = unit.now();
    }
  }
  transition.put();
  unit.wake(cluster, transition.machine().partition);
  return {};
}

}  // namespace orlop
