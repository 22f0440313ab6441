// Autoscaling of a workload's instances.
#pragma once

#include "families/shapes/rule_functions.h"

namespace orlop::shapes {

inline constexpr std::string_view autoscaling_modes[] = {"KEDA"};
inline constexpr std::string_view scaler_roles[] = {"PRIMARY", "SAFETY"};

inline constexpr Field trigger_authentication_fields[] = {
    uuid("id", "ID of the trigger authentication, assigned by the engine.").read_only().always_present(),
    date_time("created_at", "Time of creation, in UTC.").read_only().always_present(),
    date_time("updated_at", "Time of the last change, in UTC.").read_only(),
    uuid("organization_id", "ID of the organization that owns the trigger authentication.")
        .read_only()
        .always_present(),
    text("name", "Name of the KEDA TriggerAuthentication resource.").required(),
    text("config_yaml", "Specification of the KEDA TriggerAuthentication resource, as YAML."),
};
inline constexpr Shape trigger_authentication{.name = "KedaTriggerAuthentication",
                                              .fields = trigger_authentication_fields};

inline constexpr Field scaler_fields[] = {
    uuid("id",
         "ID of the scaler, assigned by the engine. An edit keeps it for a scaler with the same `scaler_type` and "
         "`role`.")
        .read_only()
        .always_present(),
    date_time("created_at", "Time of creation, in UTC.").read_only().always_present(),
    date_time("updated_at", "Time of the last change, in UTC.").read_only(),
    text("scaler_type", "KEDA scaler type, as in `prometheus` or `kafka`.").required().at_least(1),
    boolean("enabled", "Use this scaler for autoscaling. Default: true.").defaults_to(true),
    enumeration("role", scaler_roles,
                "Role of the scaler: `PRIMARY` drives the number of instances; `SAFETY` is a fallback trigger.")
        .required(),
    open_object("config_json",
                "Trigger metadata of the KEDA scaler as a JSON object, as in `{\"threshold\": \"100\"}`. Null: none, "
                "or given by "
                "`config_yaml`.")
        .nullable(),
    text("config_yaml",
         "Trigger metadata of the KEDA scaler as YAML. For the `prometheus` scaler this holds the PromQL query. Null: "
         "none, or "
         "given by `config_json`.")
        .nullable(),
    object("trigger_authentication", trigger_authentication,
           "KEDA TriggerAuthentication that the scaler uses to connect to its metrics source. Null: no authentication.")
        .nullable(),
};
inline constexpr Shape scaler{.name = "KedaScaler", .fields = scaler_fields};

inline constexpr Field keda_fields[] = {
    integer("polling_interval_seconds",
            "Interval at which KEDA evaluates the scalers, in seconds, at least 1. Default: 30.")
        .at_least(1)
        .defaults_to(30),
    integer("cooldown_period_seconds",
            "Time without an active scaler before KEDA scales down to the minimum number of instances, in seconds, at "
            "least 0. "
            "Default: 300.")
        .at_least(0)
        .defaults_to(300),
    list_of("scalers", scaler, "KEDA scalers of the policy, 1 to 100.").required().at_least(1).at_most(100),
};
inline constexpr Field autoscaling_fields[] = {
    uuid("id", "ID of the autoscaling policy, assigned by the engine.").read_only().always_present(),
    date_time("created_at", "Time of creation, in UTC.").read_only().always_present(),
    date_time("updated_at", "Time of the last change, in UTC.").read_only(),
    uuid("service_id", "ID of the service that the policy scales.").read_only().always_present(),
    enumeration("mode", autoscaling_modes,
                "Autoscaler that controls the number of instances. `KEDA`: Kubernetes Event-driven Autoscaling.")
        .required(),
};
inline constexpr Variant autoscaling_variants[] = {{.enum_value = "KEDA", .fields = keda_fields}};
inline constexpr Shape autoscaling_policy{.name = "AutoscalingPolicy",
                                          .fields = autoscaling_fields,
                                          .discriminator = "mode",
                                          .variants = autoscaling_variants};

inline constexpr Field autoscaling = object("autoscaling", autoscaling_policy,
                                            "Autoscaling policy that sets the number of instances between "
                                            "`min_running_instances` and `max_running_instances`. Null or "
                                            "absent: no policy.")
                                         .nullable();

void complete_autoscaling(Value& record, ValidationContext& context);

}  // namespace orlop::shapes
