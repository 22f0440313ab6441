// Values of the features of a cluster: one shape for each type of value.
#pragma once

#include <string_view>

#include "base/brand.h"
#include "model/field.h"

namespace orlop::feature_values {

inline constexpr Field string_fields[] = {
    text("value", "String value of the feature, as in the CIDR `10.0.0.0/16` of the feature `VPC_SUBNET`.").required()};
inline constexpr Field boolean_fields[] = {boolean("value", "Enable the feature on the cluster.").required()};

// IDs of subnets of the VPC in one availability zone; `about` describes their use.
constexpr Field subnets(std::string_view name, std::string_view about) {
  return list_of(name, FieldKind::text, about).at_most(100);
}
constexpr Field optional_subnets(std::string_view name, std::string_view about) {
  return subnets(name, about).nullable();
}

inline constexpr Field aws_network_fields[] = {
    text("aws_vpc_eks_id", "ID of the existing VPC, as in `vpc-0a1b2c3d`.").required(),
    subnets("eks_subnets_zone_a_ids", "IDs of the VPC's subnets for EKS nodes in availability zone a, at most 100.")
        .required(),
    subnets("eks_subnets_zone_b_ids", "IDs of the VPC's subnets for EKS nodes in availability zone b, at most 100.")
        .required(),
    subnets("eks_subnets_zone_c_ids", "IDs of the VPC's subnets for EKS nodes in availability zone c, at most 100.")
        .required(),
    optional_subnets("documentdb_subnets_zone_a_ids",
                     "IDs of the VPC's subnets for DocumentDB in availability zone a, at most 100. Null: none."),
    optional_subnets("documentdb_subnets_zone_b_ids",
                     "IDs of the VPC's subnets for DocumentDB in availability zone b, at most 100. Null: none."),
    optional_subnets("documentdb_subnets_zone_c_ids",
                     "IDs of the VPC's subnets for DocumentDB in availability zone c, at most 100. Null: none."),
    optional_subnets("elasticache_subnets_zone_a_ids",
                     "IDs of the VPC's subnets for ElastiCache in availability zone a, at most 100. Null: none."),
    optional_subnets("elasticache_subnets_zone_b_ids",
                     "IDs of the VPC's subnets for ElastiCache in availability zone b, at most 100. Null: none."),
    optional_subnets("elasticache_subnets_zone_c_ids",
                     "IDs of the VPC's subnets for ElastiCache in availability zone c, at most 100. Null: none."),
    optional_subnets("rds_subnets_zone_a_ids",
                     "IDs of the VPC's subnets for RDS in availability zone a, at most 100. Null: none."),
    optional_subnets("rds_subnets_zone_b_ids",
                     "IDs of the VPC's subnets for RDS in availability zone b, at most 100. Null: none."),
    optional_subnets("rds_subnets_zone_c_ids",
                     "IDs of the VPC's subnets for RDS in availability zone c, at most 100. Null: none."),
    optional_subnets("eks_karpenter_fargate_subnets_zone_a_ids",
                     "IDs of the VPC's subnets for the Fargate profile that runs Karpenter in availability zone a, at "
                     "most 100. Null: none."),
    optional_subnets("eks_karpenter_fargate_subnets_zone_b_ids",
                     "IDs of the VPC's subnets for the Fargate profile that runs Karpenter in availability zone b, at "
                     "most 100. Null: none."),
    optional_subnets("eks_karpenter_fargate_subnets_zone_c_ids",
                     "IDs of the VPC's subnets for the Fargate profile that runs Karpenter in availability zone c, at "
                     "most 100. Null: none."),
    boolean("eks_create_nodes_in_private_subnet",
            "Place the nodes of the EKS cluster in private subnets. Default: true.")
        .defaults_to(true),
};
inline constexpr Shape aws_network{.name = "ClusterFeatureAwsExistingVpc", .fields = aws_network_fields};

inline constexpr Field gcp_network_fields[] = {
    text("vpc_name", "Name of the existing VPC network.").required(),
    text("vpc_project_id",
         "ID of the Google Cloud project that contains a shared VPC. Null: the project of the credentials.")
        .nullable(),
    text("subnetwork_name", "Name of the subnetwork in the VPC for the nodes. Null: chosen by the platform.")
        .nullable(),
    text("ip_range_services_name",
         "Name of the secondary IP range of the subnetwork for Kubernetes services. Null: chosen by the platform.")
        .nullable(),
    text("ip_range_pods_name",
         "Name of the secondary IP range of the subnetwork for pods. Null: chosen by the platform.")
        .nullable(),
    list_of("additional_ip_range_pods_names", FieldKind::text,
            "Names of further secondary IP ranges of the subnetwork for pods, at most 100.")
        .at_most(100),
    boolean("private_nodes", "Create nodes without public IP addresses. Default: false.").defaults_to(false),
};
inline constexpr Shape gcp_network{.name = "ClusterFeatureGcpExistingVpc", .fields = gcp_network_fields};

inline constexpr std::string_view requirement_keys[] = {"InstanceFamily", "InstanceSize", "Arch", "SkuFamily",
                                                        "SkuVersion"};
inline constexpr std::string_view requirement_operators[] = {"In"};
inline constexpr Field requirement_fields[] = {
    enumeration("key", requirement_keys, "Property of the instance type that the requirement restricts.").required(),
    enumeration("operator", requirement_operators,
                "Comparison of the property with the values. `In`: the property is one of them.")
        .required(),
    list_of("values", FieldKind::text, "Accepted values of the property, as in `t3` for `InstanceFamily`. At most 100.")
        .at_most(100)
        .required(),
};
inline constexpr Shape requirement{.name = "KarpenterNodePoolRequirement", .fields = requirement_fields};

inline constexpr std::string_view weekdays[] = {"MONDAY", "TUESDAY",  "WEDNESDAY", "THURSDAY",
                                                "FRIDAY", "SATURDAY", "SUNDAY"};
inline constexpr Field consolidation_fields[] = {
    boolean("enabled",
            "Enable consolidation in the given time window. False: Karpenter does not consolidate nodes of the pool.")
        .required(),
    enumeration_list("days", weekdays, "Days of the week on which the time window opens.").at_most(7).required(),
    text("start_time",
         "Start of the time window on each of the days, as in `22:00`. The engine passes the text to the driver "
         "unchanged.")
        .required(),
    text("duration", "Length of the time window, as in `2h`. The engine passes the text to the driver unchanged.")
        .required(),
};
inline constexpr Shape consolidation{.name = "KarpenterNodePoolConsolidation", .fields = consolidation_fields};

inline constexpr Field limits_fields[] = {
    boolean("enabled", "Enforce the limits. False: the node pool grows without limit.").required(),
    integer("max_cpu_in_vcpu", "Maximum number of vCPUs of all nodes of the pool together.").required(),
    integer("max_memory_in_gibibytes", "Maximum memory of all nodes of the pool together, in GiB.").required(),
    integer("max_gpu", "Maximum number of GPUs of all nodes of the pool together, at least 0. Default: 0.")
        .at_least(0)
        .defaults_to(0),
};
inline constexpr Shape limits{.name = "KarpenterNodePoolLimits", .fields = limits_fields};

inline constexpr Field pool_consolidation =
    object("consolidation", consolidation,
           "Time window in which Karpenter consolidates the nodes of the pool: moves pods to fewer or cheaper nodes.");
inline constexpr Field pool_limits = object("limits", limits, "Limits on the total resources of the node pool.");
inline constexpr Field pool_spot = boolean(
    "spot_enabled", "Use spot instances, which the cloud provider can reclaim at any time, for the nodes of the pool.");
// A rule of the cluster checks the form of the value.
inline constexpr std::string_view consolidate_after_name = "consolidate_after";
inline constexpr Field pool_consolidate_after =
    text(consolidate_after_name,
         "Idle time after which Karpenter consolidates a node: a number with `s`, `m` or `h`, as in `30s`.");

inline constexpr Field stable_pool_fields[] = {pool_consolidation, pool_limits, pool_spot.nullable(),
                                               pool_consolidate_after};
inline constexpr Shape stable_pool{.name = "KarpenterStableNodePoolOverride", .fields = stable_pool_fields};
inline constexpr Shape cronjob_pool{.name = "KarpenterCronjobNodePoolOverride", .fields = stable_pool_fields};
inline constexpr Field default_pool_fields[] = {pool_limits, pool_spot.nullable(), pool_consolidate_after};
inline constexpr Shape default_pool{.name = "KarpenterDefaultNodePoolOverride", .fields = default_pool_fields};

inline constexpr Field node_disk_iops =
    integer("disk_iops", "Provisioned IOPS of each node's disk, 3000 to 16000.").at_least(3000).at_most(16000);
inline constexpr Field node_disk_throughput =
    integer("disk_throughput", "Provisioned throughput of each node's disk in MB/s, 125 to 1000.")
        .at_least(125)
        .at_most(1000);

inline constexpr Field gpu_pool_fields[] = {
    pool_consolidation,
    pool_limits,
    list_of("requirements", requirement, "Requirements on the instance types of GPU nodes, at most 100.").at_most(100),
    integer("disk_size_in_gib", "Disk size of each GPU node in GiB, at least 0. Default: 100.")
        .at_least(0)
        .defaults_to(100),
    node_disk_iops,
    node_disk_throughput,
    pool_spot.defaults_to(false),
    pool_consolidate_after,
};
inline constexpr Shape gpu_pool{.name = "KarpenterGpuNodePoolOverride", .fields = gpu_pool_fields};

inline constexpr std::string_view pool_names[] = {"stable_override", "default_override", "gpu_override",
                                                  "cronjob_override"};
inline constexpr Field node_pools_fields[] = {
    list_of("requirements", requirement,
            "Requirements on the instance types of all nodes that Karpenter creates, at most 100. Empty: any "
            "type.")
        .at_most(100)
        .required(),
    object(pool_names[0], stable_pool,
           "Overrides for the stable node pool, which runs services that must not be moved between nodes."),
    object(pool_names[1], default_pool, "Overrides for the default node pool, which runs all other services."),
    object(pool_names[2], gpu_pool, "Overrides for the GPU node pool, which runs services with GPUs."),
    object(pool_names[3], cronjob_pool, "Overrides for the cron job node pool, which runs jobs with a schedule."),
};
inline constexpr Shape node_pools{.name = "KarpenterNodePool", .fields = node_pools_fields};

inline constexpr std::string_view architectures[] = {"AMD64", "ARM64"};
inline constexpr Field karpenter_fields[] = {
    boolean("spot_enabled",
            "Use spot instances for the nodes of the cluster. Use the `spot_enabled` of the node pools "
            "instead.")
        .required()
        .deprecated(),
    integer("disk_size_in_gib", "Disk size of each node in GiB.").required(),
    node_disk_iops,
    node_disk_throughput,
    enumeration("default_service_architecture", architectures,
                "CPU architecture of services that do not set `cpu_architecture`.")
        .required(),
    object(branded_names::node_pools, node_pools, "Node pools that Karpenter manages on the cluster.").required(),
};
inline constexpr Shape karpenter{.name = "ClusterFeatureKarpenterParameters", .fields = karpenter_fields};

inline constexpr std::string_view gateway_providers[] = {"scaleway", "gcp"};
inline constexpr std::string_view gateway_sizes[] = {"VPC-GW-S", "VPC-GW-M", "VPC-GW-L", "VPC-GW-XL"};
inline constexpr Field scaleway_gateway_fields[] = {
    enumeration("type", gateway_sizes, "Commercial type of the Scaleway Public Gateway, which sets its bandwidth.")
        .required()};
inline constexpr Field gcp_gateway_fields[] = {
    boolean("static_ips_enabled", "Use static public IP addresses for outbound traffic of the NAT gateway.").required(),
    integer("static_ips_count", "Number of static public IP addresses of the NAT gateway, at least 1.")
        .required()
        .at_least(1),
};
inline constexpr Variant gateway_variants[] = {
    {.enum_value = "scaleway", .fields = scaleway_gateway_fields},
    {.enum_value = "gcp", .fields = gcp_gateway_fields},
};
inline constexpr Field gateway_type_fields[] = {
    enumeration("provider", gateway_providers, "Cloud provider of the NAT gateway.").required()};
inline constexpr Shape gateway_type{.name = "ClusterFeatureNatGatewayType",
                                    .fields = gateway_type_fields,
                                    .discriminator = "provider",
                                    .variants = gateway_variants};
inline constexpr Field gateway_fields[] = {
    object("nat_gateway_type", gateway_type, "Type of the NAT gateway. Null: the default type of the cloud provider.")
        .nullable()};
inline constexpr Shape gateway{.name = "ClusterFeatureNatGatewayParameters", .fields = gateway_fields};

inline constexpr Field aws_network_value[] = {
    object("value", aws_network, "Existing AWS VPC with its subnets, in which the cluster is created.").required()};
inline constexpr Field gcp_network_value[] = {
    object("value", gcp_network, "Existing Google Cloud VPC with its IP ranges, in which the cluster is created.")
        .required()};
inline constexpr Field karpenter_value[] = {
    object("value", karpenter, "Settings of Karpenter, which creates and removes the nodes of the cluster.")
        .required()};
inline constexpr Field gateway_value[] = {
    object("value", gateway, "Settings of the NAT gateway. Null: the default gateway of the cloud provider.")
        .required()
        .nullable()};

// Names that a request can use instead of the feature's id.
inline constexpr std::string_view vpc_subnet_name = "VPC_SUBNET";
inline constexpr std::string_view feature_values[] = {vpc_subnet_name, "STATIC_IP",    "KARPENTER",
                                                      "NAT_GATEWAY",   "EXISTING_VPC", "GKE_KMS_KEY"};

inline constexpr std::string_view types[] = {
    "STRING", "BOOLEAN", "AWS_USER_PROVIDED_NETWORK", "GCP_USER_PROVIDED_NETWORK", "KARPENTER", "NAT_GATEWAY"};
inline constexpr Variant variants[] = {
    {.enum_value = "STRING", .fields = string_fields},
    {.enum_value = "BOOLEAN", .fields = boolean_fields},
    {.enum_value = "AWS_USER_PROVIDED_NETWORK", .fields = aws_network_value},
    {.enum_value = "GCP_USER_PROVIDED_NETWORK", .fields = gcp_network_value},
    {.enum_value = "KARPENTER", .fields = karpenter_value},
    {.enum_value = "NAT_GATEWAY", .fields = gateway_value},
};
inline constexpr Field object_fields[] = {
    enumeration("type", types, "Type of the value. It has to be the type that the feature uses.").required()};
// {"type", "value"}: the value of a feature.
inline constexpr Shape value_object{
    .name = "ClusterFeatureValue", .fields = object_fields, .discriminator = "type", .variants = variants};

// Returns the field `value` of that type, or null if the type is unknown.
constexpr const Field* value_of(std::string_view type) {
  for (const Variant& variant : variants) {
    if (variant.enum_value == type) return variant.fields.data();
  }
  return nullptr;
}

}  // namespace orlop::feature_values
