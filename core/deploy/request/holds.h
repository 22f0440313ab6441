// Holds of a simulation: requests of a held environment or cluster do not begin until it is released. A hold is a bit
// of Machine::plan_flags, so that stores and snapshots keep it.
#pragma once

#include "base/id.h"
#include "base/result.h"
#include "model/held_flag.h"
#include "unit/unit.h"

namespace orlop {

constexpr bool is_held(const Machine& machine) { return has(machine.plan_flags, held_flag); }

// Makes the services of new requests of the environment wait in QUEUED; the requests do not begin. Error not_found.
Result<void> hold_environment(Unit& unit, const Id& environment);
// Makes operations requested of the cluster wait in QUEUED. Error not_found.
Result<void> hold_cluster(Unit& unit, const Id& cluster);
// Keeps a waiting request from beginning. Error not_found.
Result<void> hold_request(Unit& unit, const Id& request);

// Ends the hold of an environment and its requests, of a cluster or of a request. Requests and operations in QUEUED
// begin. Returns false if it is not held.
Result<bool> release_held(Unit& unit, const Id& held);

}  // namespace orlop
