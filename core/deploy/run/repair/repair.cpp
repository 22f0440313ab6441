#include "deploy/run/repair/repair.h"

#include <string>
#include <unordered_set>
#include <utility>

#include "base/deletion_number.h"
#include "deploy/request/request_parts.h"
#include "deploy/run/state_transition.h"
#include "model/registry.h"
#include "store/partition.h"
#include "store/walk.h"

namespace orlop {
namespace {

constexpr int most_faults = 12;  // of one row, repaired one after the other

std::string reason_of(RowFault fault) {
  return "an earlier fault was repaired: the resource " + std::string(to_string(fault));
}

// Moves the row to the error state of the action, or to that of a deployment if the action has none.
void fail(StateTransition& row, MachineKind kind, RowFault fault) {
  row.edit_detail().reason = reason_of(fault);
  bool has_moved = false;
  if (kind == MachineKind::service) has_moved = row.move(ServiceEvent::failed);
  if (kind == MachineKind::cluster) has_moved = row.move(ClusterEvent::failed);
  if (kind == MachineKind::task) has_moved = row.move(TaskEvent::failed);
  if (!has_moved) {
    const bool is_cluster = kind == MachineKind::cluster;
    const auto service_or_cluster = is_cluster ? static_cast<std::uint8_t>(ClusterState::deployment_error)
                                               : static_cast<std::uint8_t>(ServiceState::deployment_error);
    row.leave_in_error(kind == MachineKind::task ? static_cast<std::uint8_t>(TaskState::failed) : service_or_cluster);
  }
  if (static_cast<Freshness>(row.machine().freshness) == Freshness::up_to_date)
    row.set_freshness(Freshness::out_of_date);
  if (!row.machine().step.is_nil()) return row.end_step(PhaseStatus::error);
  row.machine().step_kind = 0;
  row.machine().deadline.reset();
}

// Returns false if the row is not being canceled.
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

// Replaces unknown numbers by those of a resource of which little is known.
void make_known(Machine& machine) {
  const bool has_freshness =
      machine_kind(machine.family) == MachineKind::service || machine_kind(machine.family) == MachineKind::cluster;
  const bool is_known = machine.freshness <= static_cast<std::uint8_t>(Freshness::up_to_date) &&
                        (!has_freshness || machine.freshness != 0);
  if (!is_known) machine.freshness = has_freshness ? static_cast<std::uint8_t>(Freshness::out_of_date) : 0;
  if (machine.running > static_cast<std::uint8_t>(RunningState::unknown))
    machine.running = static_cast<std::uint8_t>(RunningState::unknown);
  if (machine.action > static_cast<std::uint8_t>(Action::upgrade))
    machine.action = static_cast<std::uint8_t>(Action::none);
  if (machine.configuration > ConfigurationState::overtaken) machine.configuration = ConfigurationState::overtaken;
}

// Without known revisions, the resource counts as out of date.
void forget_revisions(StateTransition& row) {
  row.machine().deployed = 0;
  row.machine().configured = 0;
  row.machine().configuration = ConfigurationState::overtaken;
  if (static_cast<Freshness>(row.machine().freshness) == Freshness::up_to_date)
    row.set_freshness(Freshness::out_of_date);
}

void mend_row(Unit& unit, const Record& record, Machine machine, RowFault fault) {
  const MachineKind kind = machine_kind(machine.family);
  StateTransition row(unit, record.organization, std::move(machine));
  const bool has_step = !row.machine().step.is_nil();
  switch (fault) {
    case RowFault::wrong_partition:
      row.machine().partition = partition_of(record.organization);
      if (has_step) fail(row, kind, fault);  // reports of the step go to the partition in its id
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
      row.machine().state = 0;  // the event's earlier state
      fail(row, kind, fault);
      break;
    case RowFault::no_way_out:
    case RowFault::no_request: fail(row, kind, fault); break;
    case RowFault::wrong_family: row.machine().family = record.family; break;
    case RowFault::wrong_owner: row.machine().owner = record.parent; break;
    case RowFault::unknown_number: make_known(row.machine()); break;
    case RowFault::revision_ahead: forget_revisions(row); break;
    case RowFault::broken_text:
      row.edit_detail().outputs.clear();
      row.edit_detail().commit.clear();
      break;
    case RowFault::none:
    case RowFault::no_machine:
    case RowFault::no_record:
    case RowFault::no_job:
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

// Erases a mark without a job: its records are visible again.
Result<void> mend_mark(Unit& unit, const Id& subject) {
  ORLOP_TRY(record, unit.record(subject));
  if (!record || record->family != deletion_number) return {};
  ORLOP_TRY(fault, FaultFinder(unit).of_mark(subject));
  if (fault == RowFault::no_job) unit.erase(subject);
  return {};
}

}  // namespace

Result<Id> mend(Unit& unit, const Id& subject, bool is_whole) {
  Id woken;
  if (is_whole) ORLOP_CHECK(mend_mark(unit, subject));
  for (int count = 0; count < most_faults; ++count) {
    ORLOP_TRY(machine, unit.machine(subject));
    if (!machine) break;
    FaultFinder finder(unit);
    ORLOP_TRY(fault, is_whole ? finder.of_all(*machine) : finder.of(*machine));
    if (fault == RowFault::none) break;
    const bool is_part =
        machine->family == deployment_request_number || machine_kind(machine->family) == MachineKind::service;
    woken = is_part ? machine->owner : machine->id;
    ORLOP_CHECK(mend_one(unit, *machine, fault));
  }
  return woken;
}

Result<Machine> release_service(Unit& unit, Machine service) {
  const Id id = service.id;
  ORLOP_CHECK(mend_one(unit, service, RowFault::no_request));
  ORLOP_TRY(released, unit.machine(id));
  return released ? *released : std::move(service);
}

namespace {

constexpr std::size_t read_at_once = 500;

class RowWalk {
 public:
  explicit RowWalk(Unit& unit) : unit_(unit), finder_(unit) {}

  // Finds rows below the records of their owners, and active rows whose owner is gone.
  Result<std::vector<FaultyRow>> find() {
    ORLOP_CHECK(for_each_record(unit_.stored(), [&](const Record& record) -> Result<void> {
      records_.push_back({record.id, record.family});
      return records_.size() < read_at_once ? Result<void>() : look_at_records();
    }));
    ORLOP_CHECK(look_at_records());
    ORLOP_CHECK(look_at_rows({.by = MachineRange::By::active}));
    return std::move(found_);
  }

 private:
  struct Place {
    Id id;
    FamilyNumber family = 0;
  };

  static bool has_row(FamilyNumber family) {
    return family == deployment_request_number || machine_kind(family) != MachineKind::none;
  }

  Result<void> look_at_records() {
    std::vector<Id> ids;
    for (const Place& place : records_) ids.push_back(place.id);
    ORLOP_TRY(found, unit_.stored().rows({.machines = ids}));
    std::unordered_set<Id> with_row;
    for (const Shared<Machine>& machine : found.machines) {
      with_row.insert(machine->id);
      ORLOP_CHECK(look_at(*machine));
    }
    for (const Place& place : records_) {
      if (has_row(place.family) && !with_row.contains(place.id)) add({place.id, place.family, RowFault::no_machine});
      if (place.family == deletion_number) ORLOP_CHECK(look_at_mark(place.id));
      ORLOP_CHECK(look_at_rows({.by = MachineRange::By::owner, .owner = place.id}));
    }
    records_.clear();
    return {};
  }

  Result<void> look_at_rows(const MachineRange& range) {
    std::vector<Machine> machines;
    ORLOP_CHECK(unit_.stored().machines(
        range, [&machines](const Machine& machine) { return machines.push_back(machine), true; }));
    for (const Machine& machine : machines) ORLOP_CHECK(look_at(machine));
    return {};
  }

  Result<void> look_at_mark(const Id& mark) {
    ORLOP_TRY(fault, finder_.of_mark(mark));
    if (fault != RowFault::none) add({mark, deletion_number, fault});
    return {};
  }

  Result<void> look_at(const Machine& machine) {
    if (!seen_.insert(machine.id).second) return {};
    ORLOP_TRY(fault, finder_.of_all(machine));
    if (fault != RowFault::none) add({machine.id, machine.family, fault});
    return {};
  }

  void add(const FaultyRow& row) { found_.push_back(row); }

  Unit& unit_;
  FaultFinder finder_;
  std::vector<Place> records_;  // whose rows are read together
  std::unordered_set<Id> seen_;
  std::vector<FaultyRow> found_;
};

}  // namespace

Result<std::vector<FaultyRow>> find_faults(Unit& unit) { return RowWalk(unit).find(); }

}  // namespace orlop
