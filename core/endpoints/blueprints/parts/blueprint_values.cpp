#include "endpoints/blueprints/parts/blueprint_values.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "endpoints/services/parts/resource_and_machine.h"

namespace orlop {
namespace {

const Value::List& variables_of(const Value& found) {
  static const Value::List none;
  const Value* list = found.find("variables");
  return list != nullptr && list->is_list() ? list->items() : none;
}

// Finds a variable of the user by name; null if none.
const Value* find_variable(const Value& found, std::string_view name) {
  for (const Value& variable : variables_of(found)) {
    if (variable.text_or("kind", "") == "variable" && variable.text_or("name", "") == name) return &variable;
  }
  return nullptr;
}

const Value* given_value(const BlueprintValues& values, std::string_view name) {
  const Value* plain = values.plain.find(name);
  return plain == nullptr ? values.secret.find(name) : plain;
}

std::optional<std::string> type_fault(const Value& type, std::string_view value) {
  const std::string_view kind = type.text_or("type", "");
  if (kind == "bool" && value != "true" && value != "false") return "must be true or false";
  if (kind == "string") {
    const auto size = static_cast<std::int64_t>(value.size());
    if (type.has("min_length") && size < type.integer_or("min_length", 0))
      return "must have at least " + std::to_string(type.integer_or("min_length", 0)) + " bytes";
    if (type.has("max_length") && size > type.integer_or("max_length", 0))
      return "must have at most " + std::to_string(type.integer_or("max_length", 0)) + " bytes";
  }
  if (kind != "number") return std::nullopt;
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size()) return "must be a number";
  if (type.has("min") && number < static_cast<double>(type.integer_or("min", 0)))
    return "must be at least " + std::to_string(type.integer_or("min", 0));
  if (type.has("max") && number > static_cast<double>(type.integer_or("max", 0)))
    return "must be at most " + std::to_string(type.integer_or("max", 0));
  return std::nullopt;
}

Result<void> check_value(const Value& variable, std::string_view value, const std::string& path) {
  static const Value no_type = Value::object();
  const Value* type = variable.find("type");
  if (const auto fault = type_fault(type == nullptr ? no_type : *type, value)) return invalid_field(path, *fault);
  const Value* allowed = variable.find("allowed_values");
  if (allowed == nullptr || !allowed->is_list() || allowed->items().empty()) return {};
  if (std::ranges::any_of(allowed->items(), [value](const Value& each) { return each.as_text() == value; })) return {};
  return invalid_field(path, "must be one of the values that the blueprint allows");
}

Result<std::int64_t> count_in(const Value& engine, const Value& overrides, std::string_view name) {
  const std::string text(overrides.text_or(name, engine.text_or(name, "")));
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc() && end == text.data() + text.size() && count > 0) return count;
  return invalid_field("spec_overrides." + std::string(name),
                       "must be a whole number greater than 0, not \"" + text + "\"");
}

Value repository_of(const Value& found) {
  return Value(Value::Object{{"url", *found.find("repository_url")},
                             {"branch", Value(found.text_or("branch", "main"))},
                             {"root_path", Value(found.text_or("root_path", "/"))}});
}

