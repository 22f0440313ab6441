// Container registries and helm repositories as members of a question's input.
#pragma once

#include "base/result.h"
#include "model/value.h"
#include "unit/operation.h"

namespace orlop {

// The record of the call's family that the path names, below the organization that it names.
Result<Record> require_registry(Unit& unit, const Call& call);
// Id, name, kind, URL and credentials, secrets included.
Result<Value> registry_input(const Record& registry);

}  // namespace orlop
