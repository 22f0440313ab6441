// Machines of new resources, and the effect of edits on machines.
#include <utility>

#include "deploy/request/deployment_request.h"
#include "deploy/run/state_transition.h"
#include "model/plan_flag.h"
#include "store/partition.h"

namespace orlop {
namespace {

Machine new_machine(const Unit& unit, const Record& record, std::uint32_t plan_flags, std::uint8_t state) {
  Machine machine;
  machine.id = record.id;
  machine.family = record.family;
  machine.owner = record.parent;
  machine.partition = partition_of(record.organization);
  machine.state = state;
  machine.origin_state = state;
  machine.freshness = static_cast<std::uint8_t>(Freshness::never_deployed);
  machine.plan_flags = plan_flags;
  machine.changed_at = unit.now();
  return machine;
}

// Reports whether an edit now would come too late for the current action.
bool is_applied(ConfigurationState state) {
  return state == ConfigurationState::pending || state == ConfigurationState::read;
}

}  // namespace

Machine new_service_machine(Unit& unit, const Record& record, std::uint32_t plan_flags, const Id& stage) {
  Machine machine = new_machine(unit, record, plan_flags, static_cast<std::uint8_t>(ServiceState::ready));
  machine.planned_flags = plan_flags;
  machine.stage = stage;
  return machine;
}

Machine new_cluster_machine(Unit& unit, const Record& record, std::uint32_t plan_flags) {
  return new_machine(unit, record, plan_flags, static_cast<std::uint8_t>(ClusterState::ready));
}

Machine new_environment_machine(Unit& unit, const Record& record) {
  return new_machine(unit, record, 0, static_cast<std::uint8_t>(ServiceState::ready));
}

Machine new_task_machine(Unit& unit, const Record& record) {
  Machine machine = new_machine(unit, record, 0, static_cast<std::uint8_t>(TaskState::queued));
  machine.active = true;
  machine.detail.edit().triggered_by = unit.author();
  return machine;
}

Result<void> touch(Unit& unit, const Id& subject) {
  ORLOP_TRY(machine, unit.machine(subject));
  if (!machine) return {};
  ORLOP_TRY(record, unit.record(subject));
  return touch(unit, record ? record->organization : Id{}, *machine);
}

Result<void> touch(Unit& unit, const Id& organization, Machine machine) {
  const bool is_current = static_cast<Freshness>(machine.freshness) == Freshness::up_to_date;
  const bool is_overtaken = machine.active && is_applied(machine.configuration);
  if (!is_current && !is_overtaken) return {};
  StateTransition transition(unit, organization, std::move(machine));
  if (is_overtaken) {
    transition.machine().configuration = ConfigurationState::overtaken;
    transition.machine().configured = 0;
  }
  if (is_current) transition.set_freshness(Freshness::out_of_date);
  std::move(transition).put();
  return {};
}

}  // namespace orlop
