// A project groups the environments of one product.
#include "model/family.h"

namespace orlop::computations {
ComputeFunction environments_count;
}

namespace orlop::families {
namespace {

constexpr Field fields[] = {
    text("name", "Its name.").required().unique_name(),
    text("description", "What it is for.").defaults_to(""),
    organization_object("The organization it belongs to."),
    computed(integer("associated_environments_count", "How many environments it holds."), computations::environments_count),
};

}  // namespace

extern const Family project;
constexpr Family project = {
    .number = 2,
    .name = "project",
    .schema = "Project",
    .segment = "project",
    .id_name = "projectId",
    .about = "A project groups the environments of one product.",
    .parent = "organization",
    .fields = fields,
    .create_status = 200,
    .sample = R"({"name": "shop"})",
};

}  // namespace orlop::families
