// What a feature of a cluster can be set to: one shape for each type of value.
#pragma once

#include <string_view>

#include "base/brand.h"
#include "model/field.h"

namespace orlop::feature_values {

inline constexpr Field string_fields[] = {text("value", "A text.").required()};
inline constexpr Field boolean_fields[] = {boolean("value", "Whether the cluster has it.").required()};

constexpr Field subnets(std::string_view name) {
  return list_of(name, FieldKind::text, "The subnets of that zone, by id.").at_most(100);
}
constexpr Field other_subnets(std::string_view name) { return subnets(name).nullable(); }

inline constexpr Field aws_network_fields[] = {
    text("aws_vpc_eks_id", "The network, by id.").required(),
    subnets("eks_subnets_zone_a_ids").required(),
    subnets("eks_subnets_zone_b_ids").required(),
    subnets("eks_subnets_zone_c_ids").required(),
    other_subnets("documentdb_subnets_zone_a_ids"),
    other_subnets("documentdb_subnets_zone_b_ids"),
    other_subnets("documentdb_subnets_zone_c_ids"),
    other_subnets("elasticache_subnets_zone_a_ids"),
    other_subnets("elasticache_subnets_zone_b_ids"),
    other_subnets("elasticache_subnets_zone_c_ids"),
    other_subnets("rds_subnets_zone_a_ids"),
    other_subnets("rds_subnets_zone_b_ids"),
    other_subnets("rds_subnets_zone_c_ids"),
    other_subnets("eks_karpenter_fargate_subnets_zone_a_ids"),
    other_subnets("eks_karpenter_fargate_subnets_zone_b_ids"),
    other_subnets("eks_karpenter_fargate_subnets_zone_c_ids"),
    boolean("eks_create_nodes_in_private_subnet", "Whether nodes come into private subnets.").defaults_to(true),
};
inline constexpr Shape aws_network{.name = "ClusterFeatureAwsExistingVpc", .fields = aws_network_fields};

inline constexpr Field gcp_network_fields[] = {
    text("vpc_name", "The network's name.").required(),
    text("vpc_project_id", "The project that holds it; null for the credentials' own.").nullable(),
    text("subnetwork_name", "The subnet's name.").nullable(),
    text("ip_range_services_name", "The range of addresses that services get.").nullable(),
    text("ip_range_pods_name", "The range of addresses that pods get.").nullable(),
    list_of("additional_ip_range_pods_names", FieldKind::text, "More ranges of addresses that pods get.").at_most(100),
    boolean("private_nodes", "Whether nodes have no public addresses.").defaults_to(false),
};
inline constexpr Shape gcp_network{.name = "ClusterFeatureGcpExistingVpc", .fields = gcp_network_fields};

inline constexpr std::string_view requirement_keys[] = {"InstanceFamily", "InstanceSize", "Arch", "SkuFamily", "SkuVersion"};
inline constexpr std::string_view requirement_operators[] = {"In"};
inline constexpr Field requirement_fields[] = {
    enumeration("key", requirement_keys, "The property of a node.").required(),
    enumeration("operator", requirement_operators, "How it is compared.").required(),
    list_of("values", FieldKind::text, "The values it may have.").at_most(100).required(),
};
inline constexpr Shape requirement{.name = "KarpenterNodePoolRequirement", .fields = requirement_fields};

inline constexpr std::string_view weekdays[] = {"MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"};
inline constexpr Field consolidation_fields[] = {
    boolean("enabled", "Whether nodes are put together at these times.").required(),
    enumeration_list("days", weekdays, "The days.").at_most(7).required(),
    text("start_time", "When it begins on such a day.").required(),
    text("duration", "How long it may go on.").required(),
};
inline constexpr Shape consolidation{.name = "KarpenterNodePoolConsolidation", .fields = consolidation_fields};

inline constexpr Field limits_fields[] = {
    boolean("enabled", "Whether the limits hold.").required(),
    integer("max_cpu_in_vcpu", "The most processors of all its nodes together.").required(),
    integer("max_memory_in_gibibytes", "The most memory of all its nodes together.").required(),
    integer("max_gpu", "The most graphics processors of all its nodes together, at least 0.").at_least(0).defaults_to(0),
};
inline constexpr Shape limits{.name = "KarpenterNodePoolLimits", .fields = limits_fields};

inline constexpr Field pool_consolidation = object("consolidation", consolidation, "When its nodes are put together.");
inline constexpr Field pool_limits = object("limits", limits, "What all its nodes together may come to.");
inline constexpr Field pool_spot = boolean("spot_enabled", "Whether its nodes may be taken away at any time, for a lower price.");
// A rule of the cluster checks its form.
inline constexpr std::string_view consolidate_after_name = "consolidate_after";
inline constexpr Field pool_consolidate_after =
    text(consolidate_after_name, "How long a node is idle before it goes: a number and s, m or h, as in 30s.");

inline constexpr Field stable_pool_fields[] = {pool_consolidation, pool_limits, pool_spot.nullable(), pool_consolidate_after};
inline constexpr Shape stable_pool{.name = "KarpenterStableNodePoolOverride", .fields = stable_pool_fields};
inline constexpr Shape cronjob_pool{.name = "KarpenterCronjobNodePoolOverride", .fields = stable_pool_fields};
inline constexpr Field default_pool_fields[] = {pool_limits, pool_spot.nullable(), pool_consolidate_after};
inline constexpr Shape default_pool{.name = "KarpenterDefaultNodePoolOverride", .fields = default_pool_fields};

inline constexpr Field node_disk_iops =
    integer("disk_iops", "Operations per second of a node's disk, 3000 to 16000.").at_least(3000).at_most(16000);
inline constexpr Field node_disk_throughput =
    integer("disk_throughput", "Throughput of a node's disk in MB per second, 125 to 1000.").at_least(125).at_most(1000);

inline constexpr Field gpu_pool_fields[] = {
    pool_consolidation,
    pool_limits,
    list_of("requirements", requirement, "What its nodes must be.").at_most(100),
    integer("disk_size_in_gib", "The disk of a node in GiB, at least 0.").at_least(0).defaults_to(100),
    node_disk_iops,
    node_disk_throughput,
    pool_spot.defaults_to(false),
    pool_consolidate_after,
};
inline constexpr Shape gpu_pool{.name = "KarpenterGpuNodePoolOverride", .fields = gpu_pool_fields};

inline constexpr std::string_view pool_names[] = {"stable_override", "default_override", "gpu_override", "cronjob_override"};
inline constexpr Field node_pools_fields[] = {
    list_of("requirements", requirement, "What every node must be.").at_most(100).required(),
    object(pool_names[0], stable_pool, "What is different for nodes of services that must not move."),
    object(pool_names[1], default_pool, "What is different for nodes of all other services."),
    object(pool_names[2], gpu_pool, "What is different for nodes with graphics processors."),
    object(pool_names[3], cronjob_pool, "What is different for nodes of jobs that run by the clock."),
};
inline constexpr Shape node_pools{.name = "KarpenterNodePool", .fields = node_pools_fields};

inline constexpr std::string_view architectures[] = {"AMD64", "ARM64"};
inline constexpr Field karpenter_fields[] = {
    boolean("spot_enabled", "Whether nodes may be taken away at any time, for a lower price.").required().deprecated(),
    integer("disk_size_in_gib", "The disk of a node in GiB.").required(),
    node_disk_iops,
    node_disk_throughput,
    enumeration("default_service_architecture", architectures, "The processors that services get unless they ask for others.").required(),
    object(branded_names::node_pools, node_pools, "What its nodes are.").required(),
};
inline constexpr Shape karpenter{.name = "ClusterFeatureKarpenterParameters", .fields = karpenter_fields};

inline constexpr std::string_view gateway_providers[] = {"scaleway", "gcp"};
inline constexpr std::string_view gateway_sizes[] = {"VPC-GW-S", "VPC-GW-M", "VPC-GW-L", "VPC-GW-XL"};
inline constexpr Field scaleway_gateway_fields[] = {enumeration("type", gateway_sizes, "The gateway's size.").required()};
inline constexpr Field gcp_gateway_fields[] = {
    boolean("static_ips_enabled", "Whether its addresses are fixed.").required(),
    integer("static_ips_count", "How many fixed addresses it has, at least 1.").required().at_least(1),
};
inline constexpr Variant gateway_variants[] = {
    {.enum_value = "scaleway", .fields = scaleway_gateway_fields},
    {.enum_value = "gcp", .fields = gcp_gateway_fields},
};
inline constexpr Field gateway_type_fields[] = {enumeration("provider", gateway_providers, "Whose gateway it is.").required()};
inline constexpr Shape gateway_type{.name = "ClusterFeatureNatGatewayType",
                                    .fields = gateway_type_fields,
                                    .discriminator = "provider",
                                    .variants = gateway_variants};
inline constexpr Field gateway_fields[] = {object("nat_gateway_type", gateway_type, "The gateway; null for the usual one.").nullable()};
inline constexpr Shape gateway{.name = "ClusterFeatureNatGatewayParameters", .fields = gateway_fields};

inline constexpr Field aws_network_value[] = {object("value", aws_network, "The network and its subnets.").required()};
inline constexpr Field gcp_network_value[] = {object("value", gcp_network, "The network and its ranges.").required()};
inline constexpr Field karpenter_value[] = {object("value", karpenter, "How the autoscaler chooses nodes.").required()};
inline constexpr Field gateway_value[] = {object("value", gateway, "The gateway; null for the usual one.").required().nullable()};

// The words by which a request may name a feature instead of by its id.
inline constexpr std::string_view vpc_subnet_name = "VPC_SUBNET";
inline constexpr std::string_view feature_values[] = {vpc_subnet_name, "STATIC_IP", "KARPENTER", "NAT_GATEWAY", "EXISTING_VPC", "GKE_KMS_KEY"};

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
inline constexpr Field object_fields[] = {enumeration("type", types, "What the value is.").required()};
// {"type", "value"}: what a feature is set to.
inline constexpr Shape value_object{
    .name = "ClusterFeatureValue", .fields = object_fields, .discriminator = "type", .variants = variants};

// The field `value` of that type; nullptr for a word that is none.
constexpr const Field* value_of(std::string_view type) {
  for (const Variant& variant : variants) {
    if (variant.enum_value == type) return variant.fields.data();
  }
  return nullptr;
}

}  // namespace orlop::feature_values
