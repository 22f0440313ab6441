// Cancels one service of a running request.
#pragma once

#include "base/id.h"
#include "base/result.h"
#include "deploy/driver/driver.h"
#include "unit/unit.h"

namespace orlop {

// Reports whether a cancel of this mode ends a running step of the service; if not, the step runs to its end.
bool is_interrupted(const Machine& service, CancelMode mode);

// Changes the row of a service that a running request moves: CANCELING while it has a step, which gets the cancel
// deadline if the cancel ends it; else CANCELED. A service in no transient state is unchanged.
Result<void> cancel_service(Unit& unit, const Id& organization, Machine service, CancelMode mode);

}  // namespace orlop
