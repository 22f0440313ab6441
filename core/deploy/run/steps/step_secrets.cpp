#include "deploy/run/steps/step_secrets.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "deploy/driver/secret_values.h"
#include "external_systems/ask.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::string_view access_name = "secret_manager_access_id";

// Returns the names of the secrets by secret manager access.
std::map<std::string, Value> names_by_access(const Value& variables) {
  std::map<std::string, Value> names;
  for (const Value& variable : variables.items()) {
    const std::string_view access = variable.text_or(access_name, "");
    if (access.empty()) continue;
    Value& list = names.try_emplace(std::string(access), Value::list()).first->second;
    const Value name(variable.text_or("value", ""));
    if (std::ranges::find(list.items(), name) == list.items().end()) list.append(name);
  }
  return names;
}

Result<Value> ask_values(const Step& step, const std::string& access, const Value& names, ExternalSystems& systems) {
  const Value input(Value::Object{{"organization_id", Value(to_text(step.organization))},
                                  {"service_id", Value(to_text(step.subject))},
                                  {"secret_manager_access_id", Value(access)},
                                  {"names", names}});
  auto values = ask(&systems, Question::resolve_secrets, input);
  if (!values)
    return make_error(ErrorCode::try_later, "the secrets of the secret manager access " + access +
                                                " cannot be read: " + std::string(values.error().message));
  return values;
}

}  // namespace

bool has_external_secrets(const Step& step, const ExternalSystems* systems) {
  return systems != nullptr && step.configuration.find(access_name) != std::string::npos &&
         systems->answers(facts_of(Question::resolve_secrets).name);
}

Result<void> resolve_secrets(Step& step, ExternalSystems& systems) {
  ORLOP_TRY(configuration, parse_stored(step.configuration));
  Value* variables = configuration.find("variables");
  if (variables == nullptr || !variables->is_list()) return {};
  SecretValues secrets(std::move(step.secrets));
  std::map<std::string, Value> values;
  for (const auto& [access, names] : names_by_access(*variables)) {
    ORLOP_TRY(answer, ask_values(step, access, names, systems));
    values.emplace(access, std::move(answer));
  }
  for (Value& variable : variables->items()) {
    const auto known = values.find(std::string(variable.text_or(access_name, "")));
    if (known == values.end()) continue;
    const std::string name(variable.text_or("value", ""));
    const Value* value = known->second.find(name);
    if (value == nullptr || !value->is_text())
      return make_error(ErrorCode::external_failed,
                        "the secret manager access " + known->first + " has no secret \"" + name + "\"");
    variable.set("value", *value);
    variable.set("is_secret", Value(true));
    secrets.add(value->as_text());
  }
  step.configuration = to_json(configuration);
  step.secrets = std::move(secrets).take();
  return {};
}

Result<void> start_with_secrets(Driver& driver, const Step& step, ExternalSystems* systems, ReportMasks& masks) {
  masks.set(step.id, step.secrets);
  if (!has_external_secrets(step, systems)) return driver.start(step);
  Step resolved = step;
  ORLOP_CHECK(resolve_secrets(resolved, *systems));
  masks.set(step.id, resolved.secrets);
  return driver.start(resolved);
}

}  // namespace orlop
