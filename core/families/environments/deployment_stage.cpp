// A deployment stage is one step of the order in which an environment's services are deployed.
#include "families/shapes/rule_functions.h"
#include "families/shapes/shared_enumerations.h"
#include "model/family.h"

namespace orlop::computations {
ComputeFunction stage_services;
}

namespace orlop::families::deployment_stage {
namespace {

using namespace shapes;

constexpr Field service_fields[] = {
    uuid("id", "ID of the assignment of the service to the stage.").required(),
    date_time("created_at", "Time at which the service was assigned to the stage, in UTC.").required(),
    date_time("updated_at", "Time of the last change of the assignment, in UTC."),
    uuid("service_id", "ID of the service.").required(),
    enumeration("service_type", service_kinds, "Kind of the service.").required(),
    boolean("is_skipped", "True if deployments of the whole environment skip the service.").required(),
};
constexpr Shape service{.name = "DeploymentStageServiceResponse", .fields = service_fields};

constexpr Field fields[] = {
    parent_object("environment", "Environment that contains the stage."),
    text("name", "Name of the stage. Several stages of an environment may have the same name.")
        .required()
        .unique_name(),
    text("description", "Free text that describes the stage. Default: empty.").nullable().defaults_to(""),
    integer("deployment_order",
            "Position of the stage in the environment's order of deployment, from 0. A new stage is "
            "last.")
        .read_only()
        .always_present(),
    computed(list_of("services", service, "Services that are assigned to the stage."), computations::stage_services),
};

void complete(Value& record, ValidationContext& context) {
  set_absent(record, "description", Value(""));
  set_place(record, "deployment_order", context);
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 4,
    .name = "deployment_stage",
    .schema = "DeploymentStage",
    .segment = "deploymentStage",
    .id_name = "deploymentStageId",
    .about =
        "A deployment stage is a group of services of an environment. The stages are deployed one after the other, the "
        "services "
        "of one stage in parallel.",
    .parent = "environment",
    .fields = fields,
    .create_status = 200,
    .name_scope = NameScope::none,
    .sample = R"({"name": "after the databases"})",
    .ignores_name = true,
    .complete = complete,
};

}  // namespace orlop::families::deployment_stage
