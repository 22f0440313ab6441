// The deployment rules of a project for the environments that are created in it.
#include "families/shapes/rule_fields.h"
#include "families/shapes/rule_functions.h"
#include "families/shapes/shared_enumerations.h"
#include "model/family.h"

namespace orlop::families::project_deployment_rule {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    text("name", "Name of the rule, 1 to 255 bytes.").required().unique_name(),
    text("description", "Free text that describes the rule.").nullable(),
    enumeration("mode", environment_modes, "The rule is for environments of this mode.").required(),
    reference("cluster_id", "cluster", "ID of the cluster: the rule is for environments on it.").required(),
    rule_auto_stop,
    rule_timezone,
    rule_start_time,
    rule_stop_time,
    rule_weekdays,
    text("wildcard",
         "Pattern of the names of the environments that the rule is for: `*` stands for any text, `?` for one byte, as "
         "in `feature-*`. Default: empty, "
         "which fits every name.")
        .defaults_to("")
        .at_most(255),
    integer(
        "priority_index",
        "Place of the rule among those of the project, from 0: the first that fits a new environment is applied to it.")
        .read_only()
        .always_present(),
};

void complete(Value& record, ValidationContext& context) { set_place(record, "priority_index", context); }

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 82,
    .name = "project_deployment_rule",
    .schema = "ProjectDeploymentRule",
    .segment = "deploymentRule",
    .id_name = "deploymentRuleId",
    .about =
        "A deployment rule of a project gives new environments of the project their deployment rule. Environments that "
        "are there already keep theirs.",
    .parent = "project",
    .path = PathForm::nested,
    .fields = fields,
    .name_scope = NameScope::none,
    .sample = R"({"name": "nights", "mode": "DEVELOPMENT", "cluster_id": "{cluster}", "timezone": "Europe/Paris", )"
              R"("start_time": "1970-01-01T08:00:00Z",
                  "stop_time": "1970-01-01T19:00:00Z", "weekdays": ["MONDAY", "TUESDAY"], "auto_stop": true, )"
              R"("wildcard": "feature-*"})",
    .check = check_rule,
    .complete = complete,
};

}  // namespace orlop::families::project_deployment_rule
