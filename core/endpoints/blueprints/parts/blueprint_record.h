// The record of a blueprint in an environment, and the service made from it.
#pragma once

#include <string_view>

#include "endpoints/blueprints/parts/blueprint_values.h"
#include "model/family.h"
#include "unit/unit.h"

namespace orlop {

const Family& blueprint_service_family(const Value& found);

Value blueprint_input(const Id& organization, const Id& environment, std::string_view tag);

// Reads the settings of a request; an update takes absent ones from `stored` (null: a create). Error invalid: a value
// is malformed, or named twice.
Result<BlueprintSettings> settings_of(const Value& body, const Value* stored);
BlueprintSettings stored_settings(const Value& stored);

Value blueprint_body(const Value& found, std::string_view tag, const BlueprintSettings& settings, const Id& service);

// Error conflict if the service was deleted.
Result<Record> blueprint_service(Unit& unit, const Record& blueprint);

}  // namespace orlop
