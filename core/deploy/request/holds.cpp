#include "deploy/request/holds.h"

#include <utility>

#include "deploy/request/request_parts.h"
#include "deploy/run/state_transition.h"
#include "model/registry.h"
#include "unit/operation.h"

namespace orlop {
namespace {

constexpr std::uint32_t held_bit = static_cast<std::uint32_t>(held_flag);

Result<void> hold(Unit& unit, const Id& id, std::string_view what) {
  ORLOP_TRY(machine, unit.machine(id));
  if (!machine) return not_found(what, id);
  Machine held = *machine;
  held.plan_flags |= held_bit;
  unit.put(std::move(held));
  return {};
}

// Moves the services of the request out of QUEUED.
Result<void> release_request(Unit& unit, Machine machine) {
  ORLOP_TRY(request, stored_request(unit, std::move(machine)));
  ORLOP_TRY(services, services_moved(unit, request.body));
  for (Machine& service : services) {
    StateTransition transition(unit, request.record.organization, std::move(service));
    if (transition.service_state() != ServiceState::queued) continue;
    transition.move(*row_of(request.body.action).service_request);
    std::move(transition).put();
  }
  request.machine.plan_flags &= ~held_bit;
  unit.wake(request.body.environment, request.machine.partition);
  unit.put(std::move(request.machine));
  return {};
}

Result<void> release_cluster(Unit& unit, Machine machine) {
  machine.plan_flags &= ~held_bit;
  const Id id = machine.id;
  const std::uint8_t partition = machine.partition;
  StateTransition cluster(unit, machine.owner, std::move(machine));
  if (cluster.cluster_state() == ClusterState::queued) cluster.move(*row_of(cluster.action()).cluster_request);
  cluster.put();
  unit.wake(id, partition);
  return {};
}

Result<void> release_environment(Unit& unit, Machine machine) {
  machine.plan_flags &= ~held_bit;
  const Id id = machine.id;
  unit.put(std::move(machine));
  ORLOP_TRY(requests, request_machines(unit, id));
  for (Machine& request : requests) {
    if (is_held(request)) ORLOP_CHECK(release_request(unit, std::move(request)));
  }
  return {};
}

}  // namespace

Result<void> hold_environment(Unit& unit, const Id& environment) { return hold(unit, environment, "environment"); }
Result<void> hold_cluster(Unit& unit, const Id& cluster) { return hold(unit, cluster, "cluster"); }
Result<void> hold_request(Unit& unit, const Id& request) { return hold(unit, request, "deployment request"); }

Result<bool> release_held(Unit& unit, const Id& held) {
  ORLOP_TRY(machine, unit.machine(held));
  if (!machine || !is_held(*machine)) return false;
  const Family* const family = find_family(machine->family);
  if (machine->family == deployment_request_number && !is_unfinished(*machine)) return false;
  if (machine->family == deployment_request_number) {
    ORLOP_CHECK(release_request(unit, *machine));
  } else if (family != nullptr && family->machine == MachineKind::cluster) {
    ORLOP_CHECK(release_cluster(unit, *machine));
  } else {
    ORLOP_CHECK(release_environment(unit, *machine));
  }
  return true;
}

}  // namespace orlop
