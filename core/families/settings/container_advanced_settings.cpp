// Advanced settings of a container.
#include "families/shapes/rule_functions.h"
#include "families/shapes/services/advanced_settings.h"
#include "model/family.h"

namespace orlop::families::container_advanced_settings {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    setting_deployment_custom_domain_check_enabled,
    setting_deployment_termination_grace_period_seconds,
    setting_deployment_affinity_node_required,
    setting_deployment_antiaffinity_pod,
    setting_deployment_topology_spread_zone,
    setting_deployment_update_strategy_type,
    setting_deployment_update_strategy_rolling_update_max_unavailable_percent,
    setting_deployment_update_strategy_rolling_update_max_surge_percent,
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
    setting_ingress_proxy_request_buffering,
    setting_ingress_grpc_send_timeout_seconds,
    setting_ingress_grpc_read_timeout_seconds,
    setting_ingress_whitelist_source_range,
    setting_ingress_denylist_source_range,
    setting_ingress_extra_headers,
    setting_gateway_api_http_request_timeout_seconds,
    setting_gateway_api_http_connection_idle_timeout_seconds,
    setting_gateway_api_retry_num_retries,
    setting_gateway_api_retry_retry_on,
    setting_gateway_api_retry_http_status_codes,
    setting_gateway_api_retry_per_try_timeout_seconds,
    setting_ingress_basic_auth_env_var,
    setting_ingress_enable_sticky_session,
    setting_security_service_account_name,
    setting_hpa_cpu_average_utilization_percent,
    setting_hpa_memory_average_utilization_percent,
    setting_security_automount_service_account_token,
    setting_security_read_only_root_filesystem,
};

void check(const Value& record, ValidationContext&, Violations& violations) {
  check_text_maps(record, {"deployment.affinity.node.required"}, violations);
  check_switches(record, {"network.ingress.proxy_buffering", "network.ingress.proxy_request_buffering"}, violations);
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 61,
    .name = "container_advanced_settings",
    .schema = "ContainerAdvancedSettings",
    .segment = "advancedSettings",
    .id_name = "advancedSettingsId",
    .about = "The advanced settings of a container: each has a default, and a PUT replaces all of them.",
    .parent = "container",
    .path = PathForm::single,
    .fields = fields,
    .verbs = Verb::read | Verb::edit,
    .edit_status = 201,
    .name_scope = NameScope::none,
    .propagates = Propagation::parent,
    .defaults_path = "/defaultContainerAdvancedSettings",
    .configures = "advanced_settings",
    .sample = R"({"network.ingress.proxy_body_size_mb": 500, "hpa.cpu.average_utilization_percent": 80})",
    .takes_numbers_as_text = true,
    .check = check,
};

}  // namespace orlop::families::container_advanced_settings
