// Versions that arrived while a service could not be deployed (deploy/request/versions_to_deploy.h).
#include "base/pending_versions_number.h"
#include "model/family.h"

namespace orlop::families::pending_versions {
namespace {

constexpr Field fields[] = {
    open_object("overrides", "By the ID of the service, what its next deployment uses, as in `{\"git_commit_id\": …}`.")
        .required(),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = pending_versions_number,
    .name = "pending_versions",
    .schema = "PendingVersionsRecord",
    .about =
        "New commits of services that were stopped by the hours of their environment when the commits came. There is "
        "one record for each environment at most.",
    .parent = "environment",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .is_internal = true,
    .has_events = false,
    .is_cloned = false,
    .sample = R"({"overrides": {}})",
};

}  // namespace orlop::families::pending_versions
