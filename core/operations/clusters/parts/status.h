// The answers about the state of clusters, and their locks.
#pragma once

#include <optional>
#include <string>

#include "base/id.h"
#include "base/result.h"
#include "model/value.h"
#include "ops/unit/unit.h"
#include "wire/writer.h"

namespace orlop {

// A cluster's lock: a record of cluster_lock_number under the cluster, {reason, ttl_in_days, cluster_id, locked_at, owner_name}.
struct ClusterLock {
  Record record;
  Value body;
};

// The lock that holds now; nothing if there is none or its time is over.
Result<std::optional<ClusterLock>> lock_of(Unit& unit, const Id& cluster);
// The lock's record, be its time over or not.
Result<std::optional<ClusterLock>> stored_lock_of(Unit& unit, const Id& cluster);

// Errors: conflict while the cluster is locked, saying by whom and why.
Result<void> require_unlocked(Unit& unit, const Id& cluster);

// The status object {cluster_id, status, is_deployed, …}.
Result<void> write_cluster_status(Unit& unit, Writer& out, const Record& cluster);
Result<std::string> cluster_status(Unit& unit, const Record& cluster);

}  // namespace orlop
