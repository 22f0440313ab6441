// Metering: what the events of a unit change of the usage meters.
#pragma once

#include "base/result.h"
#include "unit/unit.h"

namespace orlop {

// A part of Hooks::finishing. Does nothing unless the engine has terms of billing. An instance is counted from the end
// of the deployment that starts it until its service is stopped or deleted; a build when it has ended.
Result<void> meter_usage(Unit& unit);

}  // namespace orlop
