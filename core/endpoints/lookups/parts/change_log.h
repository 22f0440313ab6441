// The log of the last change of a cluster, as the feed has it: the states that it entered, and what the driver has
// reported meanwhile.
#pragma once

#include "base/result.h"
#include "model/value.h"
#include "unit/unit.h"

namespace orlop {

// A list in the shape of question_shapes::cluster_logs: the last 1000 lines, the oldest first. Empty: the cluster was
// never changed, or the feed has forgotten it.
Result<Value> log_of_last_change(Unit& unit, const Record& cluster);

}  // namespace orlop
