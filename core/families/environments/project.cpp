// A project groups the environments of one product.
#include "model/family.h"

namespace orlop::computations {
ComputeFunction environments_count;
}

namespace orlop::families::project {
namespace {

constexpr Field fields[] = {
    text("name", "Name of the project, unique within the organization without regard to case.")
        .required()
        .unique_name(),
    text("description", "Free text that describes the project. Default: empty.").defaults_to(""),
    organization_object("Organization that owns the project."),
    computed(integer("associated_environments_count", "Number of environments of the project."),
             computations::environments_count),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 2,
    .name = "project",
    .schema = "Project",
    .segment = "project",
    .id_name = "projectId",
    .about = "A project groups the environments of one product, such as development, staging and production.",
    .parent = "organization",
    .fields = fields,
    .create_status = 200,
    .sample = R"({"name": "shop"})",
};

}  // namespace orlop::families::project
