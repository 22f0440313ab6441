#include "catalogs/offered_feature.h"

#include <algorithm>
#include <utility>

#include "base/brand.h"
#include "catalogs/feature_value.h"

namespace orlop {
namespace {

constexpr OfferedFeature offered[] = {
    {"AWS", "01900000-0000-7000-8000-000000000101", "STATIC_IP", "BOOLEAN", "Static IP",
     "Outbound traffic of the cluster uses static public IP addresses, by one NAT gateway in each availability zone.",
     true, "https://docs.aws.amazon.com/vpc/latest/userguide/vpc-nat-gateway.html", false},
    {"AWS", "01900000-0000-7000-8000-000000000102", "EXISTING_VPC", "AWS_USER_PROVIDED_NETWORK", "Existing VPC",
     "Create the cluster in an existing VPC.", false,
     "https://docs.aws.amazon.com/eks/latest/userguide/network-reqs.html", false},
    {"AWS", "01900000-0000-7000-8000-000000000103", "KARPENTER", "KARPENTER", "Karpenter",
     "Karpenter creates and removes nodes by demand and chooses their instance types.", false,
     "https://docs.aws.amazon.com/eks/latest/best-practices/karpenter.html", true},
    {"AWS", "01900000-0000-7000-8000-000000000104", "VPC_SUBNET", "STRING", "VPC CIDR",
     "CIDR of the VPC that is created for "
     "the cluster.",
     false, "https://docs.aws.amazon.com/vpc/latest/userguide/configure-your-vpc.html", false},
    {"GCP", "01900000-0000-7000-8000-000000000201", "EXISTING_VPC", "GCP_USER_PROVIDED_NETWORK", "Existing VPC",
     "Create the cluster in an existing VPC.", false, "https://cloud.google.com/vpc/docs/vpc", false},
    {"GCP", "01900000-0000-7000-8000-000000000202", "NAT_GATEWAY", "NAT_GATEWAY", "NAT gateway",
     "Outbound traffic of the cluster passes through a NAT gateway.", true,
     "https://cloud.google.com/nat/docs/overview", true},
    {"GCP", "01900000-0000-7000-8000-000000000203", "STATIC_IP", "BOOLEAN", "Static IP",
     "Outbound traffic of the cluster uses static public IP addresses.", true,
     "https://cloud.google.com/nat/docs/overview", false},
    {"GCP", "01900000-0000-7000-8000-000000000204", "GKE_KMS_KEY", "STRING", "KMS key",
     "Key of Cloud KMS that encrypts the Kubernetes secrets of the cluster.", true,
     "https://cloud.google.com/kubernetes-engine/docs/how-to/encrypting-secrets", false},
    {"SCW", "01900000-0000-7000-8000-000000000301", "NAT_GATEWAY", "NAT_GATEWAY", "NAT gateway",
     "Outbound traffic of the cluster passes through a NAT gateway.", true,
     "https://www.scaleway.com/en/docs/public-gateways/", true},
    {"SCW", "01900000-0000-7000-8000-000000000302", "STATIC_IP", "BOOLEAN", "Static IP",
     "Outbound traffic of the cluster uses static public IP addresses.", true,
     "https://www.scaleway.com/en/docs/public-gateways/", false},
    {"AZURE", "01900000-0000-7000-8000-000000000401", "STATIC_IP", "BOOLEAN", "Static IP",
     "Outbound traffic of the cluster uses static public IP addresses.", true,
     "https://learn.microsoft.com/azure/nat-gateway/nat-overview", false},
    {"AZURE", "01900000-0000-7000-8000-000000000402", "VPC_SUBNET", "STRING", "Node subnet",
     "CIDR of the subnet of the "
     "cluster's nodes.",
     false, "https://learn.microsoft.com/azure/aks/concepts-network", false},
};

Value made(std::initializer_list<std::pair<std::string_view, Value>> members) {
  Value object = Value::object();
  for (const auto& [name, value] : members) object.set(name, value);
  return object;
}

Value usual_gateway(std::string_view provider) {
  Value type = provider == "SCW" ? made({{"provider", Value("scaleway")}, {"type", Value("VPC-GW-S")}})
                                 : made({{"provider", Value("gcp")},
                                         {"static_ips_enabled", Value(false)},
                                         {"static_ips_count", Value(std::int64_t{1})}});
  return made({{"nat_gateway_type", std::move(type)}});
}

Value usual_autoscaler(std::string_view brand) {
  return made({{"spot_enabled", Value(false)},
               {"disk_size_in_gib", Value(std::int64_t{50})},
               {"default_service_architecture", Value("AMD64")},
               {branded(branded_names::node_pools, brand), made({{"requirements", Value::list()}})}});
}

// Returns the default value of a feature.
Value usual_value(const OfferedFeature& feature, std::string_view brand) {
  if (feature.type == "BOOLEAN") return Value(false);
  if (feature.type == "STRING")
    return Value(feature.enum_value == feature_values::vpc_subnet_name ? "10.0.0.0/16" : "");
  if (feature.type == "NAT_GATEWAY") return usual_gateway(feature.provider);
  if (feature.type == "KARPENTER") return usual_autoscaler(brand);
  if (feature.type == "GCP_USER_PROVIDED_NETWORK") {
    return made(
        {{"vpc_name", Value("")}, {"additional_ip_range_pods_names", Value::list()}, {"private_nodes", Value(false)}});
  }
  return made({{"aws_vpc_eks_id", Value("")},
               {"eks_subnets_zone_a_ids", Value::list()},
               {"eks_subnets_zone_b_ids", Value::list()},
               {"eks_subnets_zone_c_ids", Value::list()},
               {"eks_create_nodes_in_private_subnet", Value(true)}});
}

// Returns an empty list if any value is accepted.
Value accepted_values(const OfferedFeature& feature) {
  Value accepted = Value::list();
  if (feature.type == "BOOLEAN") {
    for (const bool flag : {true, false}) accepted.append(Value(flag));
  } else if (feature.provider == "SCW") {
    for (const char* gateway : {"VPC-GW-S", "VPC-GW-M", "VPC-GW-L", "VPC-GW-XL"}) accepted.append(Value(gateway));
  }
  return accepted;
}

}  // namespace

std::span<const OfferedFeature> offered_features() { return offered; }

const OfferedFeature* find_feature(std::string_view provider, std::string_view name) {
  const auto id = parse_id(name);
  const auto* found = std::find_if(std::begin(offered), std::end(offered), [&](const OfferedFeature& feature) {
    return feature.provider == provider && (id ? parse_id(feature.id) == id : feature.enum_value == name);
  });
  return found == std::end(offered) ? nullptr : found;
}

Value describe_feature(const OfferedFeature& feature, std::string_view brand) {
  return made({
      {"id", Value(feature.id)},
      {"title", Value(feature.title)},
      {"description", Value(feature.description)},
      {"cost_per_month_in_cents", Value()},
      {"cost_per_month", Value()},
      {"currency_code", Value()},
      {"is_cloud_provider_paying_feature", Value(feature.is_paid_to_provider)},
      {"cloud_provider_feature_documentation", Value(feature.manual)},
      {branded(branded_names::paying_feature, brand), Value(false)},
      {branded(branded_names::feature_documentation, brand), Value()},
      {"value_type", Value("BOOLEAN")},
      {"value_object", made({{"type", Value(feature.type)}, {"value", usual_value(feature, brand)}})},
      {"is_value_updatable", Value(feature.is_updatable)},
      {"accepted_values", accepted_values(feature)},
  });
}

}  // namespace orlop
