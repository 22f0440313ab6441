// The features that a cluster of each cloud provider can have: a catalogue.
#include <string_view>
#include <utility>

#include "base/brand.h"
#include "catalogs/feature_value.h"
#include "catalogs/offered_feature.h"
#include "operations/operation_set.h"
#include "wire/writer.h"

namespace orlop {
namespace {

Result<Answer> answer(Unit& unit, std::string_view provider) {
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const OfferedFeature& feature : offered_features()) {
    if (feature.provider == provider) out.value(describe_feature(feature, unit.settings().brand));
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

Result<Answer> list_aws(Unit& unit, const Call&) { return answer(unit, "AWS"); }
Result<Answer> list_gcp(Unit& unit, const Call&) { return answer(unit, "GCP"); }
Result<Answer> list_scaleway(Unit& unit, const Call&) { return answer(unit, "SCW"); }
Result<Answer> list_azure(Unit& unit, const Call&) { return answer(unit, "AZURE"); }

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
    enumeration("value_type", value_types, "What kind of value turns it on."),
    object("value_object", feature_values::value_object, "Its value: `type`, and `value` of that type.").nullable(),
    boolean("is_value_updatable", "Whether it can be changed on a cluster that runs.").defaults_to(false),
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

namespace operation_sets::clusters {
extern const OperationSet features;
constexpr OperationSet features = {
    .operations = operations,
};
}  // namespace operation_sets::clusters

}  // namespace orlop
