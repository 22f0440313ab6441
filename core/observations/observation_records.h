// Observations: what a driver last saw of a service's workload beside its running state. One record below the service,
// whose id follows from that of the service. It is there while the driver has said more than the running state, or the
// service is unhealthy.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "lifecycle/state.h"
#include "model/value.h"
#include "unit/unit.h"

namespace orlop {

// Checks an observation as a driver reports it (catalogs/observation_shape.h), a JSON object, and returns it as it is
// stored: members in order, a long reason cut with a mark. Empty for an empty text or object. Errors: invalid.
Result<std::string> checked_observation(std::string_view text);

// Adds the ids of records that the functions below read, for Unit::load().
void add_observations(std::span<const Id> services, std::vector<Id>& ids);

// What a new observation says of a service's health. A service is unhealthy from WARNING or ERROR on until it is
// RUNNING, COMPLETED or STOPPED: an instance that starts again and again is not healthy in between.
enum class HealthNews : std::uint8_t { none, unhealthy, recovered };

struct StoredObservation {
  bool is_new = false;  // it differs from the one before in more than the time since which it holds
  HealthNews health = HealthNews::none;
};

// Replaces the observation of the service by one in the form of checked_observation(), which may be empty.
Result<StoredObservation> store_observation(Unit& unit, const Id& service, RunningState running,
                                            std::string_view observation);

// Erases the observation of a service whose workload was taken away. If it was unhealthy, the event of its running
// state, which the unit has emitted, says that this has ended.
Result<void> end_observation(Unit& unit, const Id& service);

// Returns the stored text; empty if there is none.
Result<std::string> observation_of(Unit& unit, const Id& service);

}  // namespace orlop
