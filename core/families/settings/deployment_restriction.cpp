// A deployment restriction limits the changes of a repository that deploy a service automatically.
#include "families/shapes/rule_functions.h"
#include "model/family.h"

namespace orlop::families::deployment_restriction {
namespace {

using namespace shapes;

constexpr std::string_view modes[] = {"EXCLUDE", "MATCH"};
constexpr std::string_view types[] = {"PATH"};

constexpr Field fields[] = {
    enumeration("mode", modes,
                "Effect of the restriction. `MATCH`: a commit deploys the service only if it changes a file under the "
                "path. `EXCLUDE`: a commit that "
                "changes only files under the path deploys nothing.")
        .required(),
    enumeration("type", types, "Kind of `value`. `PATH`: the paths of the changed files.").required(),
    text("value", "Path in the repository, as in `services/api/`, 1 to 4096 bytes.")
        .required()
        .at_least(1)
        .at_most(4096),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 69,
    .name = "deployment_restriction",
    .schema = "DeploymentRestriction",
    .segment = "deploymentRestriction",
    .id_name = "deploymentRestrictionId",
    .about =
        "A deployment restriction narrows down which commits deploy a service automatically. A deployment by request "
        "is not "
        "restricted.",
    .parents = {"application", "job", "helm", "terraform"},
    .path = PathForm::nested,
    .fields = fields,
    .verbs = Verb::create | Verb::list | Verb::edit | Verb::remove,
    .name_scope = NameScope::none,
    .sample = R"({"mode": "MATCH", "type": "PATH", "value": "services/api/"})",
};

}  // namespace orlop::families::deployment_restriction
