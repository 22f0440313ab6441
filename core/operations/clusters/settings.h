// What a lock keeps from happening to a cluster.
#pragma once

#include "base/result.h"
#include "ops/call.h"
#include "ops/unit.h"

namespace orlop {

// Errors: conflict while the cluster is locked, saying by whom and why.
Result<void> require_unlocked(Unit& unit, const Id& cluster);

// In the place of the plain edit: refused while the cluster is locked.
Result<Answer> edit_cluster(Unit& unit, const Call& call);

}  // namespace orlop
