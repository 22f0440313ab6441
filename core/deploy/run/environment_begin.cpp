// How a request begins, is taken up again, and is canceled.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "deploy/request/cluster_gate.h"
#include "deploy/run/environment_runs.h"
#include "deploy/plan/expand.h"
#include "model/registry.h"
#include "model/plan_flag.h"
#include "ops/verbs.h"
#include "wire/json.h"

namespace orlop {
namespace {

// The places of an environment's stages, each read once.
class StageOrders {
 public:
  explicit StageOrders(Unit& unit) : unit_(unit) {}

  Result<std::int32_t> of(const Id& stage) {
    if (const auto known = orders_.find(stage); known != orders_.end()) return known->second;
    ORLOP_TRY(record, unit_.record(stage));
    std::int32_t order = 0;
    if (record) {
      ORLOP_TRY(body, parse_stored(record->body));
      order = static_cast<std::int32_t>(body.integer_or("deployment_order", 0));
    }
    orders_.emplace(stage, order);
    return order;
  }

 private:
  Unit& unit_;
  std::unordered_map<Id, std::int32_t> orders_;
};

// What the plan is made from stays as it is now, whatever is edited and moved meanwhile.
Result<void> capture(Unit& unit, std::vector<Machine>& services) {
  StageOrders orders(unit);
  for (Machine& service : services) {
    ORLOP_TRY(order, orders.of(service.stage));
    if (service.stage_order == order && service.planned_flags == service.plan_flags) continue;
    service.stage_order = order;
    service.planned_flags = service.plan_flags;
    unit.put(service);
  }
  return {};
}

// What the history will say of services that are gone by then.
Result<Value> planned_of(Unit& unit, const std::vector<Machine>& services) {
  Value planned = Value::list();
  for (const Machine& service : services) {
    ORLOP_TRY(record, unit.record(service.id));
    const Family* family = find_family(service.family);
    Value entry = Value::object();
    entry.set("id", Value(to_text(service.id)));
    entry.set("name", Value(record ? name_of(*record) : std::string()));
    entry.set("service_type", Value(family == nullptr ? std::string_view() : family->service_kind));
    entry.set("stage_id", Value(to_text(service.stage)));
    entry.set("stage_order", Value(static_cast<std::int64_t>(service.stage_order)));
    planned.append(std::move(entry));
  }
  return planned;
}

bool is_moved(const Machine& service, const RequestBody& body) {
  return service.request == body.id && is_transient(static_cast<ServiceState>(service.state));
}

// Those that were busy and are not any more, nor gone, nor in another environment; ascending by id.
Result<std::vector<Machine>> services_following(Unit& unit, const RequestBody& body) {
  std::vector<Machine> services;
  for (const Id& id : body.following) {
    ORLOP_TRY(service, unit.machine(id));
    if (service && service->owner == body.environment && !is_moved(*service, body)) services.push_back(std::move(*service));
  }
  return services;
}

Result<void> remove_record(Unit& unit, const Id& service) {
  ORLOP_TRY(record, unit.record(service));
  return record ? remove_tree(unit, *record) : Result<void>();
}

}  // namespace

// What another request held when this one was made is queued now. What is included was decided then.
Result<EnvironmentRuns::Included> EnvironmentRuns::queue_following(Unit& unit, const StoredRequest& request) {
  const RequestBody& body = request.body;
  ORLOP_TRY(services, services_following(unit, body));
  Included taken;
  for (const Machine& service : services) {
    if (body.action == Action::remove && is_untouched(service)) {
      if (!body.whole_environment) ORLOP_CHECK(remove_record(unit, service.id));
    } else if (can_begin(service, body.action)) {
      enqueue_service(unit, request.record.organization, service, body);
    } else {
      taken.refused = service.id;
    }
  }
  ORLOP_TRY(moved, services_moved(unit, body));
  std::erase_if(moved, [](const Machine& service) { return !is_transient(static_cast<ServiceState>(service.state)); });
  ORLOP_CHECK(capture(unit, moved));
  taken.services = std::move(moved);
  return taken;
}

Result<void> EnvironmentRuns::begin(Unit& unit, StoredRequest request) {
  request.machine.state = static_cast<std::uint8_t>(RequestState::running);
  request.machine.changed_at = unit.now();
  request.body.started_at = unit.now();
  emit_request(unit, request, EventKind::request_started, row_of(request.body.action).running);
  ORLOP_TRY(taken, queue_following(unit, request));
  if (request.body.action == Action::remove) {
    ORLOP_TRY(planned, planned_of(unit, taken.services));
    request.body.planned = std::move(planned);
  }
  ORLOP_TRY(environment, unit.machine(request.body.environment));
  if (environment) {
    environment->request = request.body.id;
    environment->action = request.machine.action;
    unit.put(std::move(*environment));
  }
  if (taken.services.empty() && !taken.refused.is_nil()) return end_refused(unit, std::move(request), taken.refused);
  put_request(unit, request);
  ORLOP_TRY(run, make_run(request, taken.services, settings_));
  return attach(unit, std::move(run), taken.services, Asked::already);
}

// By the time its turn came, no service could take the action any more.
Result<void> EnvironmentRuns::end_refused(Unit& unit, StoredRequest request, const Id& refused) {
  ORLOP_TRY(service, unit.machine(refused));
  ORLOP_TRY(record, unit.record(refused));
  if (service && record) request.body.reason = refusal_of(*service, request.body.action, name_of(*record));
  woken_.push_back(request.body.environment);
  const ServiceState status = row_of(request.body.action).failed;
  return end_request(unit, std::move(request), status);
}

Result<void> EnvironmentRuns::attach(Unit& unit, Run run, const std::vector<Machine>& services, Asked asked) {
  const std::vector<Part>& parts = run.runner.plan().parts;
  for (std::uint32_t part = 0; part < parts.size(); ++part) {
    const Machine& service = services[parts[part].service];
    if (service.step.is_nil()) continue;
    in_flight_.add(service.step, {SubjectKind::service, service.id, run.environment, part, service.deadline, run.request});
    if (asked == Asked::again) ORLOP_CHECK(ask_again(unit, run, part, service));
    const bool is_canceling = static_cast<ServiceState>(service.state) == ServiceState::canceling;
    const bool may_finish = has(service.plan_flags, PlanFlag::uninterruptible) && run.cancel != CancelMode::force;
    if (is_canceling && !may_finish) in_flight_.ask_cancel(service.step, run.cancel.value_or(CancelMode::interruptible));
  }
  const Id environment = run.environment;
  run.runner.begin(run.pending);
  runs_.insert_or_assign(environment, std::move(run));
  return asked == Asked::already ? carry_out_pending(unit, environment) : Result<void>();
}

Result<void> EnvironmentRuns::ask_again(Unit& unit, const Run& run, std::uint32_t part, const Machine& service) {
  ORLOP_TRY(record, unit.record(service.id));
  if (!record) return {};
  ORLOP_TRY(configuration, configuration_for(unit, run, part, service, *record));
  Step step = step_of(service, *record, std::move(configuration));
  step.resumed = true;
  step.reported_at = service.detail.reported_at;
  step.canceling_since = service.detail.canceled_at;
  in_flight_.ask_start(std::move(step));
  return {};
}

Result<void> EnvironmentRuns::resume(Unit& unit, const Machine& request) {
  ORLOP_TRY(stored, stored_request(unit, request));
  ORLOP_TRY(services, services_moved(unit, stored.body));
  ORLOP_TRY(run, make_run(stored, services, settings_));
  return attach(unit, std::move(run), services, Asked::again);
}

// The cancel has changed the rows; the run is made anew from them.
Result<void> EnvironmentRuns::take_cancel(Unit& unit, const Id& environment, const Machine& request) {
  ORLOP_TRY(stored, stored_request(unit, request));
  Run& old = runs_.at(environment);
  if (old.cancel == stored.body.cancel) return {};
  for (const Id& subject : old.subjects) {
    ORLOP_TRY(service, unit.machine(subject));
    if (service && !service->step.is_nil()) in_flight_.end(service->step);
  }
  ORLOP_TRY(services, services_moved(unit, stored.body));
  ORLOP_TRY(run, make_run(stored, services, settings_));
  return attach(unit, std::move(run), services, Asked::already);
}

Result<void> EnvironmentRuns::wake(Unit& unit, const Id& environment) {
  if (const auto found = runs_.find(environment); found != runs_.end()) {
    ORLOP_TRY(request, unit.machine(found->second.request));
    if (request && is_unfinished(*request)) {
      if (request_state(*request) == RequestState::canceling) ORLOP_CHECK(take_cancel(unit, environment, *request));
      return carry_out_pending(unit, environment);
    }
    runs_.erase(found);  // the environment was taken away, or another engine on the same store has ended the request
  }
  ORLOP_TRY(requests, request_machines(unit, environment));
  const auto next = std::ranges::find(requests, RequestState::waiting, request_state);
  if (next == requests.end()) return {};
  ORLOP_TRY(request, stored_request(unit, std::move(*next)));
  return request.body.action == Action::deploy ? begin_on_cluster(unit, std::move(request)) : begin(unit, std::move(request));
}

// A deploy that has services begins when its cluster is there; the cluster wakes its environments when it comes to rest.
Result<void> EnvironmentRuns::begin_on_cluster(Unit& unit, StoredRequest request) {
  ORLOP_TRY(environment, unit.record(request.body.environment));
  if (!environment) return {};
  ORLOP_TRY(readiness, cluster_readiness(unit, *environment));
  if (readiness.gate == ClusterGate::open) return begin(unit, std::move(request));
  ORLOP_TRY(queued, services_moved(unit, request.body));
  ORLOP_TRY(following, services_following(unit, request.body));
  const bool has_work = std::ranges::any_of(queued, [&](const Machine& service) { return is_moved(service, request.body); }) ||
                        std::ranges::any_of(following, [&](const Machine& service) { return can_begin(service, request.body.action); });
  if (!has_work) return begin(unit, std::move(request));
  if (readiness.gate == ClusterGate::wait) return {};
  return end_without_cluster(unit, std::move(request), std::move(readiness.reason));
}

// The cluster did not come: nothing was begun, and the services say why.
Result<void> EnvironmentRuns::end_without_cluster(Unit& unit, StoredRequest request, std::string reason) {
  ORLOP_TRY(services, services_moved(unit, request.body));
  for (Machine& service : services) {
    if (!is_transient(static_cast<ServiceState>(service.state))) continue;
    StateTransition transition(unit, request.record.organization, std::move(service));
    transition.detail().reason = reason;
    if (!transition.move(ServiceEvent::failed)) continue;
    if (static_cast<Freshness>(transition.machine().freshness) == Freshness::up_to_date) transition.set_freshness(Freshness::out_of_date);
    transition.put();
  }
  request.body.reason = std::move(reason);
  woken_.push_back(request.body.environment);
  return end_request(unit, std::move(request), ServiceState::deployment_error);
}

}  // namespace orlop
