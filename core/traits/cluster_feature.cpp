// The features that a cluster of each cloud provider can have: a catalogue.
#include <string>
#include <string_view>
#include <utility>

#include "base/brand.h"
#include "traits/operations.h"
#include "wire/writer.h"

namespace orlop {
namespace {

enum class Paying : std::uint8_t { no, yes };
enum class Updatable : std::uint8_t { no, yes };

struct Feature {
  std::string_view id;
  std::string_view title;
  std::string_view description;
  Paying paying;            // to the cloud provider
  std::string_view manual;  // of the cloud provider; "": none
  std::string_view value;   // value_object as JSON text
  Updatable updatable;
  std::string_view accepted;  // accepted_values as JSON text
};

constexpr std::string_view off = R"({"type":"BOOLEAN","value":false})";
constexpr std::string_view either = "[true,false]";

constexpr Feature aws[] = {
    {"01900000-0000-7000-8000-000000000101", "Static IP",
     "Traffic of the cluster leaves from fixed addresses, through one network address translation gateway per zone.", Paying::yes,
     "https://docs.aws.amazon.com/vpc/latest/userguide/vpc-nat-gateway.html", off, Updatable::no, either},
    {"01900000-0000-7000-8000-000000000102", "Existing network", "The cluster is installed into a network that is already there.",
     Paying::no, "https://docs.aws.amazon.com/eks/latest/userguide/network-reqs.html",
     R"({"type":"AWS_USER_PROVIDED_NETWORK","value":{"aws_vpc_eks_id":"","eks_subnets_zone_a_ids":[],)"
     R"("eks_subnets_zone_b_ids":[],"eks_subnets_zone_c_ids":[],"eks_create_nodes_in_private_subnet":true}})",
     Updatable::no, "[]"},
    {"01900000-0000-7000-8000-000000000103", "Node autoscaler", "Nodes come and go with the need, in sizes that fit it.",
     Paying::no, "https://docs.aws.amazon.com/eks/latest/best-practices/karpenter.html", "", Updatable::yes, "[]"},
};
constexpr Feature gcp[] = {
    {"01900000-0000-7000-8000-000000000201", "Existing network", "The cluster is installed into a network that is already there.",
     Paying::no, "https://cloud.google.com/vpc/docs/vpc",
     R"({"type":"GCP_USER_PROVIDED_NETWORK","value":{"vpc_name":"","additional_ip_range_pods_names":[],"private_nodes":false}})",
     Updatable::no, "[]"},
    {"01900000-0000-7000-8000-000000000202", "NAT gateway", "Traffic of the cluster leaves through one gateway.", Paying::yes,
     "https://cloud.google.com/nat/docs/overview",
     R"({"type":"NAT_GATEWAY","value":{"nat_gateway_type":{"provider":"gcp","static_ips_enabled":false,"static_ips_count":1}}})",
     Updatable::yes, "[]"},
};
constexpr Feature scaleway[] = {
    {"01900000-0000-7000-8000-000000000301", "NAT gateway", "Traffic of the cluster leaves through one gateway.", Paying::yes,
     "https://www.scaleway.com/en/docs/public-gateways/",
     R"({"type":"NAT_GATEWAY","value":{"nat_gateway_type":{"provider":"scaleway","type":"VPC-GW-S"}}})", Updatable::yes,
     R"(["VPC-GW-S","VPC-GW-M","VPC-GW-L","VPC-GW-XL"])"},
};
constexpr Feature azure[] = {
    {"01900000-0000-7000-8000-000000000401", "Static IP", "Traffic of the cluster leaves from fixed addresses.", Paying::yes,
     "https://learn.microsoft.com/azure/nat-gateway/nat-overview", off, Updatable::no, either},
    {"01900000-0000-7000-8000-000000000402", "Node subnet", "The range of addresses of the cluster's nodes.", Paying::no,
     "https://learn.microsoft.com/azure/aks/concepts-network", R"({"type":"STRING","value":"10.0.0.0/16"})", Updatable::no, "[]"},
};

// The node autoscaler's value names the host's brand.
std::string autoscaler_value(std::string_view brand) {
  Writer out;
  out.begin_object().field("type", "KARPENTER").key("value").begin_object();
  out.field("spot_enabled", false).field("disk_size_in_gib", std::int64_t{50});
  out.field("default_service_architecture", "AMD64");
  out.key(branded(branded_names::node_pools, brand)).begin_object().key("requirements").begin_list().end_list().end_object();
  out.end_object().end_object();
  return std::move(out).take();
}

void write_feature(Writer& out, const Feature& feature, std::string_view brand) {
  out.begin_object().field("id", feature.id).field("title", feature.title).field("description", feature.description);
  out.field_null("cost_per_month_in_cents").field_null("cost_per_month").field_null("currency_code");
  out.field("is_cloud_provider_paying_feature", feature.paying == Paying::yes);
  out.field("cloud_provider_feature_documentation", feature.manual);
  out.field(branded(branded_names::paying_feature, brand), false);
  out.field_null(branded(branded_names::feature_documentation, brand));
  out.field("value_type", "BOOLEAN");
  out.field_raw("value_object", feature.value.empty() ? autoscaler_value(brand) : std::string(feature.value));
  out.field("is_value_updatable", feature.updatable == Updatable::yes);
  out.field_raw("accepted_values", feature.accepted).end_object();
}

Result<Answer> answer(Unit& unit, std::span<const Feature> features) {
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Feature& feature : features) write_feature(out, feature, unit.settings().brand);
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

Result<Answer> list_aws(Unit& unit, const Call&) { return answer(unit, aws); }
Result<Answer> list_gcp(Unit& unit, const Call&) { return answer(unit, gcp); }
Result<Answer> list_scaleway(Unit& unit, const Call&) { return answer(unit, scaleway); }
Result<Answer> list_azure(Unit& unit, const Call&) { return answer(unit, azure); }

constexpr std::string_view value_types[] = {"BOOLEAN"};
constexpr Field feature_fields[] = {
    uuid("id", "The feature."),
    text("title", "Its name."),
    text("description", "What it does.").nullable(),
    integer("cost_per_month_in_cents", "What it costs.").nullable().deprecated(),
    number("cost_per_month", "What it costs.").nullable().deprecated(),
    text("currency_code", "In which currency.").nullable().deprecated(),
    boolean("is_cloud_provider_paying_feature", "Whether the cloud provider charges for it."),
    text("cloud_provider_feature_documentation", "The cloud provider's manual of it.").nullable(),
    boolean(branded_names::paying_feature, "Whether the host charges for it."),
    text(branded_names::feature_documentation, "The host's manual of it.").nullable(),
    word("value_type", value_types, "What kind of value turns it on."),
    open_object("value_object", "Its value: `type`, and `value` of that type.").nullable(),
    boolean("is_value_updatable", "Whether it can be changed on a cluster that runs."),
    list_of("accepted_values", FieldKind::any, "The values it can take; empty for any."),
};
constexpr Shape feature_shape = {.name = "ClusterFeatureResponse", .fields = feature_fields};

constexpr Operation catalogue(std::string_view path, std::string_view name, Handler handle) {
  return {.path = path,
          .name = name,
          .handle = handle,
          .form = AnswerForm::shape_list,
          .answer = &feature_shape,
          .about = "The features that a cluster of this cloud provider can have."};
}

constexpr Operation operations[] = {
    catalogue("/aws/clusterFeature", "list_aws_features", list_aws),
    catalogue("/gcp/clusterFeature", "list_gcp_features", list_gcp),
    catalogue("/scaleway/clusterFeature", "list_scaleway_features", list_scaleway),
    catalogue("/azure/clusterFeature", "list_azure_features", list_azure),
};

}  // namespace

std::span<const Operation> cluster_feature_operations() { return operations; }

}  // namespace orlop