Result<Value> terraform_request(const Value& found, const BlueprintSettings& settings) {
  const Value& engine = *found.find("engine");
  ORLOP_TRY(cpu, count_in(engine, settings.overrides, "cpu"));
  ORLOP_TRY(ram, count_in(engine, settings.overrides, "ram"));
  ORLOP_TRY(storage, count_in(engine, settings.overrides, "storage"));
  Value variables = Value::list();
  for (const auto& [values, is_secret] :
       {std::pair(&settings.values.plain, false), std::pair(&settings.values.secret, true)}) {
    for (const Member& value : values->members()) {
      variables.append(Value(
          Value::Object{{"key", Value(value.name.view())}, {"value", value.value}, {"secret", Value(is_secret)}}));
    }
  }
  Value request = Value::object();
  request.set("description", Value(""));
  request.set("auto_deploy_config",
              Value(Value::Object{{"auto_deploy", Value(false)}, {"terraform_action", Value("DEFAULT")}}));
  request.set("terraform_files_source", Value(Value::Object{{"git_repository", repository_of(found)}}));
  request.set("terraform_variables_source",
              Value(Value::Object{{"tf_var_file_paths", Value::list()}, {"tf_vars", std::move(variables)}}));
  const bool is_own_backend = settings.overrides.text_or("backend", "") == "user_provided";
  request.set("backend", is_own_backend ? Value(Value::Object{{"user_provided", Value::object()}})
                                        : Value(Value::Object{{"kubernetes", Value::object()}}));
  request.set("engine", Value(engine.text_or("type", "") == "opentofu" ? "OPEN_TOFU" : "TERRAFORM"));
  request.set("provider_version",
              Value(Value::Object{{"explicit_version", Value(settings.overrides.text_or(
                                                           "engine_version", engine.text_or("version", "")))}}));
  request.set(
      "job_resources",
      Value(Value::Object{{"cpu_milli", Value(cpu)}, {"ram_mib", Value(ram)}, {"storage_gib", Value(storage)}}));
  request.set("use_cluster_credentials", Value(settings.overrides.text_or("credentials", "cluster") == "cluster"));
  return request;
}

Result<Value> helm_request(const Value& found, const BlueprintSettings& settings) {
  if (!settings.values.secret.members().empty()) {
    return invalid_field("variables",
                         "must hold no secret for a blueprint that is deployed with Helm, whose values are shown; " +
                             std::string(settings.values.secret.members().front().name.view()) + " is one");
  }
  Value pairs = Value::list();
  for (const Member& value : settings.values.plain.members()) {
    Value pair = Value::list();
    pair.append(Value(value.name.view()));
    pair.append(value.value);
    pairs.append(std::move(pair));
  }
  Value request = Value::object();
  request.set("auto_deploy", Value(false));
  request.set("arguments", Value::list());
  request.set("source", Value(Value::Object{{"git_repository", repository_of(found)}}));
  request.set("values_override", Value(Value::Object{{"set_string", std::move(pairs)}}));
  return request;
}

// ---- Updates

Value field_of(const Value& variable) {
  Value field(Value::Object{{"name", Value(variable.text_or("name", ""))},
                            {"type", *variable.find("type")},
                            {"is_secret", Value(variable.boolean_or("is_secret", false))}});
  if (variable.has("allowed_values")) field.set("allowed_values", *variable.find("allowed_values"));
  return field;
}

Value member_or_null(const Value& object, std::string_view name) {
  const Value* found = object.find(name);
  return found == nullptr ? Value() : *found;
}

Value updated_field(const Value& before, const Value& after, const BlueprintValues& values) {
  Value field = field_of(after);
  field.set("current_default_value", member_or_null(before, "default_value"));
  field.set("new_default_value", member_or_null(after, "default_value"));
  field.set("current_value", member_or_null(values.plain, after.text_or("name", "")));
  return field;
}

Value engine_changes(const Value& current, const Value& latest, const Value& overrides) {
  Value changes = Value::list();
  const Value* before = current.find("engine");
  const Value* after = latest.find("engine");
  constexpr std::pair<const char*, const char*> settings[] = {
      {"version", "engine_version"}, {"timeout", "timeout"}, {"cpu", "cpu"}, {"ram", "ram"}, {"storage", "storage"}};
  for (const auto& [name, override] : settings) {
    const Value old_value = before == nullptr ? Value() : member_or_null(*before, name);
    const Value new_value = after == nullptr ? Value() : member_or_null(*after, name);
    if (old_value == new_value) continue;
    const auto as_text = [](const Value& value) {
      return value.type() == Value::Type::integer ? Value(std::to_string(value.as_integer())) : value;
    };
    changes.append(Value(Value::Object{{"name", Value(override)},
                                       {"current_default_value", as_text(old_value)},
                                       {"new_default_value", as_text(new_value)},
                                       {"current_value", as_text(member_or_null(overrides, override))}}));
  }
  return changes;
}

struct Differences {
  Value new_required = Value::list();
  Value new_optional = Value::list();
  Value now_required = Value::list();
  Value updated = Value::list();
  Value removed = Value::list();
};

