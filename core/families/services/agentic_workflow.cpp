// An agentic workflow: a task of an agent that starts when its webhook is called. It is configuration only; the engine
// deploys nothing for it.
#include "base/brand.h"
#include "families/shapes/rule_functions.h"
#include "model/family.h"

namespace orlop::families::agentic_workflow {
namespace {

using namespace shapes;

constexpr std::string_view service_types[] = {"APPLICATION", "DATABASE",  "CONTAINER",  "JOB",
                                              "HELM",        "TERRAFORM", "ARGOCD_APP", "AGENTIC_WORKFLOW"};
constexpr std::string_view model_types[] = {"CLAUDE", "BEDROCK"};

constexpr Field header_fields[] = {text("name", "Name of the header.").required().at_least(1).at_most(255),
                                   text("value", "Value of the header.").required()};
constexpr Shape header{.name = "AgenticWorkflowHeader", .fields = header_fields};
constexpr Field output_fields[] = {
    text("name", "Name of the output.").required().at_least(1).at_most(255),
    text("url", "URL to which the output is sent. Null: it is not sent.").nullable(),
    list_of("headers", header, "HTTP headers of the request, at most 64.").at_most(64),
    text("instructions", "Instructions for the agent about the output. Default: empty.").defaults_to(""),
};
constexpr Shape output{.name = "AgenticWorkflowOutput", .fields = output_fields};
constexpr Field model_fields[] = {
    enumeration("type", model_types, "Provider of the model.").required(),
    text("api_key", "Key of the provider's API. Never returned; an edit that omits it keeps the stored key.").secret(),
    text("settings", "Settings of the model, as the provider defines them. Default: empty.").defaults_to(""),
};
constexpr Shape model{.name = "AgenticWorkflowModel", .fields = model_fields};
constexpr Field repository_fields[] = {
    text("url", "URL of the git repository.").required().at_least(1),
    text("branch", "Branch of the repository.").required().at_least(1),
    reference("git_token_id", "git_token",
              "ID of the git token that gives access to the repository. Null: public repository.")
        .nullable(),
};
constexpr Shape repository{.name = "AgenticWorkflowProjectRepository", .fields = repository_fields};
constexpr Field governance_fields[] = {
    list_of("host_allowlist", FieldKind::text, "Hosts that the agent may reach, at most 1000.")
        .required()
        .at_most(1000)};
constexpr Shape governance{.name = "AgenticWorkflowGovernance", .fields = governance_fields};
constexpr Field resource_fields[] = {
    integer("cpu_milli", "CPU in thousandths of a core, at least 1. Default: 1000.").at_least(1).defaults_to(1000),
    integer("ram_mib", "Memory in MiB, at least 1. Default: 1024.").at_least(1).defaults_to(1024),
    integer("gpu", "Number of GPUs. Default: 0.").at_least(0).defaults_to(0),
    integer("storage_gib", "Size of the disk in GiB. Default: 0.").at_least(0).defaults_to(0),
};
constexpr Shape resources{.name = "AgenticWorkflowResources", .fields = resource_fields};
constexpr Field webhook_fields[] = {text("url", "URL that starts the workflow.").required()};
constexpr Shape webhook{.name = "AgenticWorkflowWebhook", .fields = webhook_fields};

constexpr Field fields[] = {
    enumeration("service_type", service_types, "Kind of the service. Always `AGENTIC_WORKFLOW`.")
        .read_only()
        .always_present(),
    parent_object("environment", "Environment of the workflow."),
    text("name", "Name of the workflow, unique among the workflows of the environment without regard to case.")
        .required()
        .unique_name(),
    text("slug", "The name in lower case, with a hyphen for each character that is not a letter or digit.")
        .read_only()
        .always_present(),
    text("description", "Free text that describes the workflow. Default: empty.").defaults_to(""),
    list_of("webhook_ip_allowlist", FieldKind::text,
            "IP addresses and ranges from which the webhook may be called, at most 1000. Empty: all.")
        .at_most(1000)
        .defaults_to_empty(),
    text("docker_fragment", "Instructions that are added to the Dockerfile of the agent. Default: empty.")
        .defaults_to(""),
    boolean("enabled", "Accept calls of the webhook. Default: true.").defaults_to(true),
    text("mcp", "Configuration of MCP servers in addition to `mcp_server_ids`. Default: empty.").defaults_to(""),
    list_of("mcp_server_ids", FieldKind::id,
            "IDs of the MCP servers of the organization that the agent can use, at most 100.")
        .at_most(100)
        .defaults_to_empty(),
    list_of("outputs", output, "Outputs of the workflow, at most 100.").at_most(100).defaults_to_empty(),
    object("model", model, "Model that the agent uses. Default: `CLAUDE`.").always_present(),
    list_of("project_repositories", repository, "Git repositories that the agent works on, at most 100.")
        .at_most(100)
        .defaults_to_empty(),
    text("agent_prompt", "Task of the agent. Default: empty.").defaults_to(""),
    object("governance", governance, "Hosts that the agent may reach. Default: no host.").always_present(),
    object("resources", resources, "Resources of the agent.").always_present(),
    object("webhook", webhook, "Webhook that starts the workflow.").read_only().always_present(),
    text("icon_uri", "URL of the icon.").read_only(),
};

std::string slug_of(std::string_view name) {
  std::string slug;
  for (const char letter : name) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
    slug += is_plain ? letter : letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : '-';
  }
  return slug;
}

void complete(Value& record, ValidationContext& context) {
  record.set("service_type", Value("AGENTIC_WORKFLOW"));
  record.set("icon_uri", Value(branded(branded_names::icon, context.brand()) + "agentic-workflow"));
  record.set("slug", Value(slug_of(record.text_or("name", ""))));
  if (!record.has("model"))
    record.set("model", Value(Value::Object{{"type", Value("CLAUDE")}, {"settings", Value("")}}));
  if (!record.has("governance")) record.set("governance", Value(Value::Object{{"host_allowlist", Value::list()}}));
  if (!record.has("resources")) {
    record.set("resources", Value(Value::Object{{"cpu_milli", Value(std::int64_t{1000})},
                                                {"ram_mib", Value(std::int64_t{1024})},
                                                {"gpu", Value(std::int64_t{0})},
                                                {"storage_gib", Value(std::int64_t{0})}}));
  }
  const std::string domain = branded(branded_names::external_domain, context.brand());
  record.set("webhook",
             Value(Value::Object{{"url", Value("https://" + to_text(context.self()) + domain + "/webhook")}}));
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 89,
    .name = "agentic_workflow",
    .schema = "AgenticWorkflow",
    .segment = "agenticWorkflow",
    .id_name = "agenticWorkflowId",
    .about =
        "An agentic workflow is a task of an agent that a webhook starts. The engine keeps its configuration and "
        "deploys nothing: what runs agents reads it.",
    .parent = "environment",
    .fields = fields,
    .sample = R"({"name": "triage", "model": {"type": "CLAUDE", "api_key": "secret"}, "agent_prompt": "Sort new )"
              R"(issues.", "mcp_server_ids": ["{mcp_server}"]})",
    .complete = complete,
};

}  // namespace orlop::families::agentic_workflow
