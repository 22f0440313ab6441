#include "endpoints/clusters/parts/platform_resolver.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "base/brand.h"

namespace orlop {
namespace {

const Value::List& items_of(const Value& object, std::string_view name) {
  static const Value::List none;
  const Value* list = object.find(name);
  return list != nullptr && list->is_list() ? list->items() : none;
}

bool holds(const Value::List& texts, std::string_view text) {
  return std::ranges::any_of(texts, [text](const Value& each) { return each.as_text() == text; });
}

const Value* member_of(const Value* object, std::string_view name) {
  return object == nullptr ? nullptr : object->find(name);
}

bool is_selected(const Value& layer, const Value* selections) {
  const Value* chosen = member_of(selections, layer.text_or("key", ""));
  return chosen == nullptr ? layer.boolean_or("enabledByDefault", false) : chosen->as_boolean();
}

// Reports whether the customer sets the field for the cluster, instead of the configuration.
bool is_cluster_input(const Value& field) { return field.text_or("scope", "") == "CLUSTER"; }

// Returns the value of a field in the input; null if absent.
const Value* value_of(const Value& component, const Value& field, const ComponentInput& input) {
  const std::string_view key = field.text_or("key", "");
  for (const Value& binding : items_of(component, "bindings")) {
    if (binding.text_or("input", "") != key) continue;
    return member_of(member_of(input.outputs, binding.text_or("fromComponent", "")), binding.text_or("output", ""));
  }
  return member_of(is_cluster_input(field) ? input.cluster : input.profile, key);
}

struct Fault {
  std::string_view code;
  std::string message;
};

std::optional<double> number_of(const Value& value) {
  if (value.type() == Value::Type::integer || value.type() == Value::Type::number) return value.as_number();
  if (!value.is_text()) return std::nullopt;
  double number = 0;
  const std::string& text = value.as_text();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(number)
                                                                                   : std::nullopt;
}

std::optional<Fault> number_fault(const Value& value, const Value& bounds) {
  const auto number = number_of(value);
  if (!number) return Fault{"INVALID_TYPE", "must be a number"};
  if (bounds.has("min") && *number < static_cast<double>(bounds.integer_or("min", 0)))
    return Fault{"TOO_SMALL", "must be at least " + std::to_string(bounds.integer_or("min", 0))};
  if (bounds.has("max") && *number > static_cast<double>(bounds.integer_or("max", 0)))
    return Fault{"TOO_LARGE", "must be at most " + std::to_string(bounds.integer_or("max", 0))};
  return std::nullopt;
}

std::optional<Fault> text_fault(const Value& value, const Value& bounds) {
  if (!value.is_text()) return Fault{"INVALID_TYPE", "must be a text"};
  const auto size = static_cast<std::int64_t>(value.as_text().size());
  if (bounds.has("minLength") && size < bounds.integer_or("minLength", 0))
    return Fault{"TOO_SHORT", "must have at least " + std::to_string(bounds.integer_or("minLength", 0)) + " bytes"};
  if (bounds.has("maxLength") && size > bounds.integer_or("maxLength", 0))
    return Fault{"TOO_LONG", "must have at most " + std::to_string(bounds.integer_or("maxLength", 0)) + " bytes"};
  const Value::List& allowed = items_of(bounds, "allowedValues");
  if (!allowed.empty() && !holds(allowed, value.as_text()))
    return Fault{"NOT_ALLOWED", "must be one of the allowed values"};
  return std::nullopt;
}

std::optional<Fault> fault_of(const Value& field, const Value& value) {
  static const Value none = Value::object();
  const Value* bounds = field.find("constraints");
  const std::string_view type = field.text_or("type", "");
  if (type == "number") return number_fault(value, bounds == nullptr ? none : *bounds);
  if (type == "string") return text_fault(value, bounds == nullptr ? none : *bounds);
  const bool is_flag = value.type() == Value::Type::boolean ||
                       (value.is_text() && (value.as_text() == "true" || value.as_text() == "false"));
  return is_flag ? std::nullopt : std::optional(Fault{"INVALID_TYPE", "must be true or false"});
}

void write_schema(Writer& out, const Value& field) {
  for (const Member& member : field.members()) {
    if (member.name.view() != "scope") out.field(member.name.view(), member.value);
  }
}

std::string path_of(const Value& field) {
  return (is_cluster_input(field) ? "clusterInputs." : "profileConfig.") + std::string(field.text_or("key", ""));
}

void write_violation(Writer& out, std::string_view code, std::string_view path, std::string_view message) {
  out.begin_object().field("code", code).field("fieldPath", path).field("message", message).end_object();
}

void write_unknown(Writer& out, const Value& component, const Value* given, bool is_of_cluster, std::string_view name) {
  if (given == nullptr || !given->is_object()) return;
  const Value::List& fields = items_of(component, "fields");
  for (const Member& member : given->members()) {
    const bool is_known = std::ranges::any_of(fields, [&](const Value& field) {
      return field.text_or("key", "") == member.name.view() && is_cluster_input(field) == is_of_cluster;
    });
    if (!is_known)
      write_violation(out, "UNKNOWN_FIELD", std::string(name) + "." + std::string(member.name.view()),
                      "the component has no such value");
  }
}

void write_violations(Writer& out, const Value& component, const ComponentInput& input) {
  for (const Value& field : items_of(component, "fields")) {
    const Value* value = value_of(component, field, input);
    if (value == nullptr || value->is_null()) continue;
    if (const auto fault = fault_of(field, *value)) write_violation(out, fault->code, path_of(field), fault->message);
  }
  write_unknown(out, component, input.profile, false, "profileConfig");
  write_unknown(out, component, input.cluster, true, "clusterInputs");
}

}  // namespace

PlatformTarget platform_target(const Value& cluster, std::string_view brand) {
  return {cluster.text_or("kubernetes", "MANAGED") == "MANAGED" ? branded(branded_names::managed_mode, brand)
                                                                : "CUSTOMER_MANAGED",
          std::string(cluster.text_or("cloud_provider", ""))};
}

const Value* find_template(const Value& templates, std::string_view key, std::string_view version) {
  for (const Value& each : templates.items()) {
    if (each.text_or("key", "") == key && each.text_or("version", "") == version) return &each;
  }
  return nullptr;
}

const Value* find_component(const Value& chosen, std::string_view key) {
  for (const Value& layer : items_of(chosen, "layers")) {
    for (const Value& component : items_of(layer, "components")) {
      if (component.text_or("key", "") == key) return &component;
    }
  }
  return nullptr;
}

bool fits(const Value& layer, const PlatformTarget& target) {
  const bool fits_mode = target.mode.empty() || holds(items_of(layer, "modes"), target.mode);
  const bool has_any = layer.find("providers") == nullptr || layer.find("providers")->is_null();
  return fits_mode && (target.provider.empty() || has_any || holds(items_of(layer, "providers"), target.provider));
}

void write_layers(Writer& out, const Value& chosen, const Value* selections, const PlatformTarget& target) {
  out.begin_list();
  for (const Value& layer : items_of(chosen, "layers")) {
    const bool is_mandatory = layer.boolean_or("mandatory", false);
    const bool is_enabled = is_mandatory || is_selected(layer, selections);
    const bool is_for_it = fits(layer, target);
    out.begin_object()
        .field("key", layer.text_or("key", ""))
        .field("status", !is_for_it   ? "SKIPPED"
                         : is_enabled ? "ENABLED"
                                      : "DISABLED");
    out.field("reason", !is_for_it     ? "the layer is not for clusters of this mode and cloud provider"
                        : is_mandatory ? "the layer is mandatory"
                        : is_enabled   ? "the layer is selected"
                                       : "the layer is not selected");
    out.key("componentKeys").begin_list();
    for (const Value& component : items_of(layer, "components")) out.value(component.text_or("key", ""));
    out.end_list().end_object();
  }
  out.end_list();
}

void write_resolution(Writer& out, const Value& component, const ComponentInput& input) {
  out.key("fields").begin_list();
  for (const Value& field : items_of(component, "fields")) {
    out.begin_object();
    write_schema(out, field);
    out.end_object();
  }
  out.end_list().key("requirements").begin_list();
  for (const Value& field : items_of(component, "fields")) {
    if (!field.boolean_or("required", false)) continue;
    const Value* value = value_of(component, field, input);
    const bool is_ready = (value != nullptr && !value->is_null()) || field.has("defaultValue");
    out.begin_object();
    write_schema(out, field);
    out.field("scope", field.text_or("scope", "")).field("status", is_ready ? "READY" : "MISSING").end_object();
  }
  out.end_list().key("componentBindings").begin_list();
  for (const Value& binding : items_of(component, "bindings")) out.value(binding);
  out.end_list().key("violations").begin_list();
  write_violations(out, component, input);
  out.end_list();
}

Value without_secrets(const Value& chosen, const Value* values) {
  Value shown = Value::object();
  if (values == nullptr || !values->is_object()) return shown;
  for (const Member& component : values->members()) {
    const Value* described = find_component(chosen, component.name.view());
    Value kept = Value::object();
    for (const Member& value : component.value.members()) {
      const bool is_plain =
          described != nullptr && std::ranges::any_of(items_of(*described, "fields"), [&value](const Value& field) {
            return field.text_or("key", "") == value.name.view() && !field.boolean_or("sensitive", false);
          });
      if (is_plain) kept.set(value.name.view(), value.value);
    }
    shown.set(component.name.view(), std::move(kept));
  }
  return shown;
}

}  // namespace orlop
