#include "deploy/run/repair/fault.h"

#include <algorithm>
#include <utility>

#include "base/bulk_job_number.h"
#include "deploy/request/holds.h"
#include "deploy/request/request_parts.h"
#include "lifecycle/machine.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "store/partition.h"
#include "wire/read_plain.h"

namespace orlop {
namespace {

ActionContext context_of(const Machine& machine) {
  const bool is_building = static_cast<StepKind>(machine.step_kind) == StepKind::build;
  return {static_cast<Action>(machine.action), is_building ? Phase::building : Phase::acting, machine.origin_state};
}

// Faults that every kind of row can have.
template <typename State, typename Event>
RowFault common_fault(const Machine& machine, State state, Event failed) {
  if (machine.state == 0 || machine.state > state_count<State>) return RowFault::unknown_state;
  const bool has_step = !machine.step.is_nil();
  if (!is_transient(state))
    return machine.active || has_step || machine.deadline ? RowFault::left_over : RowFault::none;
  if (!advance(state, failed, context_of(machine))) return RowFault::no_way_out;
  if (!machine.active) return RowFault::unattended;
  return has_step && !machine.deadline ? RowFault::no_deadline : RowFault::none;
}

RowFault service_fault(const Machine& machine) {
  const auto state = static_cast<ServiceState>(machine.state);
  const RowFault common = common_fault(machine, state, ServiceEvent::failed);
  return common == RowFault::none && state == ServiceState::canceling && machine.step.is_nil() ? RowFault::no_step
                                                                                               : common;
}

RowFault cluster_fault(const Machine& machine) {
  const auto state = static_cast<ClusterState>(machine.state);
  // A held dry run has no failure: it leaves QUEUED when it is released.
  if (state == ClusterState::queued && static_cast<Action>(machine.action) == Action::dry_run && is_held(machine))
    return machine.active ? RowFault::none : RowFault::unattended;
  const RowFault common = common_fault(machine, state, ClusterEvent::failed);
  if (common != RowFault::none || !is_transient(state)) return common;
  if (!row_of(static_cast<Action>(machine.action)).cluster_request) return RowFault::no_way_out;
  return state == ClusterState::canceling && machine.step.is_nil() ? RowFault::no_step : RowFault::none;
}

RowFault task_fault(const Machine& machine) {
  const auto state = static_cast<TaskState>(machine.state);
  const RowFault common = common_fault(machine, state, TaskEvent::failed);
  const bool has_begun = is_transient(state) && state != TaskState::queued;
  return common == RowFault::none && has_begun && machine.step.is_nil() ? RowFault::no_step : common;
}

// Reports whether the row lies below the parent of its record, unlike those of schedules and jobs.
bool is_below_parent(FamilyNumber family) {
  const MachineKind kind = machine_kind(family);
  return family == deployment_request_number || kind == MachineKind::service || kind == MachineKind::cluster ||
         kind == MachineKind::environment || kind == MachineKind::task;
}

bool is_json_or_empty(std::string_view text) { return text.empty() || is_stored_object(text); }

// Checks numbers and texts that do not affect progress, but appear in replies.
RowFault content_fault(const Machine& machine, const Record& record) {
  const bool has_freshness =
      machine_kind(machine.family) == MachineKind::service || machine_kind(machine.family) == MachineKind::cluster;
  const bool are_known = machine.freshness <= static_cast<std::uint8_t>(Freshness::up_to_date) &&
                         (!has_freshness || machine.freshness != 0) &&
                         machine.running <= static_cast<std::uint8_t>(RunningState::unknown) &&
                         machine.action <= static_cast<std::uint8_t>(Action::upgrade) &&
                         machine.configuration <= ConfigurationState::overtaken;
  if (!are_known) return RowFault::unknown_number;
  const bool is_read = machine.configuration == ConfigurationState::read;
  if (machine.deployed > record.revision || (is_read && machine.configured > record.revision))
    return RowFault::revision_ahead;
  if (!is_json_or_empty(machine.detail->outputs) || !is_json_or_empty(machine.detail->commit))
    return RowFault::broken_text;
  return RowFault::none;
}

RowFault request_fault(const Machine& machine) {
  if (machine.state < static_cast<std::uint8_t>(RequestState::waiting) ||
      machine.state > static_cast<std::uint8_t>(RequestState::queuing)) {
    return RowFault::unknown_state;
  }
  if (is_unfinished(machine) == machine.active) return RowFault::none;
  return machine.active ? RowFault::left_over : RowFault::unattended;
}

}  // namespace

std::string_view to_string(RowFault fault) {
  switch (fault) {
    case RowFault::none: return "had no fault";
    case RowFault::no_record: return "had a state, and its record was gone";
    case RowFault::wrong_partition: return "was counted among the work of another organization";
    case RowFault::unknown_state: return "had a state with an unknown number";
    case RowFault::no_way_out: return "was in a state that its action does not have";
    case RowFault::unattended: return "was under way, and not in the list of what an engine moves on";
    case RowFault::left_over:
      return "was at rest, and had a step, a deadline or a place in the list of what an engine moves on";
    case RowFault::no_request: return "was under way without a deployment request that includes it";
    case RowFault::no_step: return "waited for the end of a step that it did not have";
    case RowFault::no_deadline: return "had a step without a deadline";
    case RowFault::not_begun: return "was a request that ran and had no beginning";
    case RowFault::wrong_family: return "had the state of a resource of another family";
    case RowFault::wrong_owner: return "had a state that belongs to another parent";
    case RowFault::unknown_number:
      return "had a freshness, a running state, an action or a configuration with an unknown number";
    case RowFault::revision_ahead: return "was deployed from a revision that it has not reached";
    case RowFault::broken_text: return "had outputs or a commit that are not JSON";
    case RowFault::no_machine: return "has no state";
    case RowFault::no_job: return "was marked as being deleted, and nothing deleted it";
  }
  return "";
}

bool is_repairable(RowFault fault) { return fault != RowFault::none && fault != RowFault::no_machine; }

RowFault fault_of(const Machine& machine) {
  if (machine.family == deployment_request_number) return request_fault(machine);
  switch (machine_kind(machine.family)) {
    case MachineKind::service: return service_fault(machine);
    case MachineKind::cluster: return cluster_fault(machine);
    case MachineKind::task: return task_fault(machine);
    case MachineKind::none:
    case MachineKind::environment:
    case MachineKind::schedule: break;
  }
  return RowFault::none;
}

Result<const FaultFinder::Included*> FaultFinder::request(const Id& id) {
  if (const auto known = requests_.find(id); known != requests_.end()) return &known->second;
  Included included;
  ORLOP_TRY(machine, unit_.machine(id));
  const bool is_request = machine && machine->family == deployment_request_number;
  if (is_request && request_fault(*machine) != RowFault::unknown_state && is_unfinished(*machine)) {
    ORLOP_TRY(record, unit_.record(id));
    if (record) {
      ORLOP_TRY(body, parse_request(record->body));
      included = {true, machine->owner, body.whole_environment || body.has_rows, std::move(body.services)};
    }
  }
  return &requests_.emplace(id, std::move(included)).first->second;
}

Result<bool> FaultFinder::is_included(const Machine& service) {
  if (service.request.is_nil()) return false;
  ORLOP_TRY(request_of_it, request(service.request));
  const Included& included = *request_of_it;
  if (!included.is_open || included.environment != service.owner) return false;
  return included.is_by_rows || std::ranges::binary_search(included.services, service.id);
}

Result<RowFault> FaultFinder::of_request(const Machine& machine) {
  ORLOP_TRY(record, unit_.record(machine.id));
  if (!record) return RowFault::no_record;
  const RowFault fault = request_fault(machine);
  if (fault != RowFault::none || request_state(machine) != RequestState::running) return fault;
  ORLOP_TRY(body, parse_request(record->body));
  return body.started_at ? RowFault::none : RowFault::not_begun;
}

Result<RowFault> FaultFinder::of(const Machine& machine) {
  if (machine.family == deployment_request_number) return of_request(machine);
  const RowFault fault = fault_of(machine);
  const bool may_lack_request =
      machine_kind(machine.family) == MachineKind::service && is_transient(static_cast<ServiceState>(machine.state));
  if (!may_lack_request || (fault != RowFault::none && fault < RowFault::no_request)) return fault;
  ORLOP_TRY(is_part, is_included(machine));
  return is_part ? fault : RowFault::no_request;
}

Result<RowFault> FaultFinder::of_mark(const Id& mark) {
  RecordRange range;
  range.key = mark;
  range.family = bulk_job_number;
  range.fields = RecordRange::Fields::no_text;
  ORLOP_TRY(jobs, unit_.records(range));
  for (const Record& job : jobs) {
    ORLOP_TRY(machine, unit_.machine(job.id));
    if (machine && machine->active) return RowFault::none;
  }
  return RowFault::no_job;
}

Result<RowFault> FaultFinder::of_all(const Machine& machine) {
  ORLOP_TRY(record, unit_.record(machine.id));
  if (!record) return RowFault::no_record;
  if (machine.family != record->family) return RowFault::wrong_family;
  if (is_below_parent(machine.family) && machine.owner != record->parent) return RowFault::wrong_owner;
  if (machine.partition != partition_of(record->organization)) return RowFault::wrong_partition;
  ORLOP_TRY(fault, of(machine));
  return fault == RowFault::none ? content_fault(machine, *record) : fault;
}

}  // namespace orlop
