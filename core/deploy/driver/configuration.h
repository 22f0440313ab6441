// What a driver is given with a step: all that it needs to know of the subject, so that it has to ask nobody.
#pragma once

#include <string>

#include "base/result.h"
#include "model/value.h"
#include "ops/unit.h"
#include "store/store.h"

namespace orlop {

// JSON text: the record with its secrets; what the request overrides, in place; and beside them
//   "master_credentials"  of a database: {"login", "password"}
//   "references"          by id, what the record refers to (registry, git token, credentials …), with its secrets; left out if there is none
//   "outputs"             of the jobs before it, as one object; left out if there are none
//   "target_version"      of a cluster that is upgraded: the version to reach
//   "revision"            of the record
// `overrides` may be null; `outputs` is a null value if there are none.
Result<std::string> configuration_of(Unit& unit, const Record& record, const Value* overrides, const Value& outputs);

}  // namespace orlop
