// An environment holds services and the stages in which they are deployed, and runs on one cluster.
#include "families/shapes/context_keys.h"
#include "families/shapes/rule_functions.h"
#include "families/shapes/shared_enumerations.h"
#include "model/family.h"

namespace orlop::families::environment {
namespace {

using namespace shapes;

constexpr Field cloud_provider_fields[] = {
    enumeration("provider", cloud_vendors, "Cloud provider of the cluster."),
    uuid("cluster", "ID of the cluster."),
};
constexpr Shape cloud_provider{.name = "EnvironmentCloudProvider", .fields = cloud_provider_fields};

constexpr std::string_view failure_policies[] = {"NONE", "ROLLBACK"};

// A caller that may create environments of some kind has `operate` on the project.
constexpr VerbNeed needs[] = {{Verb::create, Level::operate}};

constexpr Field fields[] = {
    text("name", "Name of the environment, unique within the project without regard to case.")
        .required()
        .unique_name()
        .preserved(),
    enumeration("mode", environment_modes,
                "Mode of the environment. `PREVIEW` is set by the engine on preview environments and is refused in "
                "requests. Default: "
                "`DEVELOPMENT`.")
        .defaults_to("DEVELOPMENT")
        .preserved(),
    reference(
        "cluster", "cluster",
        "ID of the cluster on which the environment runs. Default: the default cluster of the organization. Cannot be "
        "changed.")
        .input_only(),
    reference("cluster_id", "cluster",
              "ID of the cluster on which the environment runs, as in `cluster`. Cannot be changed.")
        .immutable()
        .always_present(),
    copied(text("cluster_name", "Name of the cluster."), "cluster_id", "name"),
    object("cloud_provider", cloud_provider, "Cloud provider and cluster on which the environment runs.")
        .read_only()
        .always_present(),
    enumeration(
        "on_failure", failure_policies,
        "Action after a deployment that has failed. `ROLLBACK`: each service that the deployment has changed is "
        "deployed with the release that it had before, unless another request waits. Absent: `NONE`.")
        .preserved(),
    organization_object("Organization that owns the environment."),
    parent_object("project", "Project that contains the environment."),
};

std::optional<Id> cluster_of(const Value& record, ValidationContext& context) {
  if (const auto id = id_of(record, "cluster")) return id;
  if (const auto id = id_of(record, "cluster_id")) return id;
  return context.previous() == nullptr ? parse_id(context.value(context_keys::default_cluster).as_text())
                                       : std::nullopt;
}

void check(const Value& record, ValidationContext& context, Violations& violations) {
  const Value* previous = context.previous();
  if (record.text_or("mode", "") == "PREVIEW" && (previous == nullptr || previous->text_or("mode", "") != "PREVIEW")) {
    refuse(violations, "mode", "must be DEVELOPMENT, PRODUCTION or STAGING, not \"PREVIEW\"");
  }
  const auto given = id_of(record, "cluster");
  const auto same = id_of(record, "cluster_id");
  if (given && same && given != same) {
    refuse(violations, "cluster",
           std::string(previous == nullptr ? "must be the same as cluster_id" : "cannot be changed") + ", not " +
               quoted(record.text_or("cluster", "")));
  }
  if (!cluster_of(record, context)) {
    refuse(violations, "cluster", "must be given: the organization has no cluster that could be the default");
  }
}

void complete(Value& record, ValidationContext& context) {
  const auto id = cluster_of(record, context);
  record.erase("cluster");
  if (!id) return;
  record.set("cluster_id", Value(to_text(*id)));
  constexpr std::string_view read[] = {"cloud_provider"};
  const Value cluster = context.members_of("cluster", *id, read);
  if (cluster.is_null()) return;
  Value where = Value::object();
  where.set("provider", Value(cluster.text_or("cloud_provider", "")));
  where.set("cluster", Value(to_text(*id)));
  record.set("cloud_provider", std::move(where));
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 3,
    .name = "environment",
    .schema = "Environment",
    .segment = "environment",
    .id_name = "environmentId",
    .about =
        "An environment is a set of services that run together in one namespace of a cluster and are deployed stage by "
        "stage.",
    .parent = "project",
    .fields = fields,
    .machine = MachineKind::environment,
    .is_counted = true,
    .needs = needs,
    .sample = R"({"name": "production", "cluster": "{cluster}", "mode": "PRODUCTION"})",
    .check = check,
    .complete = complete,
};

}  // namespace orlop::families::environment
