// Gives a new environment the first deployment rule of its project that fits it.
#include <algorithm>
#include <string_view>

#include "deploy/driver/scripted_driver.h"
#include "endpoints/environments/parts/deployment_rules.h"
#include "endpoints/operation_set.h"

namespace orlop::operation_sets::environments::rule_of_new {
namespace {

bool fits(const Value& rule, const Value& environment) {
  const std::string_view wildcard = rule.text_or("wildcard", "");
  return rule.text_or("mode", "") == environment.text_or("mode", "") &&
         rule.text_or("cluster_id", "") == environment.text_or("cluster_id", "") &&
         (wildcard.empty() || matches(wildcard, environment.text_or("name", "")));
}

Result<void> apply_first(Unit& unit, const Creation& creation) {
  ORLOP_TRY(rules, ordered_records(unit, project_rules_order(), creation.record.parent));
  if (rules.empty()) return {};
  ORLOP_TRY(environment, unit.value_of(creation.record));
  const auto found =
      std::ranges::find_if(rules, [&](const OrderedRecord& rule) { return fits(rule.body, *environment); });
  if (found == rules.end()) return {};
  Value body = Value::object();
  for (const std::string_view member : {"auto_stop", "timezone", "start_time", "stop_time", "weekdays"}) {
    if (const Value* value = found->body.find(member)) body.set(member, *value);
  }
  const auto saved = save_environment_rule(unit, creation.record, body);
  return saved ? Result<void>() : Result<void>(saved.error());
}

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("environment"),
    .created = apply_first,
};

}  // namespace orlop::operation_sets::environments::rule_of_new
