// The outbox of webhook messages: a message is stored in the transaction of its event.
#pragma once

#include "unit/unit.h"

namespace orlop {

// Hooks::finishing. Makes a message for each start and end of a deployment request, and each service that has become
// unhealthy or has recovered, among the unit's events, and each enabled webhook of the organization that selects it.
// Drops the waiting messages of a disabled webhook. The cost depends on the number of events.
Result<void> fill_outbox(Unit& unit);

}  // namespace orlop
