// What a cluster can have beyond its nodes: networks of the customer's own, an autoscaler of nodes, fixed addresses.
#pragma once

#include "base/brand.h"
#include "families/shapes/rules.h"
#include "catalogs/feature_value.h"
#include "catalogs/offered_feature.h"

namespace orlop::shapes {

inline constexpr std::string_view feature_value_types[] = {"BOOLEAN"};

// The names with {brand} in them are patterns (base/brand.h).
inline constexpr Field feature_fields[] = {
    uuid("id", "The feature: its id as in the list of the cloud provider's features, or its word, as in `STATIC_IP`. The answer repeats the form that the request used.")
        .or_one_of(feature_values::feature_values)
        .required(),
    any("value", "What is chosen: a text, a truth value or an object, as the feature asks.").nullable().input_only(),
    text("title", "Its title.").read_only(),
    text("description", "What it is for.").nullable().read_only(),
    integer("cost_per_month_in_cents", "What it costs in a month.").nullable().read_only().deprecated(),
    number("cost_per_month", "What it costs in a month.").nullable().read_only().deprecated(),
    text("currency_code", "The currency of its cost.").nullable().read_only().deprecated(),
    boolean("is_cloud_provider_paying_feature", "Whether the cloud provider asks money for it.").read_only(),
    text("cloud_provider_feature_documentation", "The address of the cloud provider's own words on it.").nullable().read_only(),
    boolean(branded_names::paying_feature, "Whether the platform asks money for it.").read_only(),
    text(branded_names::feature_documentation, "The address of the platform's words on it.").nullable().read_only(),
    enumeration("value_type", feature_value_types, "The kind of its value, for old clients.").read_only(),
    object("value_object", feature_values::value_object, "What is chosen, with its type.").nullable(),
    boolean("is_value_updatable", "Whether the choice can be changed later.").read_only().defaults_to(false),
    list_of("accepted_values", FieldKind::any, "What can be chosen: texts and truth values.").read_only(),
};
inline constexpr Shape feature{.name = "ClusterFeature", .fields = feature_fields};

inline constexpr Field features = list_of("features", feature, "What it has beyond its nodes.").at_most(100).defaults_to_empty();

void check_features(const Value& record, ValidationContext& context, Violations& violations);
void complete_features(Value& record, ValidationContext& context);

}  // namespace orlop::shapes
