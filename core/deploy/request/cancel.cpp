#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "deploy/request/cancel_service.h"
#include "deploy/request/deployment_request.h"
#include "deploy/request/queuing.h"
#include "deploy/request/request_history.h"
#include "deploy/request/request_parts.h"
#include "deploy/run/state_transition.h"
#include "model/plan_flag.h"
#include "unit/operation.h"

namespace orlop {
namespace {

void mark_canceled(Unit& unit, StoredRequest request, CancelMode mode) {
  request.body.cancel = mode;
  request.machine.state = static_cast<std::uint8_t>(RequestState::canceling);
  request.machine.changed_at = unit.now();
  unit.wake(request.body.environment, request.machine.partition);
  put_request(unit, std::move(request));
}

// Reads the services that a request has moved. Requests for a whole environment share one read of its services: a
// service belongs to at most one request.
class MovedServices {
 public:
  explicit MovedServices(Unit& unit) : unit_(unit) {}

  Result<std::vector<Machine>> of(const RequestBody& request) {
    if (!request.whole_environment) return services_moved(unit_, request);
    if (!all_) {
      ORLOP_TRY(all, services_of(unit_, request.environment));
      all_ = std::move(all);
    }
    std::vector<Machine> moved;
    std::ranges::copy_if(*all_, std::back_inserter(moved),
                         [&](const Machine& service) { return service.request == request.id; });
    return moved;
  }

 private:
  Unit& unit_;
  std::optional<std::vector<Machine>> all_;
};

// Ends a waiting request in this unit: its services have not begun, so the driver has nothing to end.
Result<void> cancel_waiting(Unit& unit, StoredRequest request, std::vector<Machine> services) {
  for (Machine& service : services) {
    const Id id = service.id;
    StateTransition transition(unit, request.record.organization, std::move(service));
    transition.move(ServiceEvent::cancel_requested);
    std::move(transition).put();
    ORLOP_TRY(canceled, unit.machine(id));
    if (canceled) service = *canceled;
  }
  unit.wake(request.body.environment, request.machine.partition);
  ORLOP_TRY(history, RequestHistory::of(unit, request.body, services));
  return end_request(unit, std::move(request), ServiceState::canceled, std::move(history));
}

// Counts a step that was handed to the driver as begun, even if the driver has not reported it yet: the driver has to
// be asked to end it.
void begin_if_started(StateTransition& service) {
  if (service.machine().step.is_nil()) return;
  if (service.phase() == Phase::building) {
    service.move(ServiceEvent::build_started);
  } else if (const auto event = row_of(service.action()).service_started) {
    service.move(*event);
  }
}

}  // namespace

bool is_interrupted(const Machine& service, CancelMode mode) {
  return mode == CancelMode::force || !has(service.plan_flags, PlanFlag::uninterruptible);
}

Result<void> cancel_service(Unit& unit, const Id& organization, Machine service, CancelMode mode) {
  if (!is_transient(static_cast<ServiceState>(service.state))) return {};
  StateTransition transition(unit, organization, std::move(service));
  if (transition.service_state() != ServiceState::unavailable) begin_if_started(transition);
  transition.move(ServiceEvent::cancel_requested);
  if (transition.service_state() == ServiceState::canceling) {
    if (transition.machine().step.is_nil()) {
      transition.move(ServiceEvent::canceled);  // between two steps: the driver has nothing to end
    } else if (is_interrupted(transition.machine(), mode) && !transition.machine().timing.canceled_at) {
      transition.machine().deadline = unit.now() + unit.settings().cancel_deadline;
      transition.machine().timing.canceled_at = unit.now();
    }
  }
  std::move(transition).put();
  return {};
}

namespace {

Result<void> cancel_running(Unit& unit, StoredRequest request, CancelMode mode, std::vector<Machine> services) {
  for (Machine& service : services) {
    ORLOP_CHECK(cancel_service(unit, request.record.organization, std::move(service), mode));
  }
  mark_canceled(unit, std::move(request), mode);
  return {};
}

Result<void> cancel_one(Unit& unit, StoredRequest request, CancelMode mode, MovedServices& moved) {
  const RequestState state = request_state(request.machine);
  if (state == RequestState::ended)
    return make_error(ErrorCode::conflict, "the deployment request has ended; there is nothing to cancel");
  const bool has_begun = state == RequestState::running || state == RequestState::canceling;
  const bool is_repeated = request.body.cancel == mode || request.body.cancel == CancelMode::force;
  if (has_begun && is_repeated) return {};
  ORLOP_TRY(has_many, has_many_services(unit, request.body));
  // The next ticks cancel its services in parts (deploy/run/environments/environment_cancel.cpp, environment_rest.cpp).
  if (has_many) {
    mark_canceled(unit, std::move(request), mode);
    return {};
  }
  ORLOP_TRY(services, moved.of(request.body));
  return has_begun ? cancel_running(unit, std::move(request), mode, std::move(services))
                   : cancel_waiting(unit, std::move(request), std::move(services));
}

}  // namespace

Result<void> cancel_environment(Unit& unit, const Id& environment, CancelMode mode) {
  ORLOP_TRY(record, unit.record(environment));
  if (!record) return not_found("environment", environment);
  ORLOP_TRY(requests, request_machines(unit, environment));
  ORLOP_CHECK(require_queued(unit, requests));
  std::erase_if(requests, [](const Machine& request) { return !is_unfinished(request); });
  if (requests.empty()) {
    return make_error(ErrorCode::conflict,
                      "no deployment of the environment runs or waits; there is nothing to cancel");
  }
  MovedServices moved(unit);
  // In reverse order, so that the running request is the last to be reported.
  for (auto request = requests.rbegin(); request != requests.rend(); ++request) {
    ORLOP_TRY(stored, stored_request(unit, std::move(*request)));
    ORLOP_CHECK(cancel_one(unit, std::move(stored), mode, moved));
  }
  return {};
}

Result<void> cancel_request(Unit& unit, const Id& request, CancelMode mode) {
  ORLOP_TRY(stored, require_stored_request(unit, request));
  ORLOP_CHECK(require_queued(unit, {stored.machine}));
  MovedServices moved(unit);
  return cancel_one(unit, std::move(stored), mode, moved);
}

}  // namespace orlop
