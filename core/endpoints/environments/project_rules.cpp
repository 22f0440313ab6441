#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "endpoints/environments/parts/deployment_rules.h"
#include "endpoints/environments/parts/ordered_records.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "model/registry.h"
#include "records/path.h"
#include "records/write_record.h"
#include "unit/operation.h"

namespace orlop::operation_sets::environments::project_rules {
namespace {

Result<Answer> list_rules(Unit& unit, const Call& call) {
  ORLOP_TRY(project, require_parent(unit, *call.family, call.ids.front()));
  return answer_ordered(unit, call, project_rules_order(), project->id);
}

Result<Answer> remove_rule(Unit& unit, const Call& call) {
  ORLOP_TRY(rule, record_on_path(unit, call));
  ORLOP_CHECK(remove_tree(unit, rule));
  ORLOP_TRY(rules, ordered_records(unit, project_rules_order(), rule.parent));
  renumber(unit, project_rules_order(), rules);
  return Answer{204, {}};
}

// Rules that the request leaves out come last, in their present order.
Result<Answer> order_rules(Unit& unit, const Call& call) {
  ORLOP_TRY(project, require_parent(unit, *call.family, call.ids.front()));
  ORLOP_TRY(rules, ordered_records(unit, project_rules_order(), project->id));
  const Value* given = call.body == nullptr ? nullptr : call.body->find("project_deployment_rule_ids_in_order");
  auto next = rules.begin();
  if (given != nullptr && given->is_list()) {
    for (const Value& item : given->items()) {
      const Id id = parse_id(item.as_text()).value_or(Id{});
      const auto found =
          std::find_if(next, rules.end(), [&id](const OrderedRecord& rule) { return rule.record.id == id; });
      if (found == rules.end())
        return invalid_field("project_deployment_rule_ids_in_order",
                             "must name rules of the project, each once; not " + to_text(id));
      std::rotate(next, found, found + 1);
      ++next;
    }
  }
  renumber(unit, project_rules_order(), rules);
  return Answer{200, {}};
}

constexpr Field order_fields[] = {
    list_of("project_deployment_rule_ids_in_order", FieldKind::id,
            "IDs of the rules of the project, in the order in which they are to be tried. Rules that are "
            "not named come last.")
        .at_most(10'000)};
constexpr Shape order_shape = {.name = "ProjectDeploymentRulesPriorityOrderRequest", .fields = order_fields};

constexpr Operation operations[] = {{.method = Method::put,
                                     .path = "{collection}/order",
                                     .name = "order_{family}s",
                                     .access = Access::write,
                                     .handle = order_rules,
                                     .body = &order_shape,
                                     .summary = "Set the order of the deployment rules of a project",
                                     .about = "The first rule that fits a new environment is applied to it."}};

constexpr ReplacedVerb replaced[] = {{.verb = Verb::list, .handle = list_rules},
                                     {.verb = Verb::remove, .handle = remove_rule}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("project_deployment_rule"),
    .operations = operations,
    .replaced = replaced,
};

}  // namespace orlop::operation_sets::environments::project_rules
