#include "endpoints/blueprints/parts/blueprint_record.h"

#include <string>
#include <utility>

#include "endpoints/services/parts/resource_and_machine.h"
#include "model/registry.h"
#include "unit/unit.h"

namespace orlop {
namespace {

constexpr std::size_t values_max = 1000;

Value object_in(const Value& stored, std::string_view name) {
  const Value* found = stored.find(name);
  return found != nullptr && found->is_object() ? *found : Value::object();
}

// Reads the values of a create, which are a list.
Result<BlueprintValues> listed_values(const Value& list) {
  BlueprintValues values;
  for (const Value& variable : list.items()) {
    const std::string_view name = variable.text_or("name", "");
    if (values.plain.has(name) || values.secret.has(name))
      return invalid_field("variables", "must name each variable once; " + std::string(name) + " is named twice");
    (variable.boolean_or("is_secret", false) ? values.secret : values.plain).set(name, *variable.find("value"));
  }
  return values;
}

// Applies the changed values of an update.
Result<void> change_values(const Value& changes, BlueprintValues& values) {
  if (changes.members().size() > values_max)
    return invalid_field("variables",
                         "must have at most 1000 members, not " + std::to_string(changes.members().size()));
  for (const Member& change : changes.members()) {
    values.plain.erase(change.name.view());
    values.secret.erase(change.name.view());
    if (change.value.is_null()) continue;
    const Value* value = change.value.find("value");
    const Value* flag = change.value.find("is_secret");
    const bool is_flag = flag == nullptr || flag->is_null() || flag->type() == Value::Type::boolean;
    if (value == nullptr || !value->is_text() || !is_flag) {
      return invalid_field("variables." + std::string(change.name.view()),
                           "must be null, or an object with the text value and the boolean is_secret");
    }
    (change.value.boolean_or("is_secret", false) ? values.secret : values.plain).set(change.name.view(), *value);
  }
  return {};
}

}  // namespace

const Family& blueprint_service_family(const Value& found) {
  static const Family& helm = *find_family("helm");
  static const Family& terraform = *find_family("terraform");
  return service_type_of(found) == "HELM" ? helm : terraform;
}

Value blueprint_input(const Id& organization, const Id& environment, std::string_view tag) {
  return Value(Value::Object{{"organization_id", Value(to_text(organization))},
                             {"environment_id", Value(to_text(environment))},
                             {"tag", Value(tag)}});
}

BlueprintSettings stored_settings(const Value& stored) {
  const Value* overrides = stored.find("spec_overrides");
  return {std::string(stored.text_or("name", "")),
          std::string(stored.text_or("icon", "")),
          {object_in(stored, "values"), object_in(stored, "secret_values")},
          overrides == nullptr ? Value() : *overrides};
}

Result<BlueprintSettings> settings_of(const Value& body, const Value* stored) {
  BlueprintSettings settings = stored == nullptr ? BlueprintSettings{} : stored_settings(*stored);
  settings.name = body.text_or("name", "");
  settings.icon = body.text_or("icon", "");
  if (body.has("spec_overrides")) settings.overrides = *body.find("spec_overrides");
  const Value* variables = body.find("variables");
  if (variables == nullptr || variables->is_null()) return settings;
  if (stored != nullptr) {
    ORLOP_CHECK(change_values(*variables, settings.values));
    return settings;
  }
  ORLOP_TRY(listed, listed_values(*variables));
  settings.values = std::move(listed);
  return settings;
}

Value blueprint_body(const Value& found, std::string_view tag, const BlueprintSettings& settings, const Id& service) {
  Value body = Value::object();
  body.set("name", Value(settings.name));
  body.set("tag", Value(tag));
  body.set("icon", Value(settings.icon));
  body.set("catalog_url", Value(found.text_or("catalog_url", "")));
  body.set("service_id", Value(to_text(service)));
  body.set("service_type", Value(service_type_of(found)));
  body.set("values", settings.values.plain);
  body.set("secret_values", settings.values.secret);
  body.set("spec_overrides", settings.overrides);
  body.set("manifest",
           Value(Value::Object{{"variables", *found.find("variables")}, {"engine", *found.find("engine")}}));
  return body;
}

Result<Record> blueprint_service(Unit& unit, const Record& blueprint) {
  ORLOP_TRY(body, unit.value_of(blueprint));
  const auto id = parse_id(body->text_or("service_id", ""));
  ORLOP_TRY(service, id ? unit.record(*id) : Result<Shared<Record>>(Shared<Record>()));
  if (service) return *service;
  return make_error(ErrorCode::conflict, "the service of the blueprint " + to_text(blueprint.id) +
                                             " was deleted; create the blueprint anew");
}

}  // namespace orlop
