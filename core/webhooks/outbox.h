// What is told to webhooks leaves through the outbox: a message is stored in the very transaction of the event that it tells of.
#pragma once

#include "ops/unit.h"

namespace orlop {

// Hooks::finishing. Looks at the unit's events: each start and end of a deployment request becomes one message for every enabled
// webhook of the organization that wants it; a webhook that was disabled loses those that wait. Cost follows the events.
Result<void> fill_outbox(Unit& unit);

}  // namespace orlop
