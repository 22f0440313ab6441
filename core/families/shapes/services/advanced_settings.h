// Advanced settings that several kinds of services share.
#pragma once

#include "families/shapes/rule_functions.h"

namespace orlop::shapes {

inline constexpr std::string_view pod_antiaffinities[] = {"Preferred", "Requirred"};
inline constexpr std::string_view zone_spreads[] = {"Disabled", "ScheduleAnyway", "DoNotSchedule"};
inline constexpr std::string_view update_strategies[] = {"RollingUpdate", "Recreate"};

inline constexpr Field setting_build_timeout_max_sec =
    integer("build.timeout_max_sec", "Timeout of a build in seconds, 1 to 86400. Default: 1800.")
        .at_least(1)
        .at_most(86400)
        .defaults_to(1800);
inline constexpr Field setting_build_cpu_max_in_milli =
    integer("build.cpu_max_in_milli", "CPU limit of a build in millicores, 1 to 128000. Default: 4000.")
        .at_least(1)
        .at_most(128000)
        .defaults_to(4000);
inline constexpr Field setting_build_ram_max_in_gib =
    integer("build.ram_max_in_gib", "Memory limit of a build in GiB, 1 to 512. Default: 8.")
        .at_least(1)
        .at_most(512)
        .defaults_to(8);
inline constexpr Field setting_build_disable_buildkit_cache =
    boolean("build.disable_buildkit_cache", "Build without the cache of earlier builds. Default: false.")
        .defaults_to(false);
inline constexpr Field setting_build_skip_git_submodules =
    boolean("build.skip_git_submodules", "Check out the repository without its submodules. Default: false.")
        .defaults_to(false);
inline constexpr Field setting_deployment_custom_domain_check_enabled =
    boolean("deployment.custom_domain_check_enabled",
            "Check during a deployment that the custom domains point to the cluster. Default: true.")
        .defaults_to(true);
inline constexpr Field setting_deployment_termination_grace_period_seconds =
    integer("deployment.termination_grace_period_seconds",
            "Time in seconds that an instance has to end after SIGTERM, 0 to 86400. Default: 60.")
        .at_least(0)
        .at_most(86400)
        .defaults_to(60);
inline constexpr Field setting_deployment_affinity_node_required =
    open_object("deployment.affinity.node.required",
                "Labels that a node must have to run the instances, as a map of label to value. Default: empty.")
        .defaults_to_empty();
inline constexpr Field setting_deployment_antiaffinity_pod =
    enumeration("deployment.antiaffinity.pod", pod_antiaffinities,
                "Separation of the instances on nodes. `Preferred`: only if no other node has "
                "room. `Requirred`: never. Default: `Preferred`.")
        .defaults_to("Preferred");
inline constexpr Field setting_deployment_topology_spread_zone =
    enumeration("deployment.topology_spread.zone", zone_spreads,
                "Distribution of the instances over the availability zones. `ScheduleAnyway`: as even as possible. "
                "`DoNotSchedule`: an instance that would make it uneven is not started. Default: `Disabled`.")
        .defaults_to("Disabled");
inline constexpr Field setting_deployment_update_strategy_type =
    enumeration("deployment.update_strategy.type", update_strategies,
                "Replacement of the instances by a deployment. `RollingUpdate`: one after the other. `Recreate`: all "
                "are stopped first. Default: `RollingUpdate`.")
        .defaults_to("RollingUpdate");
inline constexpr Field setting_deployment_update_strategy_rolling_update_max_unavailable_percent =
    integer("deployment.update_strategy.rolling_update.max_unavailable_percent",
            "Share of the instances that may be unavailable during a rolling update, in percent, 0 to 100. "
            "Default: 25.")
        .at_least(0)
        .at_most(100)
        .defaults_to(25);
inline constexpr Field setting_deployment_update_strategy_rolling_update_max_surge_percent =
    integer("deployment.update_strategy.rolling_update.max_surge_percent",
            "Share of additional instances during a rolling update, in percent, 0 to 100. Default: 25.")
        .at_least(0)
        .at_most(100)
        .defaults_to(25);
inline constexpr Field setting_ingress_proxy_body_size_mb =
    integer("network.ingress.proxy_body_size_mb",
            "Maximum size of a request body in MB; 0 is unlimited, at least 0. Default: 100.")
        .at_least(0)
        .defaults_to(100);
inline constexpr Field setting_ingress_force_ssl_redirect =
    boolean("network.ingress.force_ssl_redirect", "Redirect HTTP requests to HTTPS. Default: true.").defaults_to(true);
inline constexpr Field setting_ingress_enable_cors =
    boolean("network.ingress.enable_cors", "Answer cross-origin requests (CORS). Default: false.").defaults_to(false);
inline constexpr Field setting_ingress_cors_allow_origin =
    text("network.ingress.cors_allow_origin", "Value of the header `Access-Control-Allow-Origin`. Default: `*`.")
        .defaults_to("*");
inline constexpr Field setting_ingress_cors_allow_methods =
    text("network.ingress.cors_allow_methods",
         "Value of the header `Access-Control-Allow-Methods`. Default: `GET, PUT, POST, DELETE, PATCH, "
         "OPTIONS`.")
        .defaults_to("GET, PUT, POST, DELETE, PATCH, OPTIONS");
inline constexpr Field setting_ingress_cors_allow_headers =
    text("network.ingress.cors_allow_headers",
         "Value of the header `Access-Control-Allow-Headers`. Default: `DNT,Keep-Alive,User-Agent,"
         "X-Requested-With,If-Modified-Since,Cache-Control,Content-Type,Range,Authorization`.")
        .defaults_to(
            "DNT,Keep-Alive,User-Agent,X-Requested-With,If-Modified-Since,Cache-Control,Content-Type,Range,"
            "Authorization");
inline constexpr Field setting_ingress_proxy_buffer_size_kb =
    integer("network.ingress.proxy_buffer_size_kb",
            "Size of the buffer for the headers of an answer, in KB, at least 1. Default: 4.")
        .at_least(1)
        .defaults_to(4);
inline constexpr Field setting_ingress_keepalive_time_seconds =
    integer("network.ingress.keepalive_time_seconds",
            "Longest time of a connection with keep-alive, in seconds, at least 0. Default: 3600.")
        .at_least(0)
        .defaults_to(3600);
inline constexpr Field setting_ingress_keepalive_timeout_seconds =
    integer("network.ingress.keepalive_timeout_seconds",
            "Time after which an idle connection with keep-alive is closed, in seconds, at least 0. Default: 60.")
        .at_least(0)
        .defaults_to(60);
inline constexpr Field setting_ingress_send_timeout_seconds =
    integer("network.ingress.send_timeout_seconds",
            "Timeout between two writes to the client, in seconds, at least 0. Default: 60.")
        .at_least(0)
        .defaults_to(60);
inline constexpr Field setting_ingress_proxy_connect_timeout_seconds =
    integer("network.ingress.proxy_connect_timeout_seconds",
            "Timeout of connecting to an instance, in seconds, at least 0. Default: 60.")
        .at_least(0)
        .defaults_to(60);
inline constexpr Field setting_ingress_proxy_send_timeout_seconds =
    integer("network.ingress.proxy_send_timeout_seconds",
            "Timeout between two writes to an instance, in seconds, at least 0. Default: 60.")
        .at_least(0)
        .defaults_to(60);
inline constexpr Field setting_ingress_proxy_read_timeout_seconds =
    integer("network.ingress.proxy_read_timeout_seconds",
            "Timeout between two reads from an instance, in seconds, at least 0. Default: 60.")
        .at_least(0)
        .defaults_to(60);
inline constexpr Field setting_ingress_grpc_send_timeout_seconds =
    integer("network.ingress.grpc_send_timeout_seconds",
            "Timeout between two writes to a gRPC server, in seconds, at least 0. Default: 60.")
        .at_least(0)
        .defaults_to(60);
inline constexpr Field setting_ingress_grpc_read_timeout_seconds =
    integer("network.ingress.grpc_read_timeout_seconds",
            "Timeout between two reads from a gRPC server, in seconds, at least 0. Default: 60.")
        .at_least(0)
        .defaults_to(60);
inline constexpr Field setting_ingress_proxy_buffering =
    text("network.ingress.proxy_buffering", "Buffering of answers by the ingress, `on` or `off`. Default: `on`.")
        .defaults_to("on");
inline constexpr Field setting_ingress_proxy_request_buffering =
    text("network.ingress.proxy_request_buffering",
         "Buffering of requests by the ingress, `on` or `off`. Default: `on`.")
        .defaults_to("on");
inline constexpr Field setting_ingress_whitelist_source_range =
    text("network.ingress.whitelist_source_range",
         "CIDR ranges from which requests are accepted, separated by commas. Default: `0.0.0.0/0`.")
        .defaults_to("0.0.0.0/0");
inline constexpr Field setting_ingress_denylist_source_range =
    text("network.ingress.denylist_source_range",
         "CIDR ranges from which requests are refused, separated by commas. Default: empty.")
        .defaults_to("");
inline constexpr Field setting_ingress_basic_auth_env_var =
    text("network.ingress.basic_auth_env_var",
         "Key of the variable that holds the users and passwords of basic authentication. Empty: no "
         "authentication. Default: empty.")
        .defaults_to("");
inline constexpr Field setting_ingress_enable_sticky_session =
    boolean("network.ingress.enable_sticky_session",
            "Send the requests of a client to the same instance. Default: false.")
        .defaults_to(false);
inline constexpr Field setting_ingress_extra_headers =
    text("network.ingress.extra_headers",
         "Additional headers of answers, as a JSON object of name to value. Default: `{}`.")
        .defaults_to("{}");
inline constexpr Field setting_gateway_api_http_request_timeout_seconds =
    integer("network.gateway_api.http_request_timeout_seconds",
            "Timeout of a whole request in seconds, at least 0. Default: null, the default of the gateway.")
        .at_least(0)
        .nullable()
        .defaults_to_null();
inline constexpr Field setting_gateway_api_http_connection_idle_timeout_seconds =
    integer("network.gateway_api.http_connection_idle_timeout_seconds",
            "Time after which an idle connection is closed, in seconds, at least 0. Default: null, the default of "
            "the gateway.")
        .at_least(0)
        .nullable()
        .defaults_to_null();
inline constexpr Field setting_gateway_api_retry_num_retries =
    integer("network.gateway_api.retry.num_retries",
            "Number of retries of a failed request, at least 0. Default: null, the default of the gateway.")
        .at_least(0)
        .nullable()
        .defaults_to_null();
inline constexpr Field setting_gateway_api_retry_retry_on =
    text("network.gateway_api.retry.retry_on",
         "Conditions of a retry, separated by commas, as in `connect-failure,5xx`. Default: null, the default "
         "of the gateway.")
        .nullable()
        .defaults_to_null();
inline constexpr Field setting_gateway_api_retry_http_status_codes =
    text("network.gateway_api.retry.http_status_codes",
         "HTTP statuses that are retried, separated by commas. Default: null, the default of the gateway.")
        .nullable()
        .defaults_to_null();
inline constexpr Field setting_gateway_api_retry_per_try_timeout_seconds =
    integer("network.gateway_api.retry.per_try_timeout_seconds",
            "Timeout of each try in seconds, at least 1. Default: null, the default of the gateway.")
        .at_least(1)
        .nullable()
        .defaults_to_null();
inline constexpr Field setting_hpa_cpu_average_utilization_percent =
    integer("hpa.cpu.average_utilization_percent",
            "CPU utilization in percent above which instances are added, 1 to 100. Default: 60.")
        .at_least(1)
        .at_most(100)
        .defaults_to(60);
inline constexpr Field setting_hpa_memory_average_utilization_percent =
    integer("hpa.memory.average_utilization_percent",
            "Memory utilization in percent above which instances are added, 1 to 100. Default: null, memory is "
            "not considered.")
        .at_least(1)
        .at_most(100)
        .nullable()
        .defaults_to_null();
inline constexpr Field setting_security_service_account_name =
    text("security.service_account_name",
         "Name of the Kubernetes service account of the instances. Empty: the default account of the "
         "namespace. Default: empty.")
        .defaults_to("");
inline constexpr Field setting_security_automount_service_account_token =
    boolean("security.automount_service_account_token",
            "Mount the token of the service account into the instances. Default: false.")
        .defaults_to(false);
inline constexpr Field setting_security_read_only_root_filesystem =
    boolean("security.read_only_root_filesystem", "Mount the root file system read-only. Default: false.")
        .defaults_to(false);

// Checks settings that are a map of text to text.
inline void check_text_maps(const Value& record, Names names, Violations& violations) {
  for (const std::string_view name : names) {
    const Value* map = record.find(name);
    if (map == nullptr || !map->is_object()) continue;
    for (const Member& member : map->members()) {
      if (!member.value.is_text())
        refuse(violations, name,
               "must be a map of texts; " + quoted(member.name) + " is " + std::string(describe(member.value.type())));
    }
  }
}

// Checks settings that are "on" or "off".
inline void check_switches(const Value& record, Names names, Violations& violations) {
  for (const std::string_view name : names) {
    const std::string_view given = record.text_or(name, "on");
    if (given != "on" && given != "off") refuse(violations, name, "must be on or off, not " + quoted(given));
  }
}

}  // namespace orlop::shapes
