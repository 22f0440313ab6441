#include "endpoints/environments/parts/deployment_rules.h"

#include <cassert>

#include "endpoints/environments/parts/weekly_hours.h"
#include "model/registry.h"
#include "records/write_record.h"
#include "store/partition.h"
#include "unit/find_record.h"

namespace orlop {
namespace {

// The rule has no effect before the next change of its hours.
Result<void> put_machine(Unit& unit, const Record& rule) {
  ORLOP_TRY(body, unit.value_of(rule));
  ORLOP_TRY(stored, unit.machine(rule.id));
  Machine machine = stored ? *stored : Machine();
  machine.id = rule.id;
  machine.family = rule.family;
  machine.owner = rule.id;
  machine.partition = partition_of(rule.organization);
  const WeeklyHours hours = hours_of(*body, TimeZones::or_built_in(unit.settings().zones.get()));
  machine.deadline = body->boolean_or("auto_stop", false) ? next_change(hours, unit.clock_time()) : std::nullopt;
  machine.active = machine.deadline.has_value();
  machine.state = is_within(hours, unit.clock_time()) ? 1 : 0;
  machine.changed_at = unit.clock_time();
  unit.wake(rule.id, machine.partition);
  unit.put(std::move(machine));
  return {};
}

}  // namespace

const Family& environment_rule_family() {
  static const Family* const family = find_family("environment_deployment_rule");
  assert(family != nullptr);
  return *family;
}

Result<Shared<Record>> environment_rule(Unit& unit, const Id& environment) {
  return find_child(unit, environment, environment_rule_family().number);
}

Result<bool> is_out_of_hours(Unit& unit, const Id& environment) {
  ORLOP_TRY(rule, environment_rule(unit, environment));
  if (!rule) return false;
  ORLOP_TRY(body, unit.value_of(*rule));
  return body->boolean_or("auto_stop", false) &&
         !is_within(hours_of(*body, TimeZones::or_built_in(unit.settings().zones.get())), unit.clock_time());
}

Result<Record> save_environment_rule(Unit& unit, const Record& environment, const Value& body) {
  const Family& family = environment_rule_family();
  ORLOP_TRY(stored, environment_rule(unit, environment.id));
  ORLOP_TRY(rule, stored ? edit_record(unit, family, std::move(stored).take(), body)
                         : create_record(unit, family, environment.id, body));
  ORLOP_CHECK(put_machine(unit, rule));
  return rule;
}

OrderedFamily project_rules_order() {
  static const Family* const family = find_family("project_deployment_rule");
  assert(family != nullptr);
  return {*family, "priority_index"};
}

}  // namespace orlop
