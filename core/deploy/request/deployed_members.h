// What a deployment request deployed of a service, for the history: members of its record as they were then.
#pragma once

#include <string>

#include "base/result.h"
#include "deploy/request/request_record.h"
#include "store/store.h"
#include "unit/unit.h"

namespace orlop {

// Returns a JSON object with those members that say what is deployed: image, command, source, schedule and repository,
// with the overrides of the request. "" if they are not known: the record has been edited since the driver was given
// it, and the request made no release. `is_overtaken`: the record has been edited since.
Result<std::string> deployed_members(Unit& unit, const Record& service, const RequestBody& body, bool is_overtaken);

}  // namespace orlop
