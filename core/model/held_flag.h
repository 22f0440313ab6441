// Bit of Machine::plan_flags with which simulations hold back requests (deploy/request/holds.h).
#pragma once

#include "model/plan_flag.h"

namespace orlop {

// The highest bit, which no flag of plans uses. On an environment or a cluster: its requests wait in QUEUED. On a
// deployment request: it does not begin.
inline constexpr PlanFlag held_flag = static_cast<PlanFlag>(1U << 31);

}  // namespace orlop
