// The lock of a cluster: until it expires, edits and upgrades of the cluster are refused. At most one per cluster.
#include "base/family_number.h"
#include "model/family.h"

namespace orlop::families::cluster_lock {
namespace {

constexpr Field fields[] = {
    text("reason", "Reason of the lock, shown to callers whose changes it refuses.").required().at_least(1),
    integer("ttl_in_days", "Lifetime of the lock in days, 1 to 5. Default: 1.").at_least(1).at_most(5).defaults_to(1),
    parent_id("cluster_id", "ID of the locked cluster."),
    date_time("locked_at", "Time at which the lock was set, in UTC.").required(),
    text("owner_name", "Name of the user who set the lock.").required(),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = cluster_lock_number,
    .name = "cluster_lock",
    .schema = "ClusterLockRecord",
    .about = "The lock of a cluster refuses edits and upgrades of the cluster until it is removed or expires.",
    .parent = "cluster",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .is_internal = true,
    .sample = R"({"reason": "maintenance", "locked_at": "2026-01-01T00:00:00.000Z", "owner_name": "host"})",
};

}  // namespace orlop::families::cluster_lock
