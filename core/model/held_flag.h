// The bit of Machine::plan_flags by which simulations hold back what is requested (deploy/request/holds.h).
#pragma once

#include "model/plan_flag.h"

namespace orlop {

// The highest bit, which is no flag of plans. Of an environment and a cluster: its requests wait in QUEUED; of a
// deployment request: it does not begin.
inline constexpr PlanFlag held_flag = static_cast<PlanFlag>(1U << 31);

}  // namespace orlop
