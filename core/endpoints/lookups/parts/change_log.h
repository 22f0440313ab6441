// Log of the last change of a cluster, read from the feed: the states that it entered, and the driver's reports.
#pragma once

#include "base/result.h"
#include "model/value.h"
#include "unit/unit.h"

namespace orlop {

// Returns a list in the shape of question_shapes::cluster_logs: the last 1000 lines, oldest first. Empty if the cluster
// was never changed, or the feed no longer holds the change.
Result<Value> log_of_last_change(Unit& unit, const Record& cluster);

}  // namespace orlop
