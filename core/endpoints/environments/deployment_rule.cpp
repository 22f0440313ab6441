// Deployment rule of an environment: its hours, and the actions at their begin and end.
#include <string>
#include <utility>
#include <vector>

#include "base/brand.h"
#include "deploy/request/deployment_request.h"
#include "deploy/request/request_parts.h"
#include "endpoints/environments/parts/deployment_rules.h"
#include "endpoints/environments/parts/weekly_hours.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "records/render_records.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop::operation_sets::environments::deployment_rule {
namespace {

constexpr Duration retry_after = seconds(300);

// Returns the rule's text. Without a stored rule: weekdays from 8 to 19 o'clock, without any effect.
Result<std::string> text_of(Unit& unit, const Record& environment, const Shared<Record>& rule) {
  if (rule) {
    ORLOP_TRY(text, render(unit, environment_rule_family(), *rule));
    ORLOP_TRY(value, parse_stored(text));
    value.set("id", Value(to_text(environment.id)));
    return to_json(value);
  }
  ORLOP_TRY(body, unit.value_of(environment));
  Writer out;
  out.begin_object()
      .field("id", environment.id)
      .field("created_at", body->text_or("created_at", ""))
      .field("updated_at", body->text_or("created_at", ""));
  out.field("on_demand_preview", false).field("auto_preview", false).field("auto_stop", false).field("timezone", "UTC");
  out.field("start_time", "1970-01-01T08:00:00.000Z")
      .field("stop_time", "1970-01-01T19:00:00.000Z")
      .key("weekdays")
      .begin_list();
  for (const std::string_view weekday : {"MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"}) out.value(weekday);
  out.end_list().end_object();
  return std::move(out).take();
}

Result<Answer> read_rule(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  ORLOP_TRY(rule, environment_rule(unit, environment.id));
  ORLOP_TRY(text, text_of(unit, environment, rule));
  return Answer{200, std::move(text)};
}

Result<Answer> save_rule(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  if (call.ids[1] != environment.id) return not_found("deployment rule", call.ids[1]);
  ORLOP_TRY(rule, save_environment_rule(unit, environment, *call.body));
  ORLOP_TRY(text, text_of(unit, environment, Shared<Record>(std::move(rule))));
  return Answer{200, std::move(text)};
}

// Returns the services that are stopped, for the begin of the hours; those that run, or may run, for their end.
Result<std::vector<Id>> concerned_services(Unit& unit, const Id& environment, bool begins) {
  ORLOP_TRY(machines, unit.machines(environment));
  std::vector<Id> concerned;
  for (const Machine& machine : machines) {
    const Family* family = find_family(machine.family);
    if (family == nullptr || family->machine != MachineKind::service) continue;
    const auto state = static_cast<ServiceState>(machine.state);
    const bool is_stopped = state == ServiceState::stopped;
    if (begins ? is_stopped : !is_stopped && state != ServiceState::ready) concerned.push_back(machine.id);
  }
  return concerned;
}

Result<bool> is_busy(Unit& unit, const Id& environment) {
  ORLOP_TRY(requests, request_machines(unit, environment));
  for (const Machine& request : requests) {
    if (is_unfinished(request)) return true;
  }
  return false;
}

// Returns true if the action is requested or there is nothing to do; false if another request must end first.
Result<bool> begin_or_end(Unit& unit, const Record& environment, bool begins) {
  ORLOP_TRY(concerned, concerned_services(unit, environment.id, begins));
  if (concerned.empty()) return true;
  Order order;
  order.environment = environment.id;
  order.action = begins ? Action::deploy : Action::stop;
  order.whole_environment = !begins;
  if (begins) order.services = std::move(concerned);
  order.author = "deployment rule";
  order.origin = branded(branded_names::internal_origin, unit.settings().brand);
  const auto placed = enqueue(unit, order);
  if (placed) return true;
  if (placed.error().code != ErrorCode::conflict) return placed.error();
  ORLOP_TRY(busy, is_busy(unit, environment.id));
  return !busy;
}

// After a time without an engine only the current state of the hours is applied.
Result<std::optional<Instant>> follow_hours(Unit& unit, Machine machine) {
  ORLOP_TRY(rule, unit.record(machine.id));
  ORLOP_TRY(environment, rule ? unit.record(rule->parent) : Result<Shared<Record>>(Shared<Record>()));
  if (!environment) return std::optional<Instant>();
  ORLOP_TRY(body, unit.value_of(*rule));
  const WeeklyHours hours = hours_of(*body, TimeZones::or_built_in(unit.settings().zones.get()));
  const Instant now = unit.clock_time();
  const bool begins = is_within(hours, now);
  const bool is_same = begins == (machine.state == 1);
  const std::optional<Instant> change = next_change(hours, now);
  // A deadline after the next change was set while the clock was ahead.
  const bool is_ahead = machine.deadline && change && *change < *machine.deadline;
  if (is_same && !is_ahead && (!machine.deadline || now < *machine.deadline))
    return std::optional<Instant>(machine.deadline);
  ORLOP_TRY(is_done, is_same ? Result<bool>(true) : begin_or_end(unit, *environment, begins));
  if (is_done) machine.state = begins ? 1 : 0;
  machine.deadline = change;
  if (!is_done && (!change || now + retry_after < *change)) machine.deadline = now + retry_after;
  machine.active = machine.deadline.has_value();
  machine.changed_at = now;
  const std::optional<Instant> next = machine.deadline;
  unit.put(std::move(machine));
  return next;
}

constexpr Operation operations[] = {
    {.path = "/environment/{environmentId}/deploymentRule",
     .name = "get_{family}",
     .handle = read_rule,
     .form = AnswerForm::record,
     .summary = "Get the deployment rule of an environment",
     .about = "An environment whose rule was never edited has default hours, and `auto_stop` is false."},
    {.method = Method::put,
     .path = "/environment/{environmentId}/deploymentRule/{deploymentRuleId}",
     .name = "edit_{family}",
     .access = Access::write,
     .handle = save_rule,
     .is_body_required = true,
     .form = AnswerForm::record,
     .summary = "Edit the deployment rule of an environment",
     .about = "Takes effect when the hours next begin or end: nothing is started or stopped by the edit itself. The ID "
              "of the rule is that of the environment."},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("environment_deployment_rule"),
    .operations = operations,
    .due = follow_hours,
};

}  // namespace orlop::operation_sets::environments::deployment_rule
