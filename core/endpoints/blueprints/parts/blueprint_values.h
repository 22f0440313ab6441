// Values of a blueprint's variables, and the request that creates its service. Pure; `found` is the answer of the
// question find_blueprint (external_systems/shapes/blueprints_questions.h).
#pragma once

#include <string>
#include <string_view>

#include "base/id.h"
#include "base/result.h"
#include "model/value.h"

namespace orlop {

struct BlueprintValues {
  Value plain = Value::object();   // by name
  Value secret = Value::object();  // by name
};

// HELM or TERRAFORM.
std::string_view service_type_of(const Value& found);

// Refuses values of unknown variables, values that are not allowed, and missing required ones. `path`: location of the
// values in the request.
Result<void> check_values(const Value& found, const BlueprintValues& values, std::string_view path);

struct BlueprintSettings {
  std::string name;
  std::string icon;
  BlueprintValues values;
  Value overrides;  // spec_overrides; null: none
};
Result<Value> service_request(const Value& found, const BlueprintSettings& settings, const Id& blueprint);

Value without_secrets(Value service);

// GET /blueprint/{blueprintId}/update: changes of an update from `current` to `latest` with these values. Secret values
// are not shown.
Value describe_update(const Value& current, std::string_view current_tag, const Value& latest,
                      std::string_view latest_tag, const BlueprintSettings& settings);

}  // namespace orlop
