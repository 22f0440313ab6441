// Catalogue of the features that clusters of each cloud provider can have.
#include <string_view>
#include <utility>

#include "base/brand.h"
#include "catalogs/feature_value.h"
#include "catalogs/offered_feature.h"
#include "endpoints/operation_set.h"
#include "wire/writer.h"

namespace orlop::operation_sets::clusters::features {
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
    uuid("id", "ID of the feature, which clusters use to select it."),
    text("title", "Display name of the feature."),
    text("description", "Purpose of the feature. Null: no text available.").nullable(),
    integer("cost_per_month_in_cents", "Monthly cost in cents of `currency_code`. Always null; kept for compatibility.")
        .nullable()
        .deprecated(),
    number("cost_per_month", "Monthly cost in `currency_code`. Always null; kept for compatibility.")
        .nullable()
        .deprecated(),
    text("currency_code", "ISO 4217 code of the currency of the cost. Always null; kept for compatibility.")
        .nullable()
        .deprecated(),
    boolean("is_cloud_provider_paying_feature", "True if the cloud provider charges for the feature."),
    text("cloud_provider_feature_documentation",
         "URL of the cloud provider's documentation of the feature. Null: none.")
        .nullable(),
    boolean(branded_names::paying_feature, "True if the platform charges for the feature."),
    text(branded_names::feature_documentation, "URL of the platform's documentation of the feature. Null: none.")
        .nullable(),
    enumeration(
        "value_type", value_types,
        "Type of the value as older clients expect it. Always `BOOLEAN`; `value_object.type` holds the actual type."),
    object("value_object", feature_values::value_object,
           "Default value of the feature with its type: `type`, and `value` of that type.")
        .nullable(),
    boolean("is_value_updatable",
            "True if the value can be changed after the cluster has been created. Default: false.")
        .defaults_to(false),
    list_of("accepted_values", FieldKind::any,
            "Values that the feature accepts: strings or booleans. Empty: any value of its type."),
};
constexpr Shape feature_shape = {.name = "ClusterFeatureResponse", .fields = feature_fields};

constexpr Operation catalogue(std::string_view path, std::string_view name, Handler handle) {
  return {.path = path,
          .name = name,
          .handle = handle,
          .form = AnswerForm::shape_list,
          .answer = &feature_shape,
          .summary = "List the features that clusters of a cloud provider offer",
          .about =
              "Returns the built-in catalog: which features a cluster can have, their default values, and whether a "
              "value can be changed later."};
}

constexpr Operation operations[] = {
    catalogue("/aws/clusterFeature", "list_aws_features", list_aws),
    catalogue("/gcp/clusterFeature", "list_gcp_features", list_gcp),
    catalogue("/scaleway/clusterFeature", "list_scaleway_features", list_scaleway),
    catalogue("/azure/clusterFeature", "list_azure_features", list_azure),
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::clusters::features
