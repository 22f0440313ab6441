// The cancel of one service of a running request.
#pragma once

#include "base/id.h"
#include "base/result.h"
#include "deploy/driver/driver.h"
#include "unit/unit.h"

namespace orlop {

// Whether a cancel of this mode ends a running step of the service; else the step runs to its end.
bool is_interrupted(const Machine& service, CancelMode mode);

// Changes the row of a service that is moved by a running request: CANCELING while it has a step, which gets the
// deadline of cancels; else CANCELED. What is at rest stays as it is.
Result<void> cancel_service(Unit& unit, const Id& organization, Machine service, CancelMode mode);

}  // namespace orlop
