// A deployment stage is one step of the order in which an environment's services are deployed.
#include "families/shapes/rules.h"
#include "families/shapes/enumerations.h"
#include "model/family.h"

namespace orlop::computations {
ComputeFunction stage_services;
}

namespace orlop::families {
namespace {

using namespace shapes;

constexpr Field service_fields[] = {
    uuid("id", "The id of the entry.").required(),
    date_time("created_at", "When the service came into the stage.").required(),
    date_time("updated_at", "When the entry was changed last."),
    uuid("service_id", "The service's id.").required(),
    enumeration("service_type", service_kinds, "The service's kind.").required(),
    boolean("is_skipped", "Whether deployments of the whole environment leave the service out.").required(),
};
constexpr Shape service{.name = "DeploymentStageServiceResponse", .fields = service_fields};

constexpr Field fields[] = {
    parent_object("environment", "The environment whose services it orders."),
    text("name", "Its name.").required().unique_name(),
    text("description", "What it is for.").nullable().defaults_to(""),
    integer("deployment_order", "Its place among the stages of the environment, from 0.").read_only().always_present(),
    computed(list_of("services", service, "The services it holds."), computations::stage_services),
};


void complete(Value& record, ValidationContext&) { set_absent(record, "description", Value("")); }

}  // namespace

extern const Family deployment_stage;
constexpr Family deployment_stage = {
    .number = 4,
    .name = "deployment_stage",
    .schema = "DeploymentStage",
    .segment = "deploymentStage",
    .id_name = "deploymentStageId",
    .about = "A deployment stage is one step of the order in which an environment's services are deployed.",
    .parent = "environment",
    .fields = fields,
    .create_status = 200,
    .name_scope = NameScope::none,
    .sample = R"({"name": "after the databases"})",
    .complete = complete,
};

}  // namespace orlop::families
