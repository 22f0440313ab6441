#include "endpoints/history/parts/audit_names.h"

#include "base/family_number.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "wire/json.h"

namespace orlop {
namespace {

struct Target {
  std::string_view family;
  std::string_view type;
  std::string_view sub_type = {};  // set: the target is the owner of the record
};

// A service's target is its kind. Families that are not listed are not in the audit log.
constexpr Target targets[] = {
    {"organization", "ORGANIZATION"},
    {"project", "PROJECT"},
    {"environment", "ENVIRONMENT"},
    {"deployment_stage", "ENVIRONMENT", "DEPLOYMENT_STAGE"},
    {"environment_deployment_rule", "ENVIRONMENT", "DEPLOYMENT_RULE"},
    {"project_deployment_rule", "PROJECT", "DEPLOYMENT_RULE"},
    {"cluster", "CLUSTER"},
    {"aws_credentials", "ORGANIZATION", "CLOUD_PROVIDER_CREDENTIALS"},
    {"azure_credentials", "ORGANIZATION", "CLOUD_PROVIDER_CREDENTIALS"},
    {"gcp_credentials", "ORGANIZATION", "CLOUD_PROVIDER_CREDENTIALS"},
    {"scaleway_credentials", "ORGANIZATION", "CLOUD_PROVIDER_CREDENTIALS"},
    {"on_premise_credentials", "ORGANIZATION", "CLOUD_PROVIDER_CREDENTIALS"},
    {"container_registry", "CONTAINER_REGISTRY"},
    {"helm_repository", "HELM_REPOSITORY"},
    {"git_token", "ORGANIZATION", "GIT_TOKEN"},
    {"labels_group", "ORGANIZATION", "LABELS_GROUP"},
    {"annotations_group", "ORGANIZATION", "ANNOTATIONS_GROUP"},
    {"webhook", "WEBHOOK"},
    {"member", "MEMBERS_AND_ROLES", "MEMBER_ROLE"},
    {"invitation", "MEMBERS_AND_ROLES", "INVITATION"},
    {"custom_role", "MEMBERS_AND_ROLES", "CUSTOM_ROLE"},
    {"api_token", "ORGANIZATION", "API_TOKEN"},
    {"policy_api_token", "ORGANIZATION", "POLICY_API_TOKEN"},
    {"alert_rule", "ORGANIZATION", "ALERT_RULE"},
    {"argocd_mapping", "CLUSTER", "ARGOCD_CLUSTER_MAPPING"},
    {"argocd_config", "CLUSTER", "ARGOCD_CONFIGURATION"},
    {"alert_receiver", "ORGANIZATION", "ALERT_RECEIVER"},
    {"billing_info", "ORGANIZATION", "BILLING_INFO"},
    {"credit_card", "ORGANIZATION", "CREDIT_CARD"},
    {"mcp_server", "ORGANIZATION", "MCP_SERVER"},
    {"routing_table", "CLUSTER", "CLUSTER_ROUTING_TABLE"},
    {"cluster_advanced_settings", "CLUSTER", "ADVANCED_SETTINGS"},
    {"cluster_dns_provider", "CLUSTER", "DNS_PROVIDER"},
    {"agentic_workflow", "AGENTIC_WORKFLOW"},
};

bool is_target(std::string_view name) {
  for (const std::string_view known : audit_targets) {
    if (known == name) return true;
  }
  return false;
}

// The target is the owner of the variable, named like the variable's scope.
std::optional<AuditNames> variable_change(const Event& event, std::string_view type) {
  const auto detail = parse_stored(event.detail.empty() ? "{}" : event.detail.text());
  if (!detail) return std::nullopt;
  const std::string_view scope = detail->text_or("scope", "");
  for (const std::string_view target : audit_targets) {
    if (target == scope)
      return AuditNames{type, target, detail->boolean_or("is_secret", false) ? "SECRET" : "VARIABLE", true};
  }
  return std::nullopt;
}

std::optional<AuditNames> change_of(const Event& event, std::string_view type) {
  if (event.family == cluster_lock_number) return AuditNames{type == "DELETE" ? "UNLOCK" : "LOCK", "CLUSTER", {}, true};
  if (event.family == variable_number) return variable_change(event, type);
  const Family* family = find_family(event.family);
  if (family == nullptr) return std::nullopt;
  if (is_service(*family)) {
    return is_target(family->service_kind) ? std::optional(AuditNames{type, family->service_kind, {}, false})
                                           : std::nullopt;
  }
  for (const Target& target : targets) {
    if (target.family == family->name) return AuditNames{type, target.type, target.sub_type, !target.sub_type.empty()};
  }
  return std::nullopt;
}

// States of services and clusters have the same names, except for a dry run.
std::string_view type_of_state(std::string_view state) {
  if (state == "DEPLOYMENT_QUEUED") return "DEPLOY_QUEUED";
  if (state == "DEPLOYMENT_ERROR" || state == "BUILD_ERROR" || state == "INVALID_CREDENTIALS") return "DEPLOY_FAILED";
  if (state == "STOP_ERROR") return "STOP_FAILED";
  if (state == "DELETE_ERROR") return "DELETE_FAILED";
  if (state == "RESTART_ERROR") return "RESTART_FAILED";
  for (const std::string_view same :
       {"STOP_QUEUED", "RESTART_QUEUED", "DELETE_QUEUED", "DRY_RUN", "DEPLOYED", "STOPPED", "RESTARTED", "DELETED"}) {
    if (state == same) return same;
  }
  return {};
}

std::string_view type_of_change(std::string_view from, std::string_view to) {
  if (from == "DRY_RUN") return to == "INVALID_CREDENTIALS" ? "DEPLOYED_DRY_RUN_FAILED" : "DEPLOYED_DRY_RUN";
  if (to == "CANCELING" || (to == "CANCELED" && from != "CANCELING")) return "TRIGGER_CANCEL";
  return type_of_state(to);
}

std::optional<AuditNames> state_of(const Event& event) {
  const Family* family = find_family(event.family);
  if (family == nullptr || family->machine == MachineKind::task || family->machine == MachineKind::schedule)
    return std::nullopt;
  const bool is_cluster = family->machine == MachineKind::cluster;
  const auto name = [is_cluster](std::uint8_t state) {
    return is_cluster ? to_string(static_cast<ClusterState>(state)) : to_string(static_cast<ServiceState>(state));
  };
  const std::string_view type = type_of_change(name(event.from), name(event.to));
  const std::string_view target = is_cluster ? "CLUSTER" : family->service_kind;
  if (type.empty() || !is_target(target)) return std::nullopt;
  return AuditNames{type, target, {}, false};
}

// An uninstall goes through the states of a delete; its events are marked.
bool is_uninstall(const Event& event) {
  const auto detail = parse_stored(event.detail.empty() ? "{}" : event.detail.text());
  return detail && detail->boolean_or("uninstall", false);
}

std::string_view type_of_queued(const Event& event) {
  const auto state = static_cast<ServiceState>(event.to);
  if (state == ServiceState::deployment_queued) return "TRIGGER_DEPLOY";
  if (state == ServiceState::stop_queued) return "TRIGGER_STOP";
  if (state == ServiceState::restart_queued) return "TRIGGER_RESTART";
  return is_uninstall(event) ? "TRIGGER_UNINSTALL" : "TRIGGER_DELETE";
}

std::string_view type_of_ended(const Event& event) {
  const auto state = static_cast<ServiceState>(event.to);
  if (state == ServiceState::canceled) return {};
  if (is_uninstall(event)) return is_error(state) ? "UNINSTALL_FAILED" : "UNINSTALLED";
  return type_of_state(to_string(state));
}

// Names of a request's begin and end; the target is the environment.
std::optional<AuditNames> request_of(std::string_view type) {
  if (type.empty()) return std::nullopt;
  return AuditNames{type, "ENVIRONMENT", {}, true};
}

}  // namespace

std::optional<AuditNames> audit_names(const Event& event) {
  switch (event.kind) {
    case EventKind::created: return change_of(event, "CREATE");
    case EventKind::edited: return change_of(event, "UPDATE");
    case EventKind::deleted: return change_of(event, "DELETE");
    case EventKind::state_changed: return state_of(event);
    case EventKind::request_queued: return request_of(type_of_queued(event));
    case EventKind::request_ended: return request_of(type_of_ended(event));
    case EventKind::request_started:
    case EventKind::step_started:
    case EventKind::step_ended:
    case EventKind::progress:
    case EventKind::log_line:
    case EventKind::running_changed:
    case EventKind::freshness_changed: break;
  }
  return std::nullopt;
}

}  // namespace orlop
