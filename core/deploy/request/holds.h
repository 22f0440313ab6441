// Holds of a simulation: an environment or cluster whose requests do not begin until they are released. They are a bit
// of Machine::plan_flags, so that stores and snapshots keep them.
#pragma once

#include "base/id.h"
#include "base/result.h"
#include "model/held_flag.h"
#include "unit/unit.h"

namespace orlop {

constexpr bool is_held(const Machine& machine) { return has(machine.plan_flags, held_flag); }

// From now on the services of a new request of the environment wait in QUEUED, and the request does not begin. Error
// not_found.
Result<void> hold_environment(Unit& unit, const Id& environment);
// The same of a cluster: what is requested of it waits in QUEUED.
Result<void> hold_cluster(Unit& unit, const Id& cluster);
// A waiting request does not begin. Error not_found.
Result<void> hold_request(Unit& unit, const Id& request);

// Ends the hold of this environment, with its requests, or of this cluster or request: what is QUEUED goes on. False:
// it is not held.
Result<bool> release_held(Unit& unit, const Id& held);

}  // namespace orlop
