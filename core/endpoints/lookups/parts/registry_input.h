// Container registries and helm repositories as members of a question's input.
#pragma once

#include "base/result.h"
#include "model/value.h"
#include "unit/operation.h"

namespace orlop {

// Returns the record of the call's family in the path, which must be below the organization in the path.
Result<Record> require_registry(Unit& unit, const Call& call);
// Returns id, name, kind, URL and credentials, secrets included.
Result<Value> registry_input(const Record& registry);

}  // namespace orlop
