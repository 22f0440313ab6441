// A cluster is the set of machines that environments run on.
#include <algorithm>
#include <array>

#include "base/brand.h"
#include "catalogs/cloud_catalog.h"
#include "catalogs/instance_type.h"
#include "catalogs/nearest.h"
#include "families/shapes/clusters/cluster_feature.h"
#include "families/shapes/clusters/cluster_parameters.h"
#include "families/shapes/context_keys.h"
#include "families/shapes/group.h"
#include "families/shapes/secret_manager_access.h"

namespace orlop::computations {
ComputeFunction cluster_status;
ComputeFunction cluster_freshness;
}  // namespace orlop::computations

namespace orlop::families::cluster {
namespace {

using namespace shapes;

constexpr std::string_view kubernetes_modes[] = {"MANAGED", "SELF_MANAGED", "PARTIALLY_MANAGED"};
constexpr std::string_view credentials_providers[] = {"AWS", "SCW", "GCP", "ON_PREMISE", "AZURE"};
constexpr std::string_view freshness_values[] = {"NEVER_DEPLOYED", "OUT_OF_DATE", "UP_TO_DATE"};
constexpr std::string_view states[] = {
#define ORLOP_CLUSTER_STATE(name, number, spelling, ...) spelling,
#include "lifecycle/states.def"
};

constexpr auto named_credentials(std::string_view family) {
  return std::array{
      reference("id", family, "ID of the credentials. They belong to the same organization and cloud provider.")
          .required(),
      text("name", "Name of the credentials when the cluster was last written.").read_only()};
}
constexpr auto chosen_credentials(const Shape& credentials) {
  return std::array{object("credentials", credentials, "Credentials that the platform uses at the cloud provider.")};
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
    enumeration("cloud_provider", credentials_providers, "Cloud provider of the credentials.").required(),
    text("region", "Region in which the credentials are used."),
};
constexpr Shape credentials{.name = "ClusterCloudProviderInfo",
                            .fields = credentials_fields,
                            .discriminator = "cloud_provider",
                            .variants = credentials_variants};

constexpr Field chosen_group_fields[] = {reference("id", "labels_group", "ID of the labels group.").required()};
constexpr Shape cluster_labels_group{.name = "ClusterLabelsGroup", .fields = chosen_group_fields};

constexpr Field fields[] = {
    organization_object("Organization that owns the cluster."),
    text("name", "Name of the cluster, unique within the organization without regard to case.")
        .required()
        .unique_name(),
    text("description", "Free text that describes the cluster."),
    text("region",
         "Region of the cloud provider, as in `eu-west-3`. Cannot be changed. Checked against the built-in catalogue "
         "of regions, "
         "if it has the provider.")
        .required()
        .immutable()
        .at_least(1),
    enumeration("cloud_provider", cloud_vendors, "Cloud provider that runs the cluster. Cannot be changed.")
        .required()
        .immutable(),
    object(
        "cloud_provider_credentials", credentials,
        "Credentials with which the platform creates and manages the cluster. An edit that omits them keeps the stored "
        "ones.")
        .preserved(),
    integer("min_running_nodes", "Minimum number of nodes, 0 to `max_running_nodes`. Default: 1.")
        .at_least(0)
        .defaults_to(1),
    integer("max_running_nodes", "Maximum number of nodes, at least `min_running_nodes`. Default: 1.")
        .at_least(0)
        .defaults_to(1),
    integer("disk_size", "Disk size of each node in GB, at least 1. Default: 20.").at_least(1).defaults_to(20),
    integer("disk_iops", "Provisioned IOPS of each node's disk, 3000 to 16000.").at_least(3000).at_most(16000),
    integer("disk_throughput", "Provisioned throughput of each node's disk in MB/s, 125 to 1000.")
        .at_least(125)
        .at_most(1000),
    text("instance_type", "Instance type of the nodes as the cloud provider names it, as in `t3.medium`."),
    enumeration("kubernetes", kubernetes_modes,
                "Management of the Kubernetes control plane: by the cloud provider (`MANAGED`), by the customer "
                "(`SELF_MANAGED`), or by "
                "the customer with the platform's charts (`PARTIALLY_MANAGED`, which cannot be upgraded or stopped). "
                "Cannot be changed. "
                "Default: `MANAGED`.")
        .defaults_to("MANAGED")
        .immutable(),
    integer("cpu", "CPU of each node in millicores.").read_only(),
    integer("memory", "Memory of each node in MB.").read_only(),
    integer("estimated_cloud_provider_cost", "Estimated monthly cost at the cloud provider.").read_only(),
    computed(enumeration("status", states, "State of the cluster in its lifecycle."), computations::cluster_status),
    boolean("has_access", "True if the platform can reach the Kubernetes API of the cluster.")
        .read_only()
        .always_present(),
    text("version",
         "Kubernetes version of the cluster. A new cluster gets the first version of the engine's list of supported "
         "versions; an "
         "upgrade sets the next one.")
        .read_only()
        .always_present(),
    boolean("is_default",
            "True if environments that name no cluster use this one. The first cluster of an organization is the "
            "default.")
        .read_only()
        .always_present(),
    boolean("is_demo", "True for clusters that are provided for demonstrations.").read_only().always_present(),
    boolean("production", "Mark the cluster as one for production workloads. Default: false.").defaults_to(false),
    list_of("ssh_keys", FieldKind::text, "Public SSH keys that are authorized on the nodes, at most 100.").at_most(100),
    features,
    computed(
        enumeration(
            "deployment_status", freshness_values,
            "Comparison of the configuration with what is deployed. `OUT_OF_DATE`: edited since the last deployment."),
        computations::cluster_freshness),
    object("metrics_parameters", metrics, "Settings of the metrics stack (Prometheus) on the cluster."),
    object("infrastructure_outputs", infrastructure_outputs,
           "Identifiers of the cluster at the cloud provider, reported when it was created.")
        .read_only(),
    object("infrastructure_charts_parameters", charts,
           "Settings of the infrastructure charts (NGINX, cert-manager, MetalLB, EKS Anywhere) that the platform "
           "installs on the "
           "cluster."),
    object("keda", keda, "Installation of KEDA on the cluster, which services with `autoscaling` require."),
    list_of("labels_groups", cluster_labels_group,
            "Labels groups that are applied to the cluster; each group once, at most 50.")
        .at_most(50),
    secret_manager_accesses,
};

constexpr ContextKey kubernetes_version{"kubernetes_version"};  // text: version of a new cluster

// Accepts any region of a provider without a catalog.
void check_region(const Value& record, ValidationContext& context, Violations& violations) {
  const std::string_view provider = record.text_or("cloud_provider", "");
  const std::string_view region = record.text_or("region", "");
  const auto known = known_regions(provider);
  const bool is_preserved = context.previous() != nullptr && context.previous()->text_or("region", "") == region;
  if (known.empty() || is_preserved || context.value(context_keys::open_catalogs).as_boolean() ||
      std::ranges::find(known, region) != known.end())
    return;
  refuse(violations, "region",
         "must be a region of " + std::string(provider) + ", not " + quoted(region) + nearest_hint(region, known));
}

// Checks the type of the nodes; accepts any type of a provider without a catalog.
void check_instance_type(const Value& record, ValidationContext& context, Violations& violations) {
  const std::string_view provider = record.text_or("cloud_provider", "");
  const std::string_view type = record.text_or("instance_type", "");
  const bool is_preserved = context.previous() != nullptr && context.previous()->text_or("instance_type", "") == type;
  if (type.empty() || is_preserved || context.value(context_keys::open_catalogs).as_boolean() ||
      !has_instance_types(provider))
    return;
  if (is_known_instance_type(provider, type)) return;
  refuse(violations, "instance_type",
         "must be an instance type of " + std::string(provider) + ", not " + quoted(type) +
             "; the nearest known one is \"" + nearest_instance_type(provider, type) + "\"");
}

void check_anywhere(const Value& record, Violations& violations) {
  const Value* url =
      record.find_path({"infrastructure_charts_parameters", "eks_anywhere_parameters", "git_repository", "url"});
  if (url == nullptr || !url->is_text()) return;
  check_no_password(url->as_text(), "infrastructure_charts_parameters.eks_anywhere_parameters.git_repository.url",
                    "a git token", violations);
}

void check(const Value& record, ValidationContext& context, Violations& violations) {
  check_region(record, context, violations);
  check_instance_type(record, context, violations);
  check_order(record, "min_running_nodes", "max_running_nodes", violations);
  check_features(record, context, violations);
  check_groups(record, violations);
  check_secret_accesses(record, violations);
  check_anywhere(record, violations);
  const Value* configuration = record.find_path({"metrics_parameters", "configuration"});
  if (configuration == nullptr) return;
  const std::string_view kind = configuration->text_or("kind", "");
  if (is_branded(kind, branded_names::metrics_kind, context.brand())) return;
  refuse(violations, "metrics_parameters.configuration.kind",
         "must be " + branded(branded_names::metrics_kind, context.brand()) + ", not " + quoted(kind));
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
  if (!record.has("is_default"))
    record.set("is_default", Value(context.value(context_keys::default_cluster).is_null()));
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

extern const Family family;
constexpr Family family = {
    .number = 5,
    .name = "cluster",
    .schema = "Cluster",
    .segment = "cluster",
    .id_name = "clusterId",
    .about =
        "A cluster is a Kubernetes cluster of a cloud provider, or of the customer's own machines, on which "
        "environments run. "
        "Edits take effect with the next deployment of the cluster.",
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

}  // namespace orlop::families::cluster
