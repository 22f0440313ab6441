// A part of the history of a large deployment request (deploy/request/request_history.h). The history of a smaller one
// is in the request itself.
#include "base/deployment_history_number.h"
#include "families/shapes/request_stages.h"
#include "model/family.h"

namespace orlop::families::deployment_history {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    list_of("stages", request_stage,
            "Stages with those of their services that this part holds, in the order of the parts."),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = deployment_history_number,
    .name = "deployment_history",
    .schema = "DeploymentHistoryRecord",
    .about =
        "A part of the history of a deployment request: at most 1000 of its services as they were when the request "
        "ended. It lies below the request.",
    .parent = "deployment",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .is_internal = true,
    .has_events = false,
    .is_cloned = false,
    .sample = R"({"stages": []})",
};

}  // namespace orlop::families::deployment_history
