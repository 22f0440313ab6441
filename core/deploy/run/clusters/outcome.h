// The effect of a successful cluster action on the cluster's record: its version, and the outputs of its creation.
#pragma once

#include <string_view>

#include "base/result.h"
#include "deploy/run/state_transition.h"
#include "unit/unit.h"

namespace orlop {

// `outputs`: those of the driver. Outputs that are invalid for the cluster's field are not stored; an event has the
// reason.
Result<void> store_outcome(Unit& unit, StateTransition& cluster, Record record, std::string_view outputs);

}  // namespace orlop
