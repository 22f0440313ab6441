// The lock of a cluster (family cluster_lock).
#pragma once

#include <optional>

#include "base/id.h"
#include "base/result.h"
#include "model/value.h"
#include "unit/unit.h"

namespace orlop {

struct ClusterLock {
  Record record;
  Value body;
};

// Returns the lock in force; nullopt if there is none or it has expired.
Result<std::optional<ClusterLock>> lock_of(Unit& unit, const Id& cluster);

// Errors: conflict while the cluster is locked, with the owner and the reason of the lock.
Result<void> require_unlocked(Unit& unit, const Id& cluster);

}  // namespace orlop
