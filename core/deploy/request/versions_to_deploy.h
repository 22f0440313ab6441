// Versions that an automatic deployment brought while a service could not be deployed. The next deployment of the
// service uses them, unless it names a version, which is newer.
#pragma once

#include "base/id.h"
#include "base/result.h"
#include "deploy/request/request_record.h"
#include "model/value.h"
#include "unit/unit.h"

namespace orlop {

// Stores the overrides, by service id; they replace stored ones of the same services.
Result<void> keep_versions(Unit& unit, const Id& environment, const Value& overrides);

// Moves the versions of the services that this deployment includes into its overrides.
Result<void> take_versions(Unit& unit, RequestBody& body);

// Returns the stored versions by service id; an empty object if there are none.
Result<Value> kept_versions(Unit& unit, const Id& environment);

}  // namespace orlop
