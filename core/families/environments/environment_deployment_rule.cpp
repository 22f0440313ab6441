// The schedule that stops and starts an environment.
#include "families/shapes/rule_fields.h"
#include "model/family.h"

namespace orlop::families::environment_deployment_rule {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    boolean("on_demand_preview",
            "Leave the environment out of the previews that a new tag of an image makes. Default: false.")
        .defaults_to(false),
    boolean("auto_preview",
            "Let a new tag of an image make previews of the environment for each of its containers, also for those "
            "without `auto_preview`. Default: false.")
        .defaults_to(false),
    rule_auto_stop,
    rule_timezone,
    rule_start_time,
    rule_stop_time,
    rule_weekdays,
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 81,
    .name = "environment_deployment_rule",
    .schema = "EnvironmentDeploymentRule",
    .segment = "deploymentRule",
    .id_name = "deploymentRuleId",
    .about =
        "The deployment rule of an environment says at which hours it runs: with `auto_stop` its services are stopped "
        "and started by the clock. There is one for each "
        "environment, whose id is that of the environment.",
    .parent = "environment",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .machine = MachineKind::schedule,
    .is_cloned = false,
    .sample =
        R"({"timezone": "Europe/Paris", "start_time": "1970-01-01T08:00:00Z", "stop_time": "1970-01-01T19:00:00Z",)"
        R"( "weekdays": ["MONDAY"]})",
    .check = check_rule,
};

}  // namespace orlop::families::environment_deployment_rule