void compare(const Value& variable, const Value* before, const BlueprintValues& values, Differences& into) {
  const bool needs_value = variable.boolean_or("required", false) && !variable.has("default_value");
  if (before == nullptr && needs_value) {
    into.new_required.append(field_of(variable));
  } else if (before == nullptr) {
    Value field = field_of(variable);
    field.set("default_value", member_or_null(variable, "default_value"));
    into.new_optional.append(std::move(field));
  } else if (needs_value && !before->boolean_or("required", false) &&
             given_value(values, variable.text_or("name", "")) == nullptr) {
    into.now_required.append(field_of(variable));
  } else if (!(*before == variable)) {
    into.updated.append(updated_field(*before, variable, values));
  }
}

}  // namespace

std::string_view service_type_of(const Value& found) {
  const Value* type = found.find_path({"engine", "type"});
  return type != nullptr && type->as_text() == "helm" ? "HELM" : "TERRAFORM";
}

Result<void> check_values(const Value& found, const BlueprintValues& values, std::string_view path) {
  for (const Value* group : {&values.plain, &values.secret}) {
    for (const Member& value : group->members()) {
      const std::string place = std::string(path) + "." + std::string(value.name.view());
      const Value* variable = find_variable(found, value.name.view());
      if (variable == nullptr) return invalid_field(place, "must be the name of a variable of the blueprint");
      ORLOP_CHECK(check_value(*variable, value.value.as_text(), place));
    }
  }
  for (const Value& variable : variables_of(found)) {
    const bool is_needed = variable.text_or("kind", "") == "variable" && variable.boolean_or("required", false) &&
                           !variable.has("default_value");
    const std::string_view name = variable.text_or("name", "");
    if (is_needed && given_value(values, name) == nullptr)
      return invalid_field(std::string(path) + "." + std::string(name), "must be given: the blueprint requires it");
  }
  return {};
}

Result<Value> service_request(const Value& found, const BlueprintSettings& settings, const Id& blueprint) {
  ORLOP_TRY(request,
            service_type_of(found) == "HELM" ? helm_request(found, settings) : terraform_request(found, settings));
  const Value* engine = found.find("engine");
  request.set("name", Value(settings.name));
  request.set("icon_uri", Value(settings.icon));
  request.set("timeout_sec", Value(settings.overrides.integer_or("timeout", engine->integer_or("timeout", 600))));
  request.set("blueprint_id", Value(to_text(blueprint)));
  return request;
}

Value without_secrets(Value service) {
  Value* source = service.find("terraform_variables_source");
  Value* variables = source == nullptr ? nullptr : source->find("tf_vars");
  if (variables == nullptr) return service;
  for (Value& variable : variables->items()) {
    if (variable.boolean_or("secret", false)) variable.set("value", Value());
  }
  return service;
}

Value describe_update(const Value& current, std::string_view current_tag, const Value& latest,
                      std::string_view latest_tag, const BlueprintSettings& settings) {
  Differences differences;
  for (const Value& variable : variables_of(latest)) {
    if (variable.text_or("kind", "") == "variable")
      compare(variable, find_variable(current, variable.text_or("name", "")), settings.values, differences);
  }
  for (const Value& variable : variables_of(current)) {
    const std::string_view name = variable.text_or("name", "");
    const bool is_gone = variable.text_or("kind", "") == "variable" && find_variable(latest, name) == nullptr;
    if (is_gone) differences.removed.append(Value(Value::Object{{"name", Value(name)}}));
  }
  const Value* versions = latest.find("new_major_versions");
  Value update = Value::object();
  update.set("is_up_to_date", Value(current_tag == latest_tag));
  update.set("current_tag", Value(current_tag));
  update.set("latest_tag", Value(latest_tag));
  update.set("new_required_values", std::move(differences.new_required));
  update.set("new_optional_values", std::move(differences.new_optional));
  update.set("now_required_values", std::move(differences.now_required));
  update.set("updated_values", std::move(differences.updated));
  update.set("removed_values", std::move(differences.removed));
  update.set("engine_diff",
             Value(Value::Object{{"updated_values", engine_changes(current, latest, settings.overrides)}}));
  update.set("new_major_versions", versions == nullptr || versions->is_null() ? Value::list() : *versions);
  return update;
}

}  // namespace orlop
