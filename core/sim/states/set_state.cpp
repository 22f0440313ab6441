#include "sim/states/set_state.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/text/utf8.h"
#include "catalogs/nearest.h"
#include "deploy/plan/expand.h"
#include "deploy/request/cluster_gate.h"
#include "deploy/request/holds.h"
#include "deploy/request/request_parts.h"
#include "lifecycle/table.h"
#include "model/plan_flag.h"
#include "model/registry.h"
#include "sim/invalid_member.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "unit/unit.h"
#include "wire/json.h"

namespace orlop {
namespace {

Error conflict(std::string message) { return make_error(ErrorCode::conflict, std::move(message)); }

template <typename State>
Error unknown_state(std::string_view given) {
  std::vector<std::string_view> names;
  for (int number = 1; number <= state_count<State>; ++number) names.push_back(to_string(static_cast<State>(number)));
  return invalid_member("state", "must be a state of the resource such as " + std::string(names[4]) + ", not \"" +
                                     std::string(beginning(given, 64)) + "\"" + nearest_hint(given, names));
}

ForcedEvent forced_event(const Machine& service, RouteStop stop) {
  if (stop != RouteStop::executing) return ForcedEvent::none;
  if (has(service.plan_flags, PlanFlag::cron)) return ForcedEvent::cron;
  if (has(service.plan_flags, PlanFlag::on_stop)) return ForcedEvent::stop;
  return has(service.plan_flags, PlanFlag::on_delete) ? ForcedEvent::remove : ForcedEvent::none;
}

// Removes the forced rules of the subject, also after an error.
class Forced {
 public:
  Forced(RuleSet& rules, const Id& subject) : rules_(rules), subject_(subject) {}
  ~Forced() { rules_.force(subject_, {}); }
  Forced(const Forced&) = delete;
  Forced& operator=(const Forced&) = delete;

