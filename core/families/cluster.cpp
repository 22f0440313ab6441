// A cluster is the set of machines that environments run on.
#include <algorithm>
#include <array>

#include "base/brand.h"
#include "families/shapes/context_keys.h"
#include "families/shapes/cluster_feature.h"
#include "families/shapes/cluster_parameters.h"
#include "families/shapes/group.h"
#include "families/shapes/secret_manager_access.h"
#include "catalogs/cloud_catalog.h"
#include "catalogs/nearest.h"

namespace orlop::computations {
ComputeFunction cluster_status;
ComputeFunction cluster_freshness;
}

namespace orlop::families {
namespace {

using namespace shapes;

constexpr std::string_view kubernetes_modes[] = {"MANAGED", "SELF_MANAGED", "PARTIALLY_MANAGED"};
constexpr std::string_view credentials_providers[] = {"AWS", "SCW", "GCP", "ON_PREMISE", "AZURE"};
constexpr std::string_view freshness_values[] = {"NEVER_DEPLOYED", "OUT_OF_DATE", "UP_TO_DATE"};
constexpr std::string_view states[] = {
    "BUILDING",      "BUILD_ERROR",    "CANCELED",   "CANCELING", "DELETED",          "DELETE_ERROR",
    "DELETE_QUEUED", "DELETING",       "DEPLOYED",   "DEPLOYING", "DEPLOYMENT_ERROR", "DEPLOYMENT_QUEUED",
    "DRY_RUN",       "QUEUED",         "READY",      "STOPPED",   "STOPPING",         "STOP_ERROR",
    "STOP_QUEUED",   "RESTART_QUEUED", "RESTARTING", "RESTARTED", "RESTART_ERROR",    "INVALID_CREDENTIALS"};

constexpr auto named_credentials(std::string_view family) {
  return std::array{reference("id", family, "The credentials' id.").required(),
                    text("name", "The credentials' name.").read_only()};
}
constexpr auto chosen_credentials(const Shape& credentials) {
  return std::array{object("credentials", credentials, "The credentials.")};
}
constexpr auto aws_fields = named_credentials("aws_credentials");
constexpr Shape aws_reference{.name = "CredentialsReference", .fields = aws_fields};
constexpr auto aws_variant = chosen_credentials(aws_reference);
constexpr auto scaleway_fields = named_credentials("scaleway_credentials");
constexpr Shape scaleway_reference{.name = "CredentialsReference", .fields = scaleway_fields};
constexpr auto scaleway_variant = chosen_credentials(scaleway_reference);
constexpr auto gcp_fields = named_credentials("gcp_credentials");
constexpr Shape gcp_reference{.name = "CredentialsReference", .fields = gcp_fields};
constexpr auto gcp_variant = chosen_credentials(gcp_reference);
constexpr auto on_premise_fields = named_credentials("on_premise_credentials");
constexpr Shape on_premise_reference{.name = "CredentialsReference", .fields = on_premise_fields};
constexpr auto on_premise_variant = chosen_credentials(on_premise_reference);
constexpr auto azure_fields = named_credentials("azure_credentials");
constexpr Shape azure_reference{.name = "CredentialsReference", .fields = azure_fields};
constexpr auto azure_variant = chosen_credentials(azure_reference);

constexpr Variant credentials_variants[] = {
    {.enum_value = "AWS", .fields = aws_variant},     {.enum_value = "SCW", .fields = scaleway_variant},
    {.enum_value = "GCP", .fields = gcp_variant},     {.enum_value = "ON_PREMISE", .fields = on_premise_variant},
    {.enum_value = "AZURE", .fields = azure_variant},
};
constexpr Field credentials_fields[] = {
    enumeration("cloud_provider", credentials_providers, "Whose credentials they are.").required(),
    text("region", "The region they are used in."),
};
constexpr Shape credentials{.name = "ClusterCloudProviderInfo",
                            .fields = credentials_fields,
                            .discriminator = "cloud_provider",
                            .variants = credentials_variants};

constexpr Field chosen_group_fields[] = {reference("id", "labels_group", "The group's id.").required()};
constexpr Shape cluster_labels_group{.name = "ClusterLabelsGroup", .fields = chosen_group_fields};

constexpr Field fields[] = {
    organization_object("The organization it belongs to."),
    text("name", "Its name, different from that of every other cluster of the organization.").required().unique_name(),
    text("description", "What it is for."),
    text("region", "Where it is.").required().immutable().at_least(1),
    enumeration("cloud_provider", cloud_vendors, "Who runs its machines.").required().immutable(),
    object("cloud_provider_credentials", credentials, "With which credentials it is made.").preserved(),
    integer("min_running_nodes", "How many nodes run at least, at least 0 and at most max_running_nodes.")
        .at_least(0)
        .defaults_to(1),
    integer("max_running_nodes", "How many nodes run at most, at least 0.").at_least(0).defaults_to(1),
    integer("disk_size", "The disk of a node in GB, at least 1.").at_least(1).defaults_to(20),
    integer("disk_iops", "Operations per second of a node's disk, 3000 to 16000.").at_least(3000).at_most(16000),
    integer("disk_throughput", "Throughput of a node's disk in MB per second, 125 to 1000.").at_least(125).at_most(1000),
    text("instance_type", "The kind of its nodes, as the cloud provider calls it."),
    enumeration("kubernetes", kubernetes_modes, "Who runs Kubernetes on it.").defaults_to("MANAGED").immutable(),
    integer("cpu", "Processor time of a node in millicores.").read_only(),
    integer("memory", "Memory of a node in MB.").read_only(),
    integer("estimated_cloud_provider_cost", "What the cloud provider will ask for it, estimated.").read_only(),
    computed(enumeration("status", states, "The state it is in."), computations::cluster_status),
    boolean("has_access", "Whether the platform can reach it.").read_only().always_present(),
    text("version", "Its version of Kubernetes.").read_only().always_present(),
    boolean("is_default", "Whether environments that name no cluster run on it.").read_only().always_present(),
    boolean("is_demo", "Whether it is there for demonstrations.").read_only().always_present(),
    boolean("production", "Whether it carries production.").defaults_to(false),
    list_of("ssh_keys", FieldKind::text, "Public keys that open its nodes.").at_most(100),
    features,
    computed(enumeration("deployment_status", freshness_values, "Whether what is deployed is what was asked for."),
            computations::cluster_freshness),
    object("metrics_parameters", metrics, "How it is watched."),
    object("infrastructure_outputs", infrastructure_outputs, "What its making gave.").read_only(),
    object("infrastructure_charts_parameters", charts, "What its charts are told."),
    object("keda", keda, "Whether workloads on it can follow their load."),
    list_of("labels_groups", cluster_labels_group, "The groups whose labels it carries.").at_most(50),
    secret_manager_accesses,
};


constexpr ContextKey kubernetes_version{"kubernetes_version"};  // text: that of a new cluster

// A provider without a catalogue has any region.
void check_region(const Value& record, ValidationContext& context, Violations& violations) {
  const std::string_view provider = record.text_or("cloud_provider", "");
  const std::string_view region = record.text_or("region", "");
  const auto known = known_regions(provider);
  const bool is_preserved = context.previous() != nullptr && context.previous()->text_or("region", "") == region;
  if (known.empty() || is_preserved || context.value(context_keys::open_catalogs).as_boolean() || std::ranges::find(known, region) != known.end()) return;
  refuse(violations, "region", "must be a region of " + std::string(provider) + ", not " + quoted(region) + nearest_hint(region, known));
}

void check(const Value& record, ValidationContext& context, Violations& violations) {
  check_region(record, context, violations);
  check_order(record, "min_running_nodes", "max_running_nodes", violations);
  check_features(record, context, violations);
  check_groups(record, violations);
  check_secret_accesses(record, violations);
  const Value* configuration = record.find_path({"metrics_parameters", "configuration"});
  if (configuration == nullptr) return;
  const std::string_view kind = configuration->text_or("kind", "");
  if (is_branded(kind, branded_names::metrics_kind, context.value(context_keys::brand).as_text())) return;
  refuse(violations, "metrics_parameters.configuration.kind",
         "must be " + branded(branded_names::metrics_kind, context.value(context_keys::brand).as_text()) + ", not " + quoted(kind));
}

std::string_view credentials_family(std::string_view provider) {
  if (provider == "AWS") return "aws_credentials";
  if (provider == "SCW") return "scaleway_credentials";
  if (provider == "GCP") return "gcp_credentials";
  if (provider == "AZURE") return "azure_credentials";
  return "on_premise_credentials";
}

void complete_credentials(Value& record, ValidationContext& context) {
  Value* info = record.find("cloud_provider_credentials");
  Value* named = info == nullptr ? nullptr : info->find("credentials");
  const auto id = named == nullptr ? std::nullopt : id_of(*named, "id");
  const Value* found = id ? context.find(credentials_family(info->text_or("cloud_provider", "")), *id) : nullptr;
  if (found != nullptr) named->set("name", Value(found->text_or("name", "")));
}

void complete(Value& record, ValidationContext& context) {
  set_absent(record, "has_access", Value(true));
  set_absent(record, "version", context.value(kubernetes_version));
  if (!record.has("is_default")) record.set("is_default", Value(context.value(context_keys::default_cluster).is_null()));
  set_absent(record, "is_demo", Value(false));
  complete_credentials(record, context);
  complete_features(record, context);
  complete_secret_accesses(record, context);
}

std::uint32_t plan_flags(const Value& record) {
  const std::string_view provider = record.text_or("cloud_provider", "");
  if (record.text_or("kubernetes", "") == "PARTIALLY_MANAGED") return 0;
  const auto upgradable = static_cast<std::uint32_t>(PlanFlag::upgradable);
  return provider == "GCP" || provider == "AZURE" ? upgradable : upgradable | PlanFlag::stoppable;
}

}  // namespace

extern const Family cluster;
constexpr Family cluster = {
    .number = 5,
    .name = "cluster",
    .schema = "Cluster",
    .segment = "cluster",
    .id_name = "clusterId",
    .about = "A cluster is the set of machines that environments run on.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .name_scope = NameScope::organization,
    .machine = MachineKind::cluster,
    .sample = R"({"name": "europe", "region": "eu-west-3", "cloud_provider": "AWS"})",
    .check = check,
    .complete = complete,
    .plan_flags = plan_flags,
};

}  // namespace orlop::families
