// Features of clusters: the customer's networks, an autoscaler of nodes, fixed addresses.
#pragma once

#include "base/brand.h"
#include "catalogs/feature_value.h"
#include "catalogs/offered_feature.h"
#include "families/shapes/rule_functions.h"

namespace orlop::shapes {

inline constexpr std::string_view feature_value_types[] = {"BOOLEAN"};

// Names with {brand} are patterns (base/brand.h).
inline constexpr Field feature_fields[] = {
    uuid("id",
         "ID of the feature as in the list of the cloud provider's features, or its name, as in `STATIC_IP`. The "
         "response repeats "
         "the form that the request used.")
        .or_one_of(feature_values::feature_values)
        .required(),
    any("value",
        "Value of the feature: a string, a boolean or an object, depending on the feature. Null or absent: taken from "
        "`value_object`, else the default of the feature.")
        .nullable()
        .input_only(),
    text("title", "Display name of the feature.").read_only(),
    text("description", "Purpose of the feature. Null: no text available.").nullable().read_only(),
    integer("cost_per_month_in_cents", "Monthly cost in cents of `currency_code`. Always null; kept for compatibility.")
        .nullable()
        .read_only()
        .deprecated(),
    number("cost_per_month", "Monthly cost in `currency_code`. Always null; kept for compatibility.")
        .nullable()
        .read_only()
        .deprecated(),
    text("currency_code", "ISO 4217 code of the currency of the cost. Always null; kept for compatibility.")
        .nullable()
        .read_only()
        .deprecated(),
    boolean("is_cloud_provider_paying_feature", "True if the cloud provider charges for the feature.").read_only(),
    text("cloud_provider_feature_documentation",
         "URL of the cloud provider's documentation of the feature. Null: none.")
        .nullable()
        .read_only(),
    boolean(branded_names::paying_feature, "True if the platform charges for the feature.").read_only(),
    text(branded_names::feature_documentation, "URL of the platform's documentation of the feature. Null: none.")
        .nullable()
        .read_only(),
    enumeration(
        "value_type", feature_value_types,
        "Type of the value as older clients expect it. Always `BOOLEAN`; `value_object.type` holds the actual type.")
        .read_only(),
    object("value_object", feature_values::value_object,
           "Value of the feature with its type. In a request, used if `value` is absent. In a response, the value in "
           "force, "
           "defaults included.")
        .nullable(),
    boolean("is_value_updatable",
            "True if the value can be changed after the cluster has been created. Default: false.")
        .read_only()
        .defaults_to(false),
    list_of("accepted_values", FieldKind::any,
            "Values that the feature accepts: strings or booleans. Empty: any value of its type.")
        .read_only(),
};
inline constexpr Shape feature{.name = "ClusterFeature", .fields = feature_fields};

inline constexpr Field features = list_of("features", feature,
                                          "Optional features of the cluster, such as static IP addresses, Karpenter or "
                                          "an existing VPC; each feature at most once. "
                                          "Default: none.")
                                      .at_most(100)
                                      .defaults_to_empty();

void check_features(const Value& record, ValidationContext& context, Violations& violations);
void complete_features(Value& record, ValidationContext& context);

}  // namespace orlop::shapes