 private:
  RuleSet& rules_;
  Id subject_;
};

bool is_transient_service(const Machine& machine) { return is_transient(static_cast<ServiceState>(machine.state)); }
bool is_transient_cluster(const Machine& machine) { return is_transient(static_cast<ClusterState>(machine.state)); }

}  // namespace

Result<StateSetter::Subject> StateSetter::look(const Id& resource) {
  Subject subject;
  ORLOP_CHECK(engine_.perform_for_host([&](Unit& unit) -> Result<void> {
    ORLOP_TRY(machine, unit.machine(resource));
    ORLOP_TRY(record, unit.record(resource));
    const Family* const family = machine ? find_family(machine->family) : nullptr;
    if (!record || family == nullptr) return not_found("service or cluster", resource);
    subject = {*machine, std::string(words_for(*family)) + " \"" + name_of(*record) + "\""};
    return {};
  }));
  return subject;
}

Result<void> StateSetter::set(const Id& resource, std::string_view state) {
  ORLOP_CHECK(settle_());
  ORLOP_TRY(subject, look(resource));
  const Family* const family = find_family(subject.machine.family);
  if (family->machine == MachineKind::cluster) {
    const auto parsed = parse_cluster_state(state);
    return parsed ? set_cluster(subject, *parsed) : Result<void>(unknown_state<ClusterState>(state));
  }
  if (!is_service(*family)) return invalid_member("resource", "must be a service or cluster, not " + subject.label);
  const auto parsed = parse_service_state(state);
  return parsed ? set_service(subject, *parsed) : Result<void>(unknown_state<ServiceState>(state));
}

// Forces the rule of the step at which the route stops; all other steps succeed.
void StateSetter::force(const Subject& subject, RouteStop stop) {
  const auto rule = [](RouteStop of) {
    return std::make_shared<const Rule>(read_rule(parse_stored(rule_of(of)).value(), "rule", {}).value());
  };
  const bool at_build = stops_at_build(stop) && find_family(subject.machine.family)->machine != MachineKind::cluster;
  std::vector<RuleSet::Forced> rules;
  rules.push_back({StepKind::build, rule(at_build ? stop : RouteStop::succeeded)});
  rules.push_back({StepKind::none, rule(at_build ? RouteStop::succeeded : stop)});
  rules_.force(subject.machine.id, std::move(rules));
}

Result<void> StateSetter::check(const Id& resource, std::string_view label, std::uint8_t state,
                                std::string_view spelling, bool may_be_gone) {
  return engine_.perform([&](Unit& unit) -> Result<void> {
    ORLOP_TRY(machine, unit.machine(resource));
    if (!machine ? may_be_gone : machine->state == state) return {};
    const std::string reason = machine ? machine->detail->reason : "it is gone";
    return conflict(std::string(label) + " could not be brought into " + std::string(spelling) +
                    (reason.empty() ? "" : ": " + reason));
  });
}

Result<void> StateSetter::set_service(const Subject& service, ServiceState state) {
  const Machine& machine = service.machine;
  if (const std::string_view refusal = refusal_of(machine, state); !refusal.empty()) {
    return conflict(service.label + " cannot be " + std::string(to_string(state)) + ": " + std::string(refusal));
  }
  if (static_cast<ServiceState>(machine.state) == state) {
    if (!machine.step.is_nil()) script_.hold(machine.id, machine.step, engine_.now());
    return {};
  }
  const StateRoute route = route_to(state);
  // A cancel alone may lead there, without a request.
  if (route.stop != RouteStop::held && state != ServiceState::canceled) ORLOP_CHECK(require_idle(service));
  ORLOP_CHECK(bring_to_rest(service));
  ORLOP_CHECK(prepare(service, route, state));
  ORLOP_TRY(prepared, look(machine.id));
  if (static_cast<ServiceState>(prepared.machine.state) == state) return {};
  if (!can_begin(prepared.machine, route.action))
    return conflict(refusal_of(prepared.machine, route.action, prepared.label));
  if (route.stop != RouteStop::held) ORLOP_CHECK(require_idle(prepared));
  const Forced forced(rules_, machine.id);
  force(prepared, route.stop);
  ORLOP_CHECK(request(prepared, route));
  auto checked = check(machine.id, service.label, static_cast<std::uint8_t>(state), to_string(state),
                       state == ServiceState::deleted);
  if (checked) return checked;
  const auto left = look(machine.id);
  if (!left || !is_transient_service(left->machine)) return checked;
  ORLOP_CHECK(bring_to_rest(*left));  // it waits, such as for capacity on its cluster
  return conflict(checked.error().message + ": it was " +
                  std::string(to_string(static_cast<ServiceState>(left->machine.state))));
}

// Brings the service into the state from which the request of the route can begin.
Result<void> StateSetter::prepare(const Subject& service, const StateRoute& route, ServiceState state) {
  ORLOP_TRY(rested, look(service.machine.id));
  if (route.action == Action::deploy) return open_gate(service);
  if (static_cast<ServiceState>(rested.machine.state) == state) return {};
  const bool has_nothing = route.action == Action::remove && is_untouched(rested.machine);
  if (!has_nothing && can_begin(rested.machine, route.action)) return {};
  return set_service(rested, ServiceState::deployed);
}

// Services are deployed only to a deployed cluster.
Result<void> StateSetter::open_gate(const Subject& service) {
  Id cluster;
  ORLOP_CHECK(engine_.perform([&](Unit& unit) -> Result<void> {
    ORLOP_TRY(environment, unit.record(service.machine.owner));
    if (!environment) return {};
    ORLOP_TRY(readiness, cluster_readiness(unit, *environment));
    if (readiness.gate == ClusterGate::open) return {};
    ORLOP_TRY(body, parse_stored(environment->body));
    cluster = parse_id(body.text_or("cluster_id", "")).value_or(Id{});
    return {};
  }));
  if (cluster.is_nil()) return {};
  ORLOP_TRY(subject, look(cluster));
  return set_cluster(subject, ClusterState::deployed);
}

// A second request of the environment would wait for the first.
Result<void> StateSetter::require_idle(const Subject& service) {
  return engine_.perform([&](Unit& unit) -> Result<void> {
    ORLOP_TRY(requests, request_machines(unit, service.machine.owner));
    const auto open = std::ranges::find_if(requests, [&](const Machine& request) {
      return is_unfinished(request) &&
             !(is_transient_service(service.machine) && request.id == service.machine.request);
    });
    if (open == requests.end()) return {};
    return conflict("the environment of " + service.label + " is busy with deployment request " + to_text(open->id) +
                    ", and has one at a time: end or cancel it first, or set the state QUEUED");
  });
}

Result<void> StateSetter::request(const Subject& service, const StateRoute& route) {
  const Id environment = service.machine.owner;
  Id made;
  ORLOP_CHECK(engine_.perform([&](Unit& unit) -> Result<void> {
    ORLOP_TRY(before, unit.machine(environment));
    const bool was_held = before && is_held(*before);
    unit.set_author("host");
    if (route.stop == RouteStop::held) ORLOP_CHECK(hold_environment(unit, environment));
    Order order;
    order.environment = environment;
    order.action = route.action;
    order.services = {service.machine.id};
    order.author = "host";
    order.forced = forced_event(service.machine, route.stop);
    ORLOP_TRY(id, enqueue(unit, order));
    made = id;
    if (route.stop == RouteStop::queued) ORLOP_CHECK(hold_request(unit, made));
    if (route.stop == RouteStop::canceled) ORLOP_CHECK(cancel_request(unit, made, CancelMode::force));
    if (route.stop != RouteStop::held || was_held) return {};
    ORLOP_TRY(held, unit.machine(environment));
    Machine released = *held;
    released.plan_flags &= ~static_cast<std::uint32_t>(held_flag);
    unit.put(std::move(released));
    return {};
  }));
  ORLOP_CHECK(settle_());
  if (route.stop != RouteStop::canceling) return {};
  ORLOP_CHECK(engine_.perform([&](Unit& unit) -> Result<void> {
    unit.set_author("host");
    return cancel_request(unit, made, CancelMode::interruptible);
  }));
  return settle_();
}

Result<void> StateSetter::bring_to_rest(const Subject& service) {
  const Machine& machine = service.machine;
  if (!is_transient_service(machine)) return {};
  ORLOP_CHECK(engine_.perform([&](Unit& unit) -> Result<void> {
    ORLOP_TRY(others, services_of(unit, machine.owner));
    const auto other = std::ranges::find_if(others, [&](const Machine& each) {
      return each.id != machine.id && each.request == machine.request && is_transient_service(each);
    });
    if (other == others.end()) return {};
    ORLOP_TRY(record, unit.record(other->id));
    return conflict(service.label + " is " + std::string(to_string(static_cast<ServiceState>(machine.state))) +
                    " in one deployment request with \"" + (record ? name_of(*record) : to_text(other->id)) +
                    "\": end or cancel the request first");
  }));
  if (!machine.step.is_nil()) script_.answer_cancel_at_once(machine.step);
  ORLOP_CHECK(engine_.perform([&](Unit& unit) -> Result<void> {
    unit.set_author("host");
    return cancel_request(unit, machine.request, CancelMode::force);
  }));
  return settle_();
}

Result<void> StateSetter::bring_cluster_to_rest(const Subject& cluster) {
  const Machine& machine = cluster.machine;
  if (!is_transient_cluster(machine)) return {};
  const auto state = static_cast<ClusterState>(machine.state);
  if (!machine.step.is_nil()) script_.answer_cancel_at_once(machine.step);
  if (state == ClusterState::dry_run) {
    // A dry run leaves the cluster in its earlier state, however it ends.
    const bool is_released = script_.release(machine.id, engine_.now());
    if (!is_released && !machine.step.is_nil())
      ORLOP_CHECK(engine_.report({machine.step, ReportKind::succeeded, RunningState::none, ""}));
  } else if (state != ClusterState::canceling) {
    ORLOP_CHECK(engine_.perform([&](Unit& unit) -> Result<void> {
      unit.set_author("host");
      ORLOP_CHECK(cancel_cluster(unit, machine.id));
      ORLOP_CHECK(release_held(unit, machine.id));
      return Result<void>();
    }));
  }
  return settle_();
}

Result<void> StateSetter::set_cluster(const Subject& cluster, ClusterState state) {
  const Id id = cluster.machine.id;
  if (const std::string_view refusal = refusal_of(cluster.machine, state); !refusal.empty()) {
    return conflict(cluster.label + " cannot be " + std::string(to_string(state)) + ": " + std::string(refusal));
  }
  if (static_cast<ClusterState>(cluster.machine.state) == state) {
    if (!cluster.machine.step.is_nil()) script_.hold(id, cluster.machine.step, engine_.now());
    return {};
  }
  const StateRoute route = route_to(state);
  ORLOP_CHECK(engine_.perform([&](Unit& unit) { return check_cluster(unit, id, route.action); }));
  ORLOP_CHECK(bring_cluster_to_rest(cluster));
  ORLOP_TRY(rested, look(id));
  if (is_transient_cluster(rested.machine)) {
    return conflict(cluster.label + " is " + std::string(to_string(static_cast<ClusterState>(rested.machine.state))) +
                    " and has not come to rest: end its operation first");
  }
  const auto event = row_of(route.action).cluster_request;
  const auto before = static_cast<ClusterState>(rested.machine.state);
  const bool is_possible =
      event && next(before, *event) && (route.stop != RouteStop::held || next(before, ClusterEvent::hold));
  if (!is_possible) ORLOP_CHECK(set_cluster(rested, ClusterState::deployed));
  const Forced forced(rules_, id);
  force(rested, route.stop);
  ORLOP_CHECK(engine_.perform([&](Unit& unit) -> Result<void> {
    unit.set_author("host");
    if (route.stop == RouteStop::held) ORLOP_CHECK(hold_cluster(unit, id));
    ORLOP_CHECK(place_cluster(unit, id, route.action, "host"));
    return route.stop == RouteStop::canceled ? cancel_cluster(unit, id) : Result<void>();
  }));
  ORLOP_CHECK(settle_());
  if (route.stop == RouteStop::canceling) {
    ORLOP_CHECK(engine_.perform([&](Unit& unit) { return cancel_cluster(unit, id); }));
    ORLOP_CHECK(settle_());
  }
  return check(id, cluster.label, static_cast<std::uint8_t>(state), to_string(state), state == ClusterState::deleted);
}

}  // namespace orlop
