// A terraform service applies terraform files, so that their resources live as long as its environment.
#include <algorithm>

#include "families/shapes/services/git_repository.h"
#include "families/shapes/services/service.h"

namespace orlop::families::terraform {
namespace {

using namespace shapes;

constexpr std::string_view actions[] = {"DEFAULT", "PLAN", "NOOP"};
constexpr std::string_view engines[] = {"TERRAFORM", "OPEN_TOFU"};
constexpr std::string_view fragment_types[] = {"file", "inline"};

constexpr Field auto_deploy_fields[] = {
    boolean("auto_deploy", "Deploy automatically when a new commit is available.").required(),
    enumeration(
        "terraform_action", actions,
        "Terraform command of automatic deployments: apply (`DEFAULT`), plan only (`PLAN`), or nothing (`NOOP`).")
        .required(),
};
constexpr Shape auto_deploy_config{.name = "TerraformAutoDeployConfig", .fields = auto_deploy_fields};

// The two forms of a source: in requests and in responses. Both are accepted.
constexpr Field git_fields[] = {
    object("git_repository", guessed_git_repository, "Git repository that contains the Terraform files.").required(),
};
constexpr Shape git{.name = "TerraformFilesSourceGit", .fields = git_fields};

constexpr Field source_fields[] = {
    object("git_repository", guessed_git_repository,
           "Git repository that contains the Terraform files, in the form of requests. The response shows it as `git`.")
        .nullable()
        .input_only(),
    object("git", git,
           "Git repository that contains the Terraform files, in the form of responses. Requests may use it too.")
        .nullable(),
};
constexpr Shape files_source{.name = "TerraformFilesSource", .fields = source_fields, .exactly_one = true};

constexpr Field variable_fields[] = {
    text("key", "Name of the Terraform variable.").required().at_least(1),
    text("value",
         "Value of the Terraform variable. Null in responses for a secret one. An edit that omits the value of a "
         "secret variable "
         "keeps the stored one.")
        .nullable(),
    boolean("secret", "Store the value encrypted and never return it. Default: false.").defaults_to(false),
};
constexpr Shape variable{.name = "TerraformVarKeyValue", .fields = variable_fields};

constexpr Field variables_fields[] = {
    list_of("tf_var_file_paths", FieldKind::text,
            "Paths of `.tfvars` files in the repository, at most 100. Later files override earlier ones.")
        .required()
        .at_most(100),
    list_of("tf_vars", variable, "Terraform variables given in the request, at most 1000; each key once.")
        .at_most(1000)
        .required(),
    // The engine stores the values of secret variables here, apart from the list in responses.
    open_object("secret_values", "Values of the secret variables, by name of the variable. Never returned.").secret(),
};
constexpr Shape variables_source{.name = "TerraformVariablesSource", .fields = variables_fields};

constexpr Field blueprint_backend_fields[] = {
    text("type", "Type of the Terraform backend, as in `s3`.").required().at_least(1),
    open_object("config", "Configuration of the Terraform backend, as a map of name to text."),
};
constexpr Shape blueprint_backend{.name = "TerraformBackendBlueprint", .fields = blueprint_backend_fields};

constexpr Field backend_fields[] = {
    open_object("kubernetes", "Store the Terraform state in a Kubernetes Secret of the cluster.").nullable(),
    open_object("user_provided", "Store the Terraform state in the backend that the Terraform files configure.")
        .nullable(),
    object("blueprint", blueprint_backend, "Store the Terraform state in the backend that a blueprint configures.")
        .nullable(),
};
constexpr Shape backend{.name = "TerraformBackend", .fields = backend_fields, .exactly_one = true};

constexpr Field version_fields[] = {
    boolean("read_from_terraform_block",
            "Use the `required_version` of the `terraform` block in the files. Default: false."),
    text("explicit_version", "Version of Terraform or OpenTofu, as in `1.9.8`.").required(),
};
constexpr Shape provider_version{.name = "TerraformProviderVersion", .fields = version_fields};

constexpr Field resources_fields[] = {
    integer("cpu_milli", "CPU request of a run in millicores, 1 to 128000.").required().at_least(1).at_most(cpu_max),
    integer("ram_mib", "Memory request of a run in MiB, 1 to 524288.").required().at_least(1).at_most(memory_max),
    integer("gpu", "Number of GPUs of a run, 0 to 16. Default: 0.").at_least(0).at_most(gpu_max).defaults_to(0),
    integer("storage_gib",
            "Size of the working volume of a run in GiB, at least 1. That of a deployed service can only grow.")
        .required()
        .at_least(1),
};
constexpr Shape job_resources{.name = "TerraformJobResources", .fields = resources_fields};

constexpr Field file_fragment_fields[] = {
    text("path", "Path of the Dockerfile fragment in the repository.").required().at_least(1)};
constexpr Field inline_fragment_fields[] = {
    text("content", "Dockerfile instructions, as in a Dockerfile: one instruction per line.").required()};
constexpr Variant fragment_variants[] = {
    {.enum_value = "file", .fields = file_fragment_fields},
    {.enum_value = "inline", .fields = inline_fragment_fields},
};
constexpr Field fragment_fields[] = {
    enumeration("type", fragment_types,
                "Location of the Dockerfile fragment: a file of the repository, or inline in the request.")
        .required()};
constexpr Shape dockerfile_fragment{
    .name = "DockerfileFragment", .fields = fragment_fields, .discriminator = "type", .variants = fragment_variants};

constexpr Field fields[] = {
    service_environment,
    text("name",
         "Name of the Terraform service, unique among the Terraform services of the environment without regard to "
         "case.")
        .required()
        .unique_name(),
    service_description.defaults_to(""),
    boolean("auto_deploy", "True if a new commit is deployed automatically, as `auto_deploy_config` sets it.")
        .read_only()
        .always_present(),
    object("auto_deploy_config", auto_deploy_config, "Automatic deployment of new commits.").required(),
    object("terraform_files_source", files_source,
           "Source of the Terraform files. Exactly one of its members is given.")
        .required(),
    object("terraform_variables_source", variables_source, "Source of the values of Terraform variables.").required(),
    object("backend", backend, "Backend that stores the Terraform state. Exactly one of its members is given.")
        .required(),
    enumeration("engine", engines, "Tool that applies the files: Terraform or OpenTofu.").required(),
    object("provider_version", provider_version, "Version of the tool that applies the files.").required(),
    integer("timeout_sec", "Time after which a run fails, in seconds, at least 0. Default: 600.")
        .at_least(0)
        .defaults_to(600),
    object("job_resources", job_resources, "Resources of the container in which Terraform runs.").required(),
    boolean("use_cluster_credentials",
            "Run Terraform with the cloud provider credentials of the cluster. Default: false.")
        .defaults_to(false),
    open_object(
        "action_extra_arguments",
        "Additional command-line arguments, as a map of Terraform command to a list of texts, as in `{\"apply\": "
        "[\"-parallelism=2\"]}`. Default: none.")
        .defaults_to_empty(),
    object("dockerfile_fragment", dockerfile_fragment,
           "Instructions that are appended to the Dockerfile of the image in which Terraform runs. Null: none.")
        .nullable(),
    uuid("blueprint_id", "ID of the blueprint from which the service was created. Null: none.").nullable(),
    service_icon,
    service_type,
    service_addresses,
};

// Returns the value that a secret variable keeps if a request omits it; null if there is none.
const Value* kept_value(const Value& source, const ValidationContext& context, std::string_view key) {
  const Value* values = source.find("secret_values");
  if (values == nullptr) values = before(context, {"terraform_variables_source", "secret_values"});
  return values == nullptr ? nullptr : values->find(key);
}

void check_variables(const Value& source, const ValidationContext& context, Violations& violations) {
  check_distinct(source, "tf_vars", "key", violations, "terraform_variables_source");
  const Value::List& items = items_of(source, "tf_vars");
  for (std::size_t index = 0; index < items.size(); ++index) {
    if (items[index].has("value")) continue;
    if (items[index].boolean_or("secret", false) &&
        kept_value(source, context, items[index].text_or("key", "")) != nullptr)
      continue;
    refuse(violations, member_path("terraform_variables_source", item_path("tf_vars", index, "value")),
           "must be given");
  }
}

void check(const Value& record, ValidationContext& context, Violations& violations) {
  check_growth(record, {"job_resources", "storage_gib"}, context, violations);
  if (const Value* source = record.find("terraform_variables_source")) check_variables(*source, context, violations);
  for (const std::string_view form : {"git_repository", "git"}) {
    const Value* held = record.find_path({"terraform_files_source", form});
    if (held != nullptr && form == "git") held = held->find("git_repository");
    if (held == nullptr || !held->is_object()) continue;
    check_git_repository(
        *held, form == "git" ? "terraform_files_source.git.git_repository" : "terraform_files_source.git_repository",
        violations);
  }
  const Value* arguments = record.find("action_extra_arguments");
  if (arguments == nullptr || !arguments->is_object()) return;
  for (const Member& action : arguments->members()) {
    const bool is_texts =
        action.value.is_list() && std::all_of(action.value.items().begin(), action.value.items().end(),
                                              [](const Value& item) { return item.is_text(); });
    if (!is_texts) refuse(violations, member_path("action_extra_arguments", action.name), "must be a list of texts");
  }
}

void complete_variables(Value& source, const ValidationContext& context) {
  Value* variables = source.find("tf_vars");
  if (variables == nullptr) return;
  Value values = Value::object();
  for (Value& item : variables->items()) {
    if (!item.boolean_or("secret", false)) continue;
    const std::string key(item.text_or("key", ""));
    const Value* value = item.has("value") ? item.find("value") : kept_value(source, context, key);
    if (value != nullptr) values.set(key, *value);
    item.set("value", Value());
  }
  if (values.members().empty()) {
    source.erase("secret_values");
  } else {
    source.set("secret_values", std::move(values));
  }
}

void complete_files(Value& source, ValidationContext& context) {
  drop_nulls(source, {"git_repository", "git"});
  if (const Value* given = source.find("git_repository")) {
    Value git = Value::object();
    git.set("git_repository", *given);
    source.set("git", std::move(git));
    source.erase("git_repository");
  }
  Value* git = source.find("git");
  Value* repository = git == nullptr ? nullptr : git->find("git_repository");
  if (repository != nullptr) {
    complete_git_repository(*repository, before(context, {"terraform_files_source", "git", "git_repository"}), context);
  }
}

void complete(Value& record, ValidationContext& context) {
  complete_service(record, "TERRAFORM", "terraform", context);
  const Value* config = record.find("auto_deploy_config");
  record.set("auto_deploy", Value(config != nullptr && config->boolean_or("auto_deploy", false)));
  if (Value* held = record.find("backend")) drop_nulls(*held, {"kubernetes", "user_provided", "blueprint"});
  if (Value* held = record.find("terraform_files_source")) complete_files(*held, context);
  if (Value* held = record.find("terraform_variables_source")) complete_variables(*held, context);
}

std::uint32_t plan_flags(const Value&) { return PlanFlag::uninterruptible | PlanFlag::has_git; }

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 15,
    .name = "terraform",
    .schema = "Terraform",
    .segment = "terraform",
    .id_name = "terraformId",
    .service_kind = "TERRAFORM",
    .about =
        "A Terraform service is a service that applies Terraform files with its environment and destroys their "
        "resources when it "
        "is deleted.",
    .parent = "environment",
    .fields = fields,
    .machine = MachineKind::service,
    .sample = R"({"name": "bucket", "description": "",
      "auto_deploy_config": {"auto_deploy": false, "terraform_action": "DEFAULT"},
      "terraform_files_source": {"git_repository": {"url": "https://github.com/acme/infrastructure.git", "branch":)"
              R"( "main"}},
      "terraform_variables_source": {"tf_var_file_paths": [], "tf_vars": []},
      "backend": {"kubernetes": {}}, "engine": "TERRAFORM", "provider_version": {"explicit_version": "1.9.8"},
      "job_resources": {"cpu_milli": 500, "ram_mib": 512, "storage_gib": 1}})",
    .check = check,
    .complete = complete,
    .plan_flags = plan_flags,
};

}  // namespace orlop::families::terraform
