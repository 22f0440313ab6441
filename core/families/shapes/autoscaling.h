// How the number of a workload's instances follows what is asked of it.
#pragma once

#include "families/shapes/rules.h"

namespace orlop::shapes {

inline constexpr std::string_view autoscaling_modes[] = {"KEDA"};
inline constexpr std::string_view scaler_roles[] = {"PRIMARY", "SAFETY"};

inline constexpr Field trigger_authentication_fields[] = {
    uuid("id", "Its id.").read_only(),
    date_time("created_at", "When it was created.").read_only(),
    uuid("organization_id", "The organization it belongs to.").read_only(),
    text("name", "Its name.").required(),
    text("config_yaml", "What it says, as YAML."),
};
inline constexpr Shape trigger_authentication{.name = "KedaTriggerAuthentication", .fields = trigger_authentication_fields};

inline constexpr Field scaler_fields[] = {
    uuid("id", "Its id.").read_only(),
    date_time("created_at", "When it was created.").read_only(),
    text("scaler_type", "What it measures.").required().at_least(1),
    boolean("enabled", "Whether it counts.").defaults_to(true),
    enumeration("role", scaler_roles, "Whether it leads, or guards.").required(),
    open_object("config_json", "How it measures, as an object.").nullable(),
    text("config_yaml", "How it measures, as YAML.").nullable(),
    object("trigger_authentication", trigger_authentication, "How it may ask what it measures.").nullable(),
};
inline constexpr Shape scaler{.name = "KedaScaler", .fields = scaler_fields};

inline constexpr Field keda_fields[] = {
    integer("polling_interval_seconds", "Seconds between two measurements, at least 1.").at_least(1).defaults_to(30),
    integer("cooldown_period_seconds", "Seconds without need before the last instances go.").at_least(0).defaults_to(300),
    list_of("scalers", scaler, "What is measured, at least one.").required().at_least(1).at_most(100),
};
inline constexpr Field autoscaling_fields[] = {
    uuid("id", "Its id.").read_only(),
    date_time("created_at", "When it was created.").read_only(),
    uuid("service_id", "The service it scales.").read_only(),
    enumeration("mode", autoscaling_modes, "Who scales.").required(),
};
inline constexpr Variant autoscaling_variants[] = {{.enum_value = "KEDA", .fields = keda_fields}};
inline constexpr Shape autoscaling_policy{
    .name = "AutoscalingPolicy", .fields = autoscaling_fields, .discriminator = "mode", .variants = autoscaling_variants};

inline constexpr Field autoscaling = object("autoscaling", autoscaling_policy,
                                            "How the number of its instances follows the load; absent or null for a fixed range.")
                                         .nullable();

void complete_autoscaling(Value& record, ValidationContext& context);

}  // namespace orlop::shapes
