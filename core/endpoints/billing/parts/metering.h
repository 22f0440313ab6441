// Metering: changes usage meters according to the events of a unit.
#pragma once

#include "base/result.h"
#include "unit/unit.h"

namespace orlop {

// Part of Hooks::finishing. Does nothing unless the engine has billing terms. An instance counts from the end of the
// deployment that starts it until its service is stopped or deleted; a build counts when it has ended.
Result<void> meter_usage(Unit& unit);

}  // namespace orlop
