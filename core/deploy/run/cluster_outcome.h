// What the record of a cluster learns from an operation that ended well: its new version, and the outputs of its making.
#pragma once

#include <string_view>

#include "base/result.h"
#include "deploy/run/state_transition.h"
#include "ops/unit.h"

namespace orlop {

// `outputs`: the driver's word. What does not fit the cluster's field of outputs is not kept, and the feed is told why.
Result<void> store_outcome(Unit& unit, StateTransition& cluster, Record record, std::string_view outputs);

}  // namespace orlop
