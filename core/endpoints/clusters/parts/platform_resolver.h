// Platform templates: layers of a cluster, and values of a component. Pure; templates have the form of the question
// list_platform_templates (external_systems/shapes/platform_questions.h).
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
PlatformTarget platform_target(const Value& cluster, std::string_view brand);

// Null if the template has none with this key.
const Value* find_template(const Value& templates, std::string_view key, std::string_view version);
const Value* find_component(const Value& chosen, std::string_view key);

bool fits(const Value& layer, const PlatformTarget& target);

// Writes the layers of the template with their states: a list of {key, status, reason, componentKeys}.
void write_layers(Writer& out, const Value& chosen, const Value* selections, const PlatformTarget& target);

// Sources of the values with which a component is installed.
struct ComponentInput {
  const Value* profile = nullptr;  // values of the configuration, by name
  const Value* cluster = nullptr;  // values that the customer sets, by name
  const Value* outputs = nullptr;  // outputs of other components, by key and name
};
// Writes the members fields, requirements, componentBindings and violations into an open object.
void write_resolution(Writer& out, const Value& component, const ComponentInput& input);

// Removes the values that the components' template marks as sensitive.
Value without_secrets(const Value& chosen, const Value* values);

}  // namespace orlop
