// The newest release of a service or cluster: what a step has to know, without the releases themselves, which lie below
// this record.
#include "base/family_number.h"
#include "model/family.h"

namespace orlop::families::release_list {
namespace {

constexpr Field fields[] = {
    integer("number", "Number of the newest release.").required().at_least(1),
    text("digest", "Digest of its configuration. Absent: the release was made without it.").at_most(100),
    boolean("runs",
            "True while the service runs that release: nothing has stopped or uninstalled it since, or failed to "
            "replace it.")
        .defaults_to(false),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = release_list_number,
    .name = "release_list",
    .schema = "ReleaseListRecord",
    .about = "The releases of a service or cluster: the number and the digest of the newest one.",
    .parents = {"application", "container", "database", "helm", "job", "terraform", "argocd_app", "cluster"},
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .is_internal = true,
    .has_events = false,
    .is_cloned = false,
    .sample = R"({"number": 1})",
};

}  // namespace orlop::families::release_list
