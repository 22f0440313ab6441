// Advanced settings of an application.
#include "families/shapes/rule_functions.h"
#include "families/shapes/services/advanced_settings.h"
#include "model/family.h"

namespace orlop::families::application_advanced_settings {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    setting_deployment_custom_domain_check_enabled,
    setting_deployment_termination_grace_period_seconds,
    setting_deployment_affinity_node_required,
    setting_deployment_antiaffinity_pod,
    setting_deployment_topology_spread_zone,
    list_of("deployment.lifecycle.post_start_exec_command", FieldKind::text,
            "Command and arguments that run in a container after its start. Default: empty.")
        .at_most(100)
        .defaults_to_empty(),
    list_of("deployment.lifecycle.pre_stop_exec_command", FieldKind::text,
            "Command and arguments that run in a container before it gets SIGTERM. Default: empty.")
        .at_most(100)
        .defaults_to_empty(),
    setting_deployment_update_strategy_type,
    setting_deployment_update_strategy_rolling_update_max_unavailable_percent,
    setting_deployment_update_strategy_rolling_update_max_surge_percent,
    setting_build_timeout_max_sec,
    setting_build_cpu_max_in_milli,
    setting_build_ram_max_in_gib,
    setting_build_disable_buildkit_cache,
    setting_build_skip_git_submodules,
    setting_ingress_proxy_body_size_mb,
    setting_ingress_force_ssl_redirect,
    setting_ingress_enable_cors,
    setting_ingress_cors_allow_origin,
    setting_ingress_cors_allow_methods,
    setting_ingress_cors_allow_headers,
    setting_ingress_proxy_buffer_size_kb,
    setting_ingress_keepalive_time_seconds,
    setting_ingress_keepalive_timeout_seconds,
    setting_ingress_send_timeout_seconds,
    setting_ingress_proxy_connect_timeout_seconds,
    setting_ingress_proxy_send_timeout_seconds,
    setting_ingress_proxy_read_timeout_seconds,
    setting_ingress_proxy_buffering,
    setting_ingress_whitelist_source_range,
    setting_ingress_denylist_source_range,
    setting_ingress_basic_auth_env_var,
    setting_ingress_enable_sticky_session,
    setting_ingress_grpc_send_timeout_seconds,
    setting_ingress_grpc_read_timeout_seconds,
    setting_ingress_extra_headers,
    setting_gateway_api_http_request_timeout_seconds,
    setting_gateway_api_http_connection_idle_timeout_seconds,
    setting_gateway_api_retry_num_retries,
    setting_gateway_api_retry_retry_on,
    setting_gateway_api_retry_http_status_codes,
    setting_gateway_api_retry_per_try_timeout_seconds,
    setting_hpa_cpu_average_utilization_percent,
    setting_hpa_memory_average_utilization_percent,
    setting_security_service_account_name,
    setting_security_automount_service_account_token,
    setting_security_read_only_root_filesystem,
};

void check(const Value& record, ValidationContext&, Violations& violations) {
  check_text_maps(record, {"deployment.affinity.node.required"}, violations);
  check_switches(record, {"network.ingress.proxy_buffering"}, violations);
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 60,
    .name = "application_advanced_settings",
    .schema = "ApplicationAdvancedSettings",
    .segment = "advancedSettings",
    .id_name = "advancedSettingsId",
    .about = "The advanced settings of an application: each has a default, and a PUT replaces all of them.",
    .parent = "application",
    .path = PathForm::single,
    .fields = fields,
    .verbs = Verb::read | Verb::edit,
    .edit_status = 201,
    .name_scope = NameScope::none,
    .propagates = Propagation::parent,
    .defaults_path = "/defaultApplicationAdvancedSettings",
    .configures = "advanced_settings",
    .sample = R"({"build.timeout_max_sec": 3600, "network.ingress.proxy_body_size_mb": 500})",
    .takes_numbers_as_text = true,
    .check = check,
};

}  // namespace orlop::families::application_advanced_settings
