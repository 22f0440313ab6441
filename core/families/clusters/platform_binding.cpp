// The platform template of a cluster, and the values of its components.
#include "base/family_number.h"
#include "families/shapes/rule_functions.h"
#include "model/family.h"

namespace orlop::families::platform_binding {
namespace {

using namespace shapes;

// The template decides which values of a component are secret, so all of them are stored as secrets.
constexpr Field fields[] = {
    text("templateKey", "Key of the platform template.").required().at_least(1).at_most(255),
    text("templateVersion", "Version of the template.").required().at_least(1).at_most(255),
    open_object("layerSelections",
                "Layers that are installed (true) or left out (false), by key; at most 1000. Others are as the "
                "template has them.")
        .defaults_to_empty(),
    open_object("managedConfig", "Values of the components, by key of the component.").secret(),
    open_object("customerProvidedInputs", "Values that the customer gives for the cluster, by key of the component.")
        .secret(),
};

constexpr std::size_t entries_max = 1000;

void check_flags(const Value& record, Violations& violations) {
  const Value* selections = record.find("layerSelections");
  if (selections == nullptr || !selections->is_object()) return;
  if (selections->members().size() > entries_max)
    refuse(violations, "layerSelections",
           "must have at most 1000 members, not " + std::to_string(selections->members().size()));
  for (const Member& layer : selections->members()) {
    if (layer.value.type() != Value::Type::boolean)
      refuse(violations, member_path("layerSelections", layer.name.view()), "must be true or false");
  }
}

void check_values(const Value& record, std::string_view name, bool are_texts, Violations& violations) {
  const Value* components = record.find(name);
  if (components == nullptr || !components->is_object()) return;
  if (components->members().size() > entries_max)
    refuse(violations, name, "must have at most 1000 members, not " + std::to_string(components->members().size()));
  for (const Member& component : components->members()) {
    const std::string path = member_path(name, component.name.view());
    if (!component.value.is_object()) {
      refuse(violations, path, "must be an object");
      continue;
    }
    for (const Member& value : component.value.members()) {
      const bool is_scalar =
          value.value.is_text() || (!are_texts && !value.value.is_object() && !value.value.is_list());
      if (!is_scalar)
        refuse(violations, path + "." + std::string(value.name.view()),
               are_texts ? "must be a text" : "must be a text, a number or a boolean");
    }
  }
}

void check(const Value& record, ValidationContext&, Violations& violations) {
  check_flags(record, violations);
  check_values(record, "managedConfig", false, violations);
  check_values(record, "customerProvidedInputs", true, violations);
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = platform_binding_number,
    .name = "platform_binding",
    .schema = "PlatformBindingRecord",
    .about = "The binding of a cluster to a platform template.",
    .parent = "cluster",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .is_internal = true,
    .propagates = Propagation::parent,
    .sample = R"({"templateKey": "kubernetes", "templateVersion": "1.0.0", "layerSelections": {"metrics": true}, )"
              R"("managedConfig": {"prometheus": {"retention": "15d"}}})",
    .check = check,
};

}  // namespace orlop::families::platform_binding
