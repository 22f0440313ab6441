// A helm service installs a chart, from a git repository or from a helm repository.
#include "families/shapes/services/git_repository.h"
#include "families/shapes/services/healthcheck.h"
#include "families/shapes/services/service.h"
#include "families/shapes/services/service_port.h"
#include "resolution/value_macros.h"

namespace orlop::families::helm {
namespace {

using namespace shapes;

constexpr std::string_view helm_port_protocols[] = {"HTTP", "GRPC"};
constexpr std::string_view port_types[] = {"SERVICE_NAME", "SERVICE_SELECTORS"};

constexpr Field selector_fields[] = {
    text("key", "Key of the Kubernetes label.").required(),
    text("value", "Value of the Kubernetes label.").required(),
};
constexpr Shape selector{.name = "KubernetesSelector", .fields = selector_fields};

constexpr Field helm_port_fields[] = {
    uuid("id", "ID of the port, assigned by the engine.").read_only().always_present(),
    enumeration("port_type", port_types,
                "Selection of the target: by the name of a Kubernetes service or by label selectors.")
        .read_only()
        .always_present(),
    text("name",
         "Name of the port, unique within the service, 1 to 255 bytes. Default: `p` and the internal port, as in "
         "`p8080`.")
        .at_least(1)
        .at_most(255)
        .empty_is_absent()
        .always_present(),
    integer("internal_port", "Port of the Kubernetes service, 1 to 65535.").required().at_least(1).at_most(port_max),
    integer("external_port",
            "Port under which the service is reached from outside the cluster, 1 to 65535. Absent: chosen by the "
            "platform.")
        .at_least(1)
        .at_most(port_max),
    text("namespace", "Kubernetes namespace of the target. Absent: the namespace of the environment."),
    enumeration("protocol", helm_port_protocols, "Application protocol of the port. Default: `HTTP`.")
        .defaults_to("HTTP"),
    boolean("is_default",
            "Route the default domain of the service to this port. At most one port of a service. Default: false.")
        .defaults_to(false),
    text("service_name",
         "Name of the Kubernetes service that receives the traffic. Exactly one of `service_name` and "
         "`service_selectors` is "
         "required.")
        .at_least(1),
    list_of("service_selectors", selector,
            "Labels of the Kubernetes service that receives the traffic, 1 to 100. Exactly one of `service_name` and "
            "`service_selectors` is required.")
        .at_least(1)
        .at_most(100),
};
constexpr Shape helm_port{.name = "HelmPort", .fields = helm_port_fields};

// The two forms of a source: in requests and in responses. Both are accepted.
constexpr Field chart_request_fields[] = {
    reference("repository", "helm_repository", "ID of the Helm repository that contains the chart.").required(),
    text("chart_name", "Name of the chart in the Helm repository, as in `ingress-nginx`.").required().at_least(1),
    text("chart_version", "Version of the chart, as in `4.11.2`.").required().at_least(1),
};
constexpr Shape chart_request{.name = "HelmSourceRepositoryRequest", .fields = chart_request_fields};

constexpr Field repository_details_fields[] = {
    reference("id", "helm_repository", "ID of the Helm repository.").required(),
    text("name", "Name of the Helm repository when the service was last written.").read_only().always_present(),
    text("url", "URL of the Helm repository when the service was last written.").read_only().always_present(),
};
constexpr Shape repository_details{.name = "HelmSourceRepositoryDetails", .fields = repository_details_fields};

constexpr Field chart_fields[] = {
    text("chart_name", "Name of the chart in the Helm repository, as in `ingress-nginx`.").required().at_least(1),
    text("chart_version", "Version of the chart, as in `4.11.2`.").required().at_least(1),
    object("repository", repository_details, "Helm repository that contains the chart.").required(),
};
constexpr Shape chart{.name = "HelmSourceRepositoryResponse", .fields = chart_fields};

constexpr Field git_fields[] = {
    object("git_repository", guessed_git_repository,
           "Git repository that contains the chart; `root_path` is the folder of the chart.")
        .required(),
};
constexpr Shape git{.name = "HelmSourceGitResponse", .fields = git_fields};

constexpr Field source_fields[] = {
    object("git_repository", guessed_git_repository,
           "Chart in a git repository, in the form of requests. The response shows it as `git`.")
        .nullable()
        .input_only(),
    object("helm_repository", chart_request,
           "Chart in a Helm repository, in the form of requests. The response shows it as `repository`.")
        .nullable()
        .input_only(),
    object("git", git, "Chart in a git repository, in the form of responses. Requests may use it too.").nullable(),
    object("repository", chart, "Chart in a Helm repository, in the form of responses. Requests may use it too.")
        .nullable(),
};
constexpr Shape source{.name = "HelmSource", .fields = source_fields, .exactly_one = true};

constexpr Field file_git_fields[] = {
    object("git_repository", git_repository, "Git repository that contains the values files.").required(),
    list_of(
        "paths", FieldKind::text,
        "Paths of the values files, relative to the repository's root path, at most 100. Later files override earlier "
        "ones.")
        .at_most(100)
        .required(),
};
constexpr Shape file_git{.name = "HelmValuesGit", .fields = file_git_fields};

constexpr Field file_fields[] = {
    text("name", "Name of the values file.").required().at_least(1),
    text("content", "Content of the values file, as YAML.").required(),
};
constexpr Shape file{.name = "HelmValuesFile", .fields = file_fields};

constexpr Field file_raw_fields[] = {
    list_of("values", file, "Values files, at most 100. Later files override earlier ones.").at_most(100).required(),
};
constexpr Shape file_raw{.name = "HelmValuesRaw", .fields = file_raw_fields};

constexpr Field override_file_fields[] = {
    object("git", file_git, "Values files in a git repository. Null: none.").nullable(),
    object("raw", file_raw, "Values files given in the request. Null: none.").nullable(),
};
constexpr Shape override_file{.name = "HelmValuesOverrideFile", .fields = override_file_fields};

constexpr Field override_fields[] = {
    list_of("set", FieldKind::list, "Arguments of `helm --set`, each a list of key and value, at most 1000.")
        .at_most(1000),
    list_of("set_string", FieldKind::list,
            "Arguments of `helm --set-string`, each a list of key and value, at most 1000.")
        .at_most(1000),
    list_of("set_json", FieldKind::list,
            "Arguments of `helm --set-json`, each a list of key and a value in JSON, at most 1000.")
        .at_most(1000),
    object("file", override_file, "Values files that override the values of the chart. Null: none.").nullable(),
};
constexpr Shape values_override{.name = "HelmValuesOverride", .fields = override_fields};

constexpr Field fields[] = {
    service_environment,
    text("name",
         "Name of the Helm service, unique among the Helm services of the environment without regard to "
         "case.")
        .required()
        .unique_name(),
    service_description,
    integer("timeout_sec", "Time after which an installation or upgrade fails, in seconds, at least 0. Default: 600.")
        .at_least(0)
        .defaults_to(600),
    boolean("auto_preview",
            "Create a preview environment for each pull request of the repository. Null or absent: false.")
        .nullable()
        .always_present(),
    boolean("auto_deploy", "Deploy automatically when a new commit or chart version is available.").required(),
    list_of("ports", helm_port,
            "Ports of the release that are exposed on the public internet, at most 200. Default: "
            "none.")
        .at_most(200)
        .defaults_to_empty(),
    object("source", source, "Source of the chart. Exactly one of its members is given.").required(),
    list_of("arguments", FieldKind::text,
            "Additional arguments of `helm upgrade --install`, as in `--atomic`. At most 1000.")
        .at_most(1000)
        .required(),
    boolean("allow_cluster_wide_resources",
            "Allow the chart to create resources outside the namespace of the environment, such as custom resource "
            "definitions. "
            "Default: false.")
        .defaults_to(false),
    object("values_override", values_override, "Values that override those of the chart.").required(),
    service_icon,
    service_type,
    service_addresses,
    uuid("blueprint_id", "ID of the blueprint from which the service was created. Null: none.").nullable(),
};

void check_helm_ports(const Value& record, Violations& violations) {
  check_distinct(record, "ports", "name", violations);
  const Value::List& items = items_of(record, "ports");
  bool has_default = false;
  for (std::size_t index = 0; index < items.size(); ++index) {
    if (items[index].has("service_name") == items[index].has("service_selectors")) {
      refuse(violations, item_path("ports", index), "must have either a service_name or service_selectors");
    }
    if (!items[index].boolean_or("is_default", false)) continue;
    if (has_default) refuse(violations, item_path("ports", index, "is_default"), "must be true for one port only");
    has_default = true;
  }
}

bool is_pair(const Value& value) {
  return value.is_list() && value.items().size() == 2 && value.items()[0].is_text() && value.items()[1].is_text();
}

// Variables may replace any part of the value.
void check_json(const Value& pair, std::size_t index, ValidationContext& context, Violations& violations) {
  const std::string_view text = pair.items()[1].as_text();
  if (context.is_json(text) || context.is_json(without_variables(text, context.brand()))) return;
  refuse(violations, member_path("values_override", item_path("set_json", index)),
         "must have a value in JSON, not " + quoted(text));
}

void check_override(const Value& given, ValidationContext& context, Violations& violations) {
  for (const std::string_view list : {"set", "set_string", "set_json"}) {
    const Value::List& items = items_of(given, list);
    for (std::size_t index = 0; index < items.size(); ++index) {
      if (!is_pair(items[index])) {
        refuse(violations, member_path("values_override", item_path(list, index)),
               "must be a list of two texts, a key and a value");
      } else if (list == "set_json") {
        check_json(items[index], index, context, violations);
      }
    }
  }
  const Value* repository = given.find_path({"file", "git", "git_repository"});
  if (repository != nullptr) check_git_repository(*repository, "values_override.file.git.git_repository", violations);
}

void check(const Value& record, ValidationContext& context, Violations& violations) {
  check_helm_ports(record, violations);
  if (const Value* given = record.find("values_override")) check_override(*given, context, violations);
  if (const Value* repository = record.find_path({"source", "git_repository"});
      repository != nullptr && repository->is_object()) {
    check_git_repository(*repository, "source.git_repository", violations);
  }
  if (const Value* repository = record.find_path({"source", "git", "git_repository"})) {
    check_git_repository(*repository, "source.git.git_repository", violations);
  }
}

// Converts the request's form to the response's.
void complete_source(Value& source, ValidationContext& context) {
  drop_nulls(source, {"git_repository", "helm_repository", "git", "repository"});
  if (const Value* given = source.find("git_repository")) {
    Value git = Value::object();
    git.set("git_repository", *given);
    source.set("git", std::move(git));
    source.erase("git_repository");
  }
  if (const Value* given = source.find("helm_repository")) {
    Value chart = Value::object();
    keep_from(chart, given, {"chart_name", "chart_version"});
    Value details = Value::object();
    details.set("id", Value(given->text_or("repository", "")));
    chart.set("repository", std::move(details));
    source.set("repository", std::move(chart));
    source.erase("helm_repository");
  }
  if (Value* git = source.find("git")) {
    if (Value* repository = git->find("git_repository")) {
      complete_git_repository(*repository, before(context, {"source", "git", "git_repository"}), context);
    }
  }
  if (Value* chart = source.find("repository")) {
    Value* details = chart->find("repository");
    const auto id = details == nullptr ? std::nullopt : id_of(*details, "id");
    const Value* repository = id ? context.find("helm_repository", *id) : nullptr;
    if (repository == nullptr) return;
    details->set("name", Value(repository->text_or("name", "")));
    details->set("url", Value(repository->text_or("url", "")));
  }
}

void complete_override(Value& given, ValidationContext& context) {
  drop_nulls(given, {"file"});
  Value* file = given.find("file");
  if (file == nullptr) return;
  drop_nulls(*file, {"git", "raw"});
  Value* git = file->find("git");
  Value* repository = git == nullptr ? nullptr : git->find("git_repository");
  if (repository != nullptr) {
    complete_git_repository(*repository, before(context, {"values_override", "file", "git", "git_repository"}),
                            context);
  }
}

void complete(Value& record, ValidationContext& context) {
  complete_service(record, "HELM", "helm", context);
  complete_flags(record, {"auto_preview"});
  if (Value* ports = record.find("ports")) {
    complete_port_names(*ports);
    for (Value& item : ports->items()) {
      item.set("port_type", Value(item.has("service_name") ? "SERVICE_NAME" : "SERVICE_SELECTORS"));
    }
    complete_ids(*ports, before(context, {"ports"}), {"internal_port", "service_name", "service_selectors", "name"},
                 context);
  }
  if (Value* held = record.find("source")) complete_source(*held, context);
  if (Value* held = record.find("values_override")) complete_override(*held, context);
}

std::uint32_t plan_flags(const Value& record) {
  const bool has_git = record.find_path({"source", "git"}) != nullptr;
  const auto always = static_cast<std::uint32_t>(PlanFlag::stoppable);
  return has_git ? always | PlanFlag::has_git : always;
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 14,
    .name = "helm",
    .schema = "Helm",
    .segment = "helm",
    .id_name = "helmId",
    .service_kind = "HELM",
    .about =
        "A Helm service is a service that installs a Helm chart from a git repository or a Helm repository. Edits take "
        "effect "
        "with the next deployment.",
    .parent = "environment",
    .fields = fields,
    .machine = MachineKind::service,
    .sample = R"({"name": "queue", "auto_deploy": false, "arguments": [], "values_override": {},
      "source": {"helm_repository": {"repository": "{helm_repository}", "chart_name": "rabbitmq", "chart_version":)"
              R"( "15.0.0"}}})",
    .check = check,
    .complete = complete,
    .plan_flags = plan_flags,
};

}  // namespace orlop::families::helm
