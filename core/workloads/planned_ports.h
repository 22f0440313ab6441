// Ports and probes of a workload.
#pragma once

#include "base/result.h"
#include "model/value.h"
#include "workloads/workload.h"

namespace orlop {

// Returns the ports of the plan, one for each number and transport. A port that only a probe names is among them.
Value ports_of(const Workload& workload);

// Returns {"readiness", "liveness"}. Error invalid: a probe has no port, and the service has none either.
Result<Value> probes_of(Workload& workload);

}  // namespace orlop
