// A helm service installs a chart, from a git repository or from a helm repository.
#include "families/shapes/git_repository.h"
#include "families/shapes/healthcheck.h"
#include "families/shapes/service.h"

namespace orlop::families {
namespace {

using namespace shapes;

constexpr std::string_view port_protocols[] = {"HTTP", "GRPC"};
constexpr std::string_view port_types[] = {"SERVICE_NAME", "SERVICE_SELECTORS"};

constexpr Field selector_fields[] = {
    text("key", "The label's key.").required(),
    text("value", "The label's value.").required(),
};
constexpr Shape selector{.name = "KubernetesSelector", .fields = selector_fields};

constexpr Field port_fields[] = {
    uuid("id", "Its id.").read_only(),
    enumeration("port_type", port_types, "How it finds what listens on it.").read_only(),
    text("name", "Its name, different from that of every other port of the service.").at_least(1).at_most(255),
    integer("internal_port", "The port that is listened on inside the cluster, 1 to 65535.")
        .required()
        .at_least(1)
        .at_most(port_max),
    integer("external_port", "The port that is reached from outside, 1 to 65535.").at_least(1).at_most(port_max),
    text("namespace", "The namespace of what listens on it."),
    enumeration("protocol", port_protocols, "What is spoken on it.").defaults_to("HTTP"),
    boolean("is_default", "Whether the service's address leads to it; one port at most."),
    text("service_name", "The name of what listens on it; excludes service_selectors.").at_least(1),
    list_of("service_selectors", selector, "The labels of what listens on it; excludes service_name.").at_least(1).at_most(100),
};
constexpr Shape port{.name = "HelmPort", .fields = port_fields};

// The two forms of a source: as a request names it, and as the answer shows it. Both are accepted.
constexpr Field chart_request_fields[] = {
    reference("repository", "helm_repository", "The repository that holds the chart.").required(),
    text("chart_name", "The chart's name.").required().at_least(1),
    text("chart_version", "The chart's version.").required().at_least(1),
};
constexpr Shape chart_request{.name = "HelmSourceRepositoryRequest", .fields = chart_request_fields};

constexpr Field repository_details_fields[] = {
    reference("id", "helm_repository", "Its id.").required(),
    text("name", "Its name.").read_only(),
    text("url", "Its address.").read_only(),
};
constexpr Shape repository_details{.name = "HelmSourceRepositoryDetails", .fields = repository_details_fields};

constexpr Field chart_fields[] = {
    text("chart_name", "The chart's name.").required().at_least(1),
    text("chart_version", "The chart's version.").required().at_least(1),
    object("repository", repository_details, "The repository that holds the chart.").required(),
};
constexpr Shape chart{.name = "HelmSourceRepositoryResponse", .fields = chart_fields};

constexpr Field git_fields[] = {
    object("git_repository", guessed_git_repository, "The repository that holds the chart.").required(),
};
constexpr Shape git{.name = "HelmSourceGitResponse", .fields = git_fields};

constexpr Field source_fields[] = {
    object("git_repository", guessed_git_repository, "A chart in a git repository, as a request names it.")
        .nullable()
        .input_only(),
    object("helm_repository", chart_request, "A chart of a helm repository, as a request names it.").nullable().input_only(),
    object("git", git, "A chart in a git repository, as the answer shows it.").nullable(),
    object("repository", chart, "A chart of a helm repository, as the answer shows it.").nullable(),
};
constexpr Shape source{.name = "HelmSource", .fields = source_fields, .exactly_one = true};

constexpr Field file_git_fields[] = {
    object("git_repository", git_repository, "The repository that holds the files.").required(),
    list_of("paths", FieldKind::text, "The files' paths, in the order in which they count.").at_most(100).required(),
};
constexpr Shape file_git{.name = "HelmValuesGit", .fields = file_git_fields};

constexpr Field file_fields[] = {
    text("name", "The file's name.").required().at_least(1),
    text("content", "What is in it.").required(),
};
constexpr Shape file{.name = "HelmValuesFile", .fields = file_fields};

constexpr Field file_raw_fields[] = {
    list_of("values", file, "The files, in the order in which they count.").at_most(100).required(),
};
constexpr Shape file_raw{.name = "HelmValuesRaw", .fields = file_raw_fields};

constexpr Field override_file_fields[] = {
    object("git", file_git, "Files of a git repository.").nullable(),
    object("raw", file_raw, "Files that are given here.").nullable(),
};
constexpr Shape override_file{.name = "HelmValuesOverrideFile", .fields = override_file_fields};

constexpr Field override_fields[] = {
    list_of("set", FieldKind::list, "Pairs of a key and a value.").at_most(1000),
    list_of("set_string", FieldKind::list, "Pairs of a key and a value that stays a text.").at_most(1000),
    list_of("set_json", FieldKind::list, "Pairs of a key and a value that is JSON.").at_most(1000),
    object("file", override_file, "Files of values.").nullable(),
};
constexpr Shape values_override{.name = "HelmValuesOverride", .fields = override_fields};

constexpr Field fields[] = {
    service_environment,
    text("name", "Its name, different from that of every other helm service of the environment.").required().unique_name(),
    service_description,
    integer("timeout_sec", "Seconds after which an installation has failed, at least 0.").at_least(0).defaults_to(600),
    boolean("auto_preview", "Whether a pull request of its repository clones its environment.").nullable(),
    boolean("auto_deploy", "Whether a new version of its chart deploys it.").required(),
    list_of("ports", port, "The ports it opens.").at_most(200).defaults_to_empty(),
    object("source", source, "Where its chart lies: in exactly one place.").required(),
    list_of("arguments", FieldKind::text, "The arguments of the installation.").at_most(1000).required(),
    boolean("allow_cluster_wide_resources", "Whether the chart may make resources outside its namespace.").defaults_to(false),
    object("values_override", values_override, "Values that take the place of the chart's own.").required(),
    service_icon,
    service_type,
    uuid("blueprint_id", "The blueprint it was made from; null for none.").nullable(),
};


void check_ports(const Value& record, Violations& violations) {
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

void check_override(const Value& given, Violations& violations) {
  for (const std::string_view list : {"set", "set_string", "set_json"}) {
    const Value::List& items = items_of(given, list);
    for (std::size_t index = 0; index < items.size(); ++index) {
      if (is_pair(items[index])) continue;
      refuse(violations, member_path("values_override", item_path(list, index)),
             "must be a list of two texts, a key and a value");
    }
  }
  const Value* repository = given.find_path({"file", "git", "git_repository"});
  if (repository != nullptr) check_git_repository(*repository, "values_override.file.git.git_repository", violations);
}

void check(const Value& record, ValidationContext&, Violations& violations) {
  check_ports(record, violations);
  if (const Value* given = record.find("values_override")) check_override(*given, violations);
  if (const Value* repository = record.find_path({"source", "git_repository"});
      repository != nullptr && repository->is_object()) {
    check_git_repository(*repository, "source.git_repository", violations);
  }
  if (const Value* repository = record.find_path({"source", "git", "git_repository"})) {
    check_git_repository(*repository, "source.git.git_repository", violations);
  }
}

// From the request's form to the answer's.
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
    complete_git_repository(*repository, before(context, {"values_override", "file", "git", "git_repository"}), context);
  }
}

void complete(Value& record, ValidationContext& context) {
  complete_service(record, "HELM", "helm", context);
  complete_flags(record, {"auto_preview"});
  if (Value* ports = record.find("ports")) {
    for (Value& item : ports->items()) {
      item.set("port_type", Value(item.has("service_name") ? "SERVICE_NAME" : "SERVICE_SELECTORS"));
    }
    complete_ids(*ports, before(context, {"ports"}), {"internal_port", "service_name", "service_selectors", "name"}, context);
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

extern const Family helm;
constexpr Family helm = {
    .number = 14,
    .name = "helm",
    .schema = "Helm",
    .segment = "helm",
    .id_name = "helmId",
    .service_kind = "HELM",
    .about = "A helm service installs a chart, from a git repository or from a helm repository.",
    .parent = "environment",
    .fields = fields,
    .machine = MachineKind::service,
    .sample = R"({"name": "queue", "auto_deploy": false, "arguments": [], "values_override": {},
      "source": {"helm_repository": {"repository": "{helm_repository}", "chart_name": "rabbitmq", "chart_version": "15.0.0"}}})",
    .check = check,
    .complete = complete,
    .plan_flags = plan_flags,
};

}  // namespace orlop::families
