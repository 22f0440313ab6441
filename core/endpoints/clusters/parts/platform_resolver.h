// Platform templates: which layers a cluster gets, and what the values of a component come to. Pure; templates are as
// the question list_platform_templates answers them (external_systems/shapes/platform_questions.h).
#pragma once

#include <string>
#include <string_view>

#include "model/value.h"
#include "wire/writer.h"

namespace orlop {

struct PlatformTarget {
  std::string mode;      // PLATFORM_MANAGED, with the brand of the engine, or CUSTOMER_MANAGED
  std::string provider;  // AWS …
};
// That of a cluster's record.
PlatformTarget platform_target(const Value& cluster, std::string_view brand);

// nullptr: there is none.
const Value* find_template(const Value& templates, std::string_view key, std::string_view version);
const Value* find_component(const Value& chosen, std::string_view key);

bool fits(const Value& layer, const PlatformTarget& target);

// The layers of the template with their states: a list of {key, status, reason, componentKeys}.
void write_layers(Writer& out, const Value& chosen, const Value* selections, const PlatformTarget& target);

// The values that a component would be installed with.
struct ComponentInput {
  const Value* profile = nullptr;  // of the configuration, by name
  const Value* cluster = nullptr;  // that the customer gives, by name
  const Value* outputs = nullptr;  // of other components, by key and name
};
// The members fields, requirements, componentBindings and violations, into an object that is begun.
void write_resolution(Writer& out, const Value& component, const ComponentInput& input);

// The values of the components without those that their template calls sensitive.
Value without_secrets(const Value& chosen, const Value* values);

}  // namespace orlop
