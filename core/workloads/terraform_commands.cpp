#include "workloads/terraform_commands.h"

#include <string>
#include <string_view>
#include <utility>

#include "workloads/planned_image.h"

namespace orlop {
namespace {

Value command_of(std::initializer_list<std::string_view> words, const Value* more) {
  Value command = Value::list();
  for (const std::string_view one : words) command.append(Value(one));
  if (more != nullptr) {
    for (const Value& argument : more->items()) command.append(argument);
  }
  return command;
}

// Environment of the commands: the variables of the service, then those of Terraform.
Value environment_of_terraform(const Workload& workload) {
  Value environment = Value::object();
  const Value& configuration = workload.configuration;
  if (const Value* const variables = configuration.find("variables"); variables != nullptr) {
    for (const Value& variable : variables->items()) {
      if (!variable.has("mount_path"))
        environment.set(variable.text_or("key", ""), Value(variable.text_or("value", "")));
    }
  }
  const Value* const given = configuration.find_path({"terraform_variables_source", "tf_vars"});
  if (given != nullptr) {
    for (const Value& variable : given->items())
      environment.set("TF_VAR_" + std::string(variable.text_or("key", "")), Value(variable.text_or("value", "")));
  }
  environment.set("TF_IN_AUTOMATION", Value("1"));
  environment.set("TF_INPUT", Value("0"));
  return environment;
}

Value variable_files(const Workload& workload) {
  Value arguments = Value::list();
  const Value* const paths = workload.configuration.find_path({"terraform_variables_source", "tf_var_file_paths"});
  if (paths == nullptr) return arguments;
  for (const Value& path : paths->items()) arguments.append(Value("-var-file=" + path.as_text()));
  return arguments;
}

Value actions_of(const Workload& workload) {
  const Value files = variable_files(workload);
  const auto extra = [&](std::string_view name, bool has_files) {
    Value all = has_files ? files : Value::list();
    const Value* const more = workload.configuration.find_path({"action_extra_arguments", name});
    if (more != nullptr) {
      for (const Value& argument : more->items()) all.append(argument);
    }
    return all;
  };
  const Value init_more = extra("init", false);
  const Value apply_more = extra("apply", true);
  const Value plan_more = extra("plan", true);
  const Value destroy_more = extra("destroy", true);
  const Value init = command_of({"init", "-input=false", "-no-color"}, &init_more);
  const Value validate = command_of({"validate", "-no-color"}, nullptr);
  const Value output = command_of({"output", "-json", "-no-color"}, nullptr);
  return Value(Value::Object{
      {"apply",
       Value(Value::List{init, validate,
                         command_of({"apply", "-auto-approve", "-input=false", "-no-color"}, &apply_more), output})},
      {"plan", Value(Value::List{init, validate, command_of({"plan", "-input=false", "-no-color"}, &plan_more)})},
      {"destroy",
       Value(Value::List{init, command_of({"destroy", "-auto-approve", "-input=false", "-no-color"}, &destroy_more)})},
      {"migrate_state",
       Value(Value::List{command_of({"init", "-migrate-state", "-force-copy", "-no-color"}, nullptr)})},
  });
}

}  // namespace

Result<Value> terraform_commands(const Workload& workload) {
  const Value& configuration = workload.configuration;
  const Value* const repository = configuration.find_path({"terraform_files_source", "git", "git_repository"});
  Value source = git_source_of(workload, repository);
  if (source.is_null())
    return invalid("terraform_files_source of \"" + std::string(configuration.text_or("name", "")) +
                   "\" must have a git repository");
  const Value* const version = configuration.find_path({"provider_version", "explicit_version"});
  constexpr std::int64_t timeout_default = 3600;
  const bool is_open = configuration.text_or("engine", "") == "OPEN_TOFU";
  return Value(Value::Object{{"program", Value(is_open ? "tofu" : "terraform")},
                             {"version", version == nullptr ? Value() : *version},
                             {"source", std::move(source)},
                             {"environment", environment_of_terraform(workload)},
                             {"actions", actions_of(workload)},
                             {"timeout_seconds", Value(configuration.integer_or("timeout_sec", timeout_default))}});
}

}  // namespace orlop
