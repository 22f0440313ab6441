#include "deploy/run/repair/repair.h"

#include <string>
#include <unordered_set>
#include <utility>

#include "deploy/request/request_parts.h"
#include "deploy/run/state_transition.h"
#include "model/registry.h"
#include "store/partition.h"
#include "store/walk.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr int most_faults = 6;  // of one row, one after the other

std::string reason_of(RowFault fault) { return "an earlier fault was repaired: the resource " + std::string(to_string(fault)); }

// To the error state of the action, or to that of a deployment where the action has none.
void fail(StateTransition& row, MachineKind kind, RowFault fault) {
  row.edit_detail().reason = reason_of(fault);
  bool has_moved = false;
  if (kind == MachineKind::service) has_moved = row.move(ServiceEvent::failed);
  if (kind == MachineKind::cluster) has_moved = row.move(ClusterEvent::failed);
  if (kind == MachineKind::task) has_moved = row.move(TaskEvent::failed);
  if (!has_moved) {
    const bool is_cluster = kind == MachineKind::cluster;
    const auto service_or_cluster = is_cluster ? static_cast<std::uint8_t>(ClusterState::deployment_error) : static_cast<std::uint8_t>(ServiceState::deployment_error);
    row.leave_in_error(kind == MachineKind::task ? static_cast<std::uint8_t>(TaskState::failed) : service_or_cluster);
  }
  if (static_cast<Freshness>(row.machine().freshness) == Freshness::up_to_date) row.set_freshness(Freshness::out_of_date);
  if (!row.machine().step.is_nil()) return row.end_step(PhaseStatus::error);
  row.machine().step_kind = 0;
  row.machine().deadline.reset();
}

// False: it is not being canceled.
bool cancel(StateTransition& row, MachineKind kind) {
  if (kind == MachineKind::service) return row.move(ServiceEvent::canceled);
  return kind == MachineKind::cluster && row.move(ClusterEvent::canceled);
}

void clear(Machine& machine) {
  machine.active = false;
  machine.step = Id{};
  machine.step_kind = 0;
  machine.deadline.reset();
}

void mend_row(Unit& unit, const Record& record, Machine machine, RowFault fault) {
  const MachineKind kind = machine_kind(machine.family);
  StateTransition row(unit, record.organization, std::move(machine));
  const bool has_step = !row.machine().step.is_nil();
  switch (fault) {
    case RowFault::wrong_partition:
      row.machine().partition = partition_of(record.organization);
      if (has_step) fail(row, kind, fault);  // reports for it go to the partition that its id names
      break;
    case RowFault::unattended:
      if (has_step) fail(row, kind, fault);
      else row.machine().active = true;
      break;
    case RowFault::left_over: clear(row.machine()); break;
    case RowFault::no_deadline: row.machine().deadline = unit.now() + unit.settings().start_deadline; break;
    case RowFault::no_step:
      if (!cancel(row, kind)) fail(row, kind, fault);
      break;
    case RowFault::unknown_state:
    case RowFault::no_way_out:
    case RowFault::no_request: fail(row, kind, fault); break;
    case RowFault::none:
    case RowFault::no_record:
    case RowFault::not_begun: return;
  }
  row.put();
}

Result<void> mend_request(Unit& unit, const Record& record, Machine request, RowFault fault) {
  ORLOP_TRY(body, parse_request(record.body));
  const bool has_ended = fault == RowFault::left_over || (fault == RowFault::unknown_state && body.ended_at);
  const bool begins_again = fault == RowFault::not_begun || (fault == RowFault::unknown_state && !has_ended);
  if (has_ended) request.state = static_cast<std::uint8_t>(RequestState::ended);
  if (begins_again) request.state = static_cast<std::uint8_t>(RequestState::waiting);
  request.partition = partition_of(record.organization);
  request.active = is_unfinished(request);
  unit.put(std::move(request));
  return {};
}

Result<void> mend_one(Unit& unit, Machine machine, RowFault fault) {
  if (fault == RowFault::no_record) {
    unit.erase(machine.id);
    return {};
  }
  ORLOP_TRY(record, unit.record(machine.id));
  if (!record) return {};
  if (machine.family == deployment_request_number) return mend_request(unit, *record, std::move(machine), fault);
  mend_row(unit, *record, std::move(machine), fault);
  return {};
}

}  // namespace

Result<Id> mend(Unit& unit, const Id& subject, bool is_whole) {
  Id woken;
  for (int count = 0; count < most_faults; ++count) {
    ORLOP_TRY(machine, unit.machine(subject));
    if (!machine) break;
    FaultFinder finder(unit);
    ORLOP_TRY(fault, is_whole ? finder.of_all(*machine) : finder.of(*machine));
    if (fault == RowFault::none) break;
    const bool is_part = machine->family == deployment_request_number || machine_kind(machine->family) == MachineKind::service;
    woken = is_part ? machine->owner : machine->id;
    ORLOP_CHECK(mend_one(unit, std::move(*machine), fault));
  }
  return woken;
}

Result<Machine> release_service(Unit& unit, Machine service) {
  const Id id = service.id;
  ORLOP_CHECK(mend_one(unit, service, RowFault::no_request));
  ORLOP_TRY(released, unit.machine(id));
  return released ? std::move(*released) : std::move(service);
}

std::string faults_json(const std::vector<FoundFault>& faults) {
  Writer out;
  out.begin_list();
  for (const FoundFault& found : faults) {
    const Family* family = find_family(found.family);
    out.begin_object().field("id", found.subject).field("type", family == nullptr ? std::string_view() : family->name);
    out.field("fault", to_string(found.fault)).end_object();
  }
  out.end_list();
  return std::move(out).take();
}

Result<std::vector<FoundFault>> find_faults(Unit& unit) {
  std::vector<FoundFault> found;
  FaultFinder finder(unit);
  const auto look_at = [&](const Machine& machine) -> Result<void> {
    const bool has_faults = machine.family == deployment_request_number || machine_kind(machine.family) == MachineKind::service ||
                            machine_kind(machine.family) == MachineKind::cluster || machine_kind(machine.family) == MachineKind::task;
    if (!has_faults) return {};
    ORLOP_TRY(fault, finder.of_all(machine));
    if (fault != RowFault::none) found.push_back({machine.id, machine.family, fault});
    return {};
  };
  // A row lies below the record of its owner; one whose owner is gone is found if it is active.
  std::vector<Machine> machines;
  const auto keep = [&machines](const Machine& machine) { return machines.push_back(machine), true; };
  ORLOP_CHECK(for_each_record(unit.stored(), [&](const Record& record) -> Result<void> {
    machines.clear();
    ORLOP_CHECK(unit.stored().machines({.by = MachineRange::By::owner, .owner = record.id}, keep));
    for (const Machine& machine : machines) ORLOP_CHECK(look_at(machine));
    return {};
  }));
  machines.clear();
  ORLOP_CHECK(unit.stored().machines({.by = MachineRange::By::active}, keep));
  std::unordered_set<Id> known;
  for (const FoundFault& fault : found) known.insert(fault.subject);
  for (const Machine& machine : machines) {
    if (!known.contains(machine.id)) ORLOP_CHECK(look_at(machine));
  }
  return found;
}

}  // namespace orlop
