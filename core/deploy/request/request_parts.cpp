#include "deploy/request/request_parts.h"

#include <algorithm>
#include <utility>

#include "deploy/request/queuing.h"
#include "deploy/run/state_transition.h"
#include "lifecycle/action.h"
#include "store/sort.h"
#include "unit/operation.h"

namespace orlop {

Result<std::vector<Machine>> request_machines(Unit& unit, const Id& environment) {
  ORLOP_TRY(requests, unit.machines(environment, deployment_request_number));
  sort_by_number(requests);
  return std::move(requests);
}

Result<StoredRequest> stored_request(Unit& unit, Machine machine) {
  ORLOP_TRY(record, unit.record(machine.id));
  if (!record)
    return make_error(ErrorCode::storage_corrupt, "deployment request " + to_text(machine.id) + " has no record");
  ORLOP_TRY(body, parse_request(record->body));
  return StoredRequest{std::move(machine), *record, std::move(body)};
}

Result<StoredRequest> require_stored_request(Unit& unit, const Id& request) {
  ORLOP_TRY(machine, unit.machine(request));
  if (!machine || machine->family != deployment_request_number) return not_found("deployment request", request);
  return stored_request(unit, *machine);
}

void put_request(Unit& unit, StoredRequest&& request) {
  std::string text = to_json(request.body);
  if (text != request.record.body) {
    request.record.body = std::move(text);
    unit.put(std::move(request.record));
  }
  unit.put(std::move(request.machine));
}

void emit_request(Unit& unit, const StoredRequest& request, EventKind kind, ServiceState to, std::string detail) {
  Event event;
  event.kind = kind;
  event.family = deployment_request_number;
  event.to = static_cast<std::uint8_t>(to);
  event.subject = request.machine.id;
  event.owner = request.machine.owner;
  event.organization = request.record.organization;
  event.request = request.machine.id;
  if (kind == EventKind::request_ended) event.author = request.body.triggered_by;
  event.detail = std::move(detail);
  unit.emit(std::move(event));
}

Result<std::vector<Machine>> services_of(Unit& unit, const Id& environment) {
  ORLOP_TRY(machines, unit.machines(environment));
  std::erase_if(machines, [](const Machine& machine) { return machine.family == deployment_request_number; });
  return std::move(machines);
}

namespace {

// `visit` must not use the unit.
Result<void> visit_services(Unit& unit, const RequestBody& body, const std::function<void(const Machine&)>& visit) {
  if (body.whole_environment || body.has_rows) {
    return unit.visit_machines(body.environment, 0, [&](const Machine& machine) {
      if (machine.family != deployment_request_number) visit(machine);
    });
  }
  ORLOP_CHECK(unit.load(body.services));
  for (const Id& id : body.services) {
    ORLOP_TRY(machine, unit.machine(id));
    if (machine && machine->owner == body.environment) visit(*machine);
  }
  return {};
}

}  // namespace

Result<void> load_rows(Unit& unit, const std::vector<Machine>& rows) {
  if (!unit.stored().reads_in_batches()) return {};
  std::vector<Id> ids;
  for (const Machine& row : rows) ids.push_back(row.id);
  return unit.load(ids);
}

bool names(const StoredRequest& request, const Machine& service) {
  const RequestBody& body = request.body;
  if (service.request == body.id) return true;
  if (body.whole_environment) return is_meant(service, body);
  const bool follows_by_row = body.has_following_rows && service.number == request.machine.number;
  return follows_by_row || std::ranges::binary_search(body.services, service.id) ||
         std::ranges::binary_search(body.following, service.id);
}

Result<std::vector<Machine>> services_named(Unit& unit, const RequestBody& body) {
  constexpr std::size_t usual_count = 32;  // of a whole environment: saves moves of large rows when the vector grows
  std::vector<Machine> services;
  services.reserve(body.services.empty() ? usual_count : body.services.size());
  ORLOP_CHECK(visit_services(unit, body, [&services](const Machine& service) { services.push_back(service); }));
  sort_by_id(services);
  return services;
}

Result<std::vector<Machine>> services_moved(Unit& unit, const RequestBody& body, std::size_t expected) {
  std::vector<Machine> services;
  services.reserve(expected);
  ORLOP_CHECK(visit_moved(unit, body, [&services](const Machine& service) { services.push_back(service); }));
  sort_by_id(services);
  return services;
}

Result<void> visit_moved(Unit& unit, const RequestBody& body, const std::function<void(const Machine&)>& visit) {
  return visit_services(unit, body, [&](const Machine& service) {
    if (service.request == body.id) visit(service);
  });
}

void enqueue_service(Unit& unit, const Id& organization, Machine service, const RequestBody& body, bool is_held) {
  StateTransition transition(unit, organization, std::move(service));
  transition.begin_action(body.action, body.id, body.action_detail());
  transition.move(is_held ? ServiceEvent::hold : *row_of(body.action).service_request);
  std::move(transition).put();
}

}  // namespace orlop
