#include "endpoints/services/parts/service_status.h"

#include <algorithm>
#include <utility>

#include "deploy/request/sub_action.h"
#include "deploy/run/detail.h"
#include "endpoints/services/parts/service_freshness.h"
#include "model/registry.h"
#include "observations/observation_records.h"
#include "records/variables/reach.h"
#include "records/verbs.h"
#include "unit/find_record.h"
#include "wire/object_member.h"
#include "wire/writer.h"

namespace orlop {
namespace {

void add_service(EnvironmentView& view, const Machine& service) {
  view.tally.add(static_cast<ServiceState>(service.state), freshness_under(view.requests.pending_mark, service),
                 has(service.plan_flags, PlanFlag::skipped) ? Participation::skipped : Participation::included);
}

// Replaces the marks of the tally by what digests decide.
Result<void> decide_freshness(Unit& unit, const Id& environment, EnvironmentView& view) {
  if (view.tally.count(Freshness::out_of_date) == 0 || !have_digests(unit)) return {};
  ORLOP_TRY(services, service_machines(unit, environment));
  for (const Machine& service : services) {
    if (freshness_under(view.requests.pending_mark, service) != Freshness::out_of_date) continue;
    ORLOP_TRY(freshness, freshness_of(unit, view.requests.pending_mark, service));
    if (freshness == Freshness::out_of_date) continue;
    const auto state = static_cast<ServiceState>(service.state);
    const auto participation =
        has(service.plan_flags, PlanFlag::skipped) ? Participation::skipped : Participation::included;
    view.tally.remove(state, Freshness::out_of_date, participation);
    view.tally.add(state, freshness, participation);
  }
  return {};
}

// Returns the environment's state at the end of a request.
Result<ServiceState> ended_state(Unit& unit, const Id& request) {
  ORLOP_TRY(record, unit.record(request));
  if (!record) return not_found("deployment request", request);
  // Read without parsing: the stages follow it and are most of the text.
  const std::string_view status = raw_member(record->body, "status");
  const auto state = status.starts_with('"') ? parse_service_state(status.substr(1, status.size() - 2)) : std::nullopt;
  if (state) return *state;
  ORLOP_TRY(body, parse_request(record->body));
  return body.status.value_or(ServiceState::ready);
}

RequestOutcome outcome_of(ServiceState ended) {
  if (ended == ServiceState::build_error) return RequestOutcome::build_failed;
  if (ended == ServiceState::canceled) return RequestOutcome::canceled;
  return is_error(ended) ? RequestOutcome::failed : RequestOutcome::succeeded;
}

}  // namespace

Result<std::vector<Machine>> service_machines(Unit& unit, const Id& environment) {
  ORLOP_TRY(machines, unit.machines(environment));
  std::erase_if(machines, [](const Machine& machine) { return !is_service(machine.family); });
  return std::move(machines);
}

Result<EnvironmentView> view_environment(Unit& unit, const Id& environment, const std::vector<Machine>& services) {
  EnvironmentView view;
  ORLOP_TRY(requests, view_requests(unit, environment));
  view.requests = std::move(requests);
  for (const Machine& service : services) add_service(view, service);
  ORLOP_CHECK(decide_freshness(unit, environment, view));
  return view;
}

Result<EnvironmentView> view_environment(Unit& unit, const Id& environment) {
  EnvironmentView view;
  ORLOP_TRY(requests, view_requests(unit, environment));
  view.requests = std::move(requests);
  if (view.requests.pending_mark) {  // needs whole machines
    ORLOP_TRY(services, service_machines(unit, environment));
    for (const Machine& service : services) add_service(view, service);
  } else {
    ORLOP_CHECK(unit.visit_states(environment, [&view](const Machine& machine) {
      if (is_service(machine.family)) add_service(view, machine);
    }));
  }
  ORLOP_CHECK(decide_freshness(unit, environment, view));
  return view;
}

Result<ServiceState> state_of(Unit& unit, const EnvironmentView& view) {
  EnvironmentRequests requests;
  const Machine* last = nullptr;
  for (const Machine& request : view.requests.machines) {
    switch (state_of_request(request)) {
      case RequestState::waiting:
      case RequestState::queuing:
        if (requests.queued == Action::none) requests.queued = static_cast<Action>(request.action);
        break;
      case RequestState::running:
      case RequestState::canceling:
        requests.running = static_cast<Action>(request.action);
        requests.is_canceling = state_of_request(request) == RequestState::canceling;
        break;
      case RequestState::ended: last = &request; break;
    }
  }
  if (last != nullptr && requests.running == Action::none && requests.queued == Action::none) {
    ORLOP_TRY(ended, ended_state(unit, last->id));
    requests.last = static_cast<Action>(last->action);
    requests.last_outcome = outcome_of(ended);
  }
  return environment_state(requests, view.tally);
}

Result<ServiceState> state_under(Unit& unit, const Machine& request, const EnvironmentView& view) {
  EnvironmentRequests alone;
  switch (state_of_request(request)) {
    case RequestState::waiting:
    case RequestState::queuing: alone.queued = static_cast<Action>(request.action); break;
    case RequestState::running:
    case RequestState::canceling:
      alone.running = static_cast<Action>(request.action);
      alone.is_canceling = state_of_request(request) == RequestState::canceling;
      break;
    case RequestState::ended: return ended_state(unit, request.id);
  }
  return environment_state(alone, view.tally);
}

void write_status_details(Writer& out, Action action, ServiceState state, std::string_view sub_action,
                          std::string_view reason) {
  out.begin_object()
      .field("action", to_string(action))
      .field("status", to_string(action_status(state)))
      .field("sub_action", sub_action);
  if (!reason.empty()) out.field("reason", reason);
  out.end_object();
}

namespace {

// Returns the sub-action of a terraform service's last request; for other services no request is read.
Result<std::string_view> last_sub_action(Unit& unit, const Machine& service) {
  const Family* family = find_family(service.family);
  const bool is_terraform = family != nullptr && family->service_kind == "TERRAFORM" && !service.request.is_nil();
  if (!is_terraform) return std::string_view("NONE");
  ORLOP_TRY(record, unit.record(service.request));
  Value overrides = Value::object();
  if (record) {  // else the request is no longer stored
    ORLOP_TRY(body, parse_request(record->body));
    overrides = std::move(body.overrides);
  }
  return sub_action_of(family->service_kind, static_cast<Action>(service.action), overrides, service.id);
}

}  // namespace

namespace {

Result<void> write_running_state(Unit& unit, Writer& out, const Machine& service) {
  const auto running = static_cast<RunningState>(service.running);
  if (running == RunningState::none) return {};
  out.field("running_state", to_string(running));
  ORLOP_TRY(observation, observation_of(unit, service.id));
  if (!observation.empty()) out.field_raw("observation", observation);
  return {};
}

// `shown`: the request that the answer names.
Result<void> write_status_of(Unit& unit, Writer& out, const Machine& service, const RequestsView& requests,
                             const Id& shown) {
  ORLOP_TRY(sub_action, last_sub_action(unit, service));
  const ActionDetail& detail = *service.detail;
  const auto state = static_cast<ServiceState>(service.state);
  const Machine* current = requests.current();
  out.begin_object().field("id", service.id).field("state", to_string(state));
  ORLOP_TRY(freshness, freshness_of(unit, requests.pending_mark, service));
  out.field("service_deployment_status", to_string(freshness));
  out.field("is_part_last_deployment", current != nullptr && requests.concerns(*current, service));
  out.key("status_details");
  write_status_details(out, static_cast<Action>(service.action), state, sub_action, detail.reason);
  if (shown.is_nil()) {
    out.field_null("deployment_request_id");
  } else {
    out.field("deployment_request_id", shown);
  }
  out.field("deployment_requests_count", requests.count_unfinished(service));
  if (service.last_deployment_at) out.field("last_deployment_date", *service.last_deployment_at);
  ORLOP_CHECK(write_running_state(unit, out, service));
  if (!detail.execution_id.empty()) {
    out.key("steps");
    write_steps(out, service.timing);
    out.field("execution_id", detail.execution_id);
  }
  out.end_object();
  return {};
}

}  // namespace

Result<void> load_observations(Unit& unit, const std::vector<Machine>& services) {
  std::vector<Id> observed;
  for (const Machine& service : services) {
    if (static_cast<RunningState>(service.running) != RunningState::none) observed.push_back(service.id);
  }
  std::vector<Id> observations;
  add_observations(observed, observations);
  return unit.load(observations);
}

Result<void> write_status(Unit& unit, Writer& out, const Machine& service, const RequestsView& requests) {
  return write_status_of(unit, out, service, requests, service.request);
}

Result<std::string> service_status(Unit& unit, const Id& service) { return service_status_after(unit, service, Id{}); }

Result<std::string> service_status_after(Unit& unit, const Id& service, const Id& asked) {
  ORLOP_TRY(machine, require_machine(unit, service));
  ORLOP_TRY(requests, view_requests(unit, machine.owner));
  Writer out;
  ORLOP_CHECK(write_status_of(unit, out, machine, requests, asked.is_nil() ? machine.request : asked));
  return std::move(out).take();
}

namespace {

void write_request(Writer& out, const RequestBody& body) {
  out.field("last_deployment_date", body.started_at.value_or(body.created_at))
      .field("last_deployment_id", body.execution_id);
  out.field("deployment_request_id", body.id).field("origin", body.origin).field("triggered_by", body.triggered_by);
  if (body.ended_at) {
    out.field("total_deployment_duration_in_seconds", (*body.ended_at - body.created_at).milliseconds / 1000);
  } else {
    out.field_null("total_deployment_duration_in_seconds");
  }
}

void write_no_request(Writer& out) {
  for (const char* name : {"last_deployment_date", "last_deployment_id", "deployment_request_id", "origin",
                           "triggered_by", "total_deployment_duration_in_seconds"}) {
    out.field_null(name);
  }
}

// Writes the additional members of a service's status, for the environment as a whole.
void write_as_service(Writer& out, const EnvironmentView& view, const Machine& request, ServiceState under,
                      const RequestBody& body) {
  const auto unfinished = std::ranges::count_if(
      view.requests.machines, [](const Machine& machine) { return state_of_request(machine) != RequestState::ended; });
  out.field("service_deployment_status", to_string(environment_freshness(view.tally)))
      .field("is_part_last_deployment", true);
  out.key("status_details");
  write_status_details(out, static_cast<Action>(request.action), under, "NONE", body.reason);
  out.field("deployment_requests_count", static_cast<std::int64_t>(unfinished))
      .field("execution_id", body.execution_id);
}

// `request`: the one to show; null: there was none.
Result<void> write_environment(Unit& unit, Writer& out, const EnvironmentView& view, const Machine* request,
                               StatusForm form) {
  ORLOP_TRY(state, state_of(unit, view));
  out.begin_object().field("id", view.requests.environment).field("state", to_string(state));
  out.field("deployment_status", to_string(environment_freshness(view.tally)));
  if (request == nullptr) {
    out.field("last_deployment_state", to_string(ServiceState::ready));
    write_no_request(out);
  } else {
    ORLOP_TRY(under, state_under(unit, *request, view));
    const WaitingRequest* const waiting = view.requests.find_waiting(request->id);
    std::optional<RequestBody> read;
    if (waiting == nullptr) {
      ORLOP_TRY(given, body_of_request(unit, request->id));
      read = std::move(given);
    }
    const RequestBody& body = waiting != nullptr ? waiting->body : *read;
    out.field("last_deployment_state", to_string(under));
    write_request(out, body);
    if (form == StatusForm::environment_and_service) write_as_service(out, view, *request, under, body);
  }
  out.end_object();
  return {};
}

}  // namespace

Result<void> write_environment_status(Unit& unit, Writer& out, const EnvironmentView& view) {
  return write_environment(unit, out, view, view.requests.current(), StatusForm::environment);
}

Result<std::string> environment_status(Unit& unit, const Id& environment) {
  return environment_status_after(unit, environment, Id{}, StatusForm::environment);
}

Result<std::string> environment_status_after(Unit& unit, const Id& environment, const Id& asked, StatusForm form) {
  ORLOP_TRY(view, view_environment(unit, environment));
  const auto found = std::ranges::find(view.requests.machines, asked, &Machine::id);
  Writer out;
  ORLOP_CHECK(write_environment(unit, out, view,
                                found != view.requests.machines.end() ? &*found : view.requests.current(), form));
  return std::move(out).take();
}

}  // namespace orlop
