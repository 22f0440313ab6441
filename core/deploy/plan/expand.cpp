#include "deploy/plan/expand.h"

#include <vector>

#include "lifecycle/action.h"
#include "lifecycle/table.h"
#include "model/plan_flag.h"
#include "model/registry.h"
#include "unit/unique_name.h"

namespace orlop {
namespace {

// Returns a reason other than the state: the service does not have the action, or its workload does not run. Empty if
// none.
std::string_view obstacle(const Machine& service, Action action) {
  if (action == Action::restart && !has(service.plan_flags, PlanFlag::restartable)) {
    return "only applications, containers and databases can be restarted";
  }
  if (action == Action::stop && !has(service.plan_flags, PlanFlag::stoppable))
    return "terraform services cannot be stopped";
  const auto running = static_cast<RunningState>(service.running);
  const bool is_known = running != RunningState::none && running != RunningState::unknown;
  if (action == Action::restart && is_known && running != RunningState::running) {
    return "its workload must be RUNNING to be restarted";
  }
  return {};
}

// "container \"web\"".
std::string label_of(const Machine& service, std::string_view name) {
  const Family* family = find_family(service.family);
  std::string text(family == nullptr ? "service" : words_for(*family));
  return text.append(" \"").append(name).append("\"");
}

// Returns the actions that the service allows now.
std::vector<std::string_view> actions_allowed(const Machine& service) {
  std::vector<std::string_view> names;
  for (const Action action : {Action::deploy, Action::restart, Action::stop, Action::remove}) {
    if (can_begin(service, action)) names.push_back(row_of(action).words);
  }
  if (is_transient(static_cast<ServiceState>(service.state))) names.emplace_back("cancel");
  return names;
}

}  // namespace

bool is_included(const Machine& service, Action action) {
  return action == Action::remove || action == Action::uninstall || !has(service.plan_flags, PlanFlag::skipped);
}

bool can_begin(const Machine& service, Action action) {
  if (!obstacle(service, action).empty()) return false;
  const auto event = row_of(action).service_request;
  return event && next(static_cast<ServiceState>(service.state), *event).has_value();
}

std::string refusal_of(const Machine& service, Action action, std::string_view name) {
  const auto event = row_of(action).service_request;
  const std::string label = label_of(service, name);
  if (!event) return label + " does not have the action " + std::string(to_string(action));
  const auto state = static_cast<ServiceState>(service.state);
  if (!next(state, *event)) return refusal(label, to_string(state), actions_allowed(service), row_of(action).words);
  const std::string_view reason = obstacle(service, action);
  if (reason.empty()) return {};
  std::string text = label + " refuses: " + std::string(reason);
  const auto running = static_cast<RunningState>(service.running);
  if (reason.starts_with("its workload")) text += ", not " + std::string(to_string(running));
  return text;
}

bool is_untouched(const Machine& service) {
  const auto state = static_cast<ServiceState>(service.state);
  const bool is_new =
      state == ServiceState::ready && static_cast<Freshness>(service.freshness) == Freshness::never_deployed;
  return is_new || state == ServiceState::deleted;
}

bool has_event(const Machine& service, ForcedEvent forced) {
  switch (forced) {
    case ForcedEvent::none: return true;
    case ForcedEvent::start: return has(service.plan_flags, PlanFlag::on_start);
    case ForcedEvent::stop: return has(service.plan_flags, PlanFlag::on_stop);
    case ForcedEvent::remove: return has(service.plan_flags, PlanFlag::on_delete);
    case ForcedEvent::cron: return has(service.plan_flags, PlanFlag::cron);
  }
  return true;
}

}  // namespace orlop
