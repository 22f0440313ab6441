// Versions that came by an automatic deployment while a service could not be deployed. The next deployment of the
// service takes its version, unless it has one of its own, which is newer.
#pragma once

#include "base/id.h"
#include "base/result.h"
#include "deploy/request/request_record.h"
#include "model/value.h"
#include "unit/unit.h"

namespace orlop {

// Keeps the overrides, by service id, in place of those that are kept of the same services.
Result<void> keep_versions(Unit& unit, const Id& environment, const Value& overrides);

// Moves the versions of the services that this deployment includes into its overrides.
Result<void> take_versions(Unit& unit, RequestBody& body);

// What is kept, by the id of the service; an empty object if nothing is.
Result<Value> kept_versions(Unit& unit, const Id& environment);

}  // namespace orlop
