// The record of a blueprint in an environment, and the service that it has made.
#pragma once

#include <string_view>

#include "endpoints/blueprints/parts/blueprint_values.h"
#include "model/family.h"
#include "unit/unit.h"

namespace orlop {

const Family& blueprint_service_family(const Value& found);

// The input of the question find_blueprint.
Value blueprint_input(const Id& organization, const Id& environment, std::string_view tag);

// The settings that a request gives; of an update with what it leaves out as `stored` has it (nullptr: a create). Error
// invalid: a value is malformed, or named twice.
Result<BlueprintSettings> settings_of(const Value& body, const Value* stored);
// Those of a stored blueprint, secrets included.
BlueprintSettings stored_settings(const Value& stored);

Value blueprint_body(const Value& found, std::string_view tag, const BlueprintSettings& settings, const Id& service);

// Error conflict: it was deleted.
Result<Record> blueprint_service(Unit& unit, const Record& blueprint);

}  // namespace orlop
