// Names in the organization's audit log: type and target of an event of the feed.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "endpoints/services/parts/status_shapes.h"
#include "store/store.h"

namespace orlop {

inline constexpr std::string_view audit_types[] = {"CREATE",
                                                   "UPDATE",
                                                   "DELETE",
                                                   "ACCEPT",
                                                   "EXPORT",
                                                   "CLONE",
                                                   "DEPLOY_QUEUED",
                                                   "STOP_QUEUED",
                                                   "RESTART_QUEUED",
                                                   "DELETE_QUEUED",
                                                   "UNINSTALL_QUEUED",
                                                   "MAINTENANCE",
                                                   "DRY_RUN",
                                                   "TRIGGER_REDEPLOY",
                                                   "TRIGGER_CANCEL",
                                                   "FORCE_RUN_QUEUED",
                                                   "FORCE_RUN_QUEUED_DEPLOY",
                                                   "FORCE_RUN_QUEUED_STOP",
                                                   "FORCE_RUN_QUEUED_DELETE",
                                                   "TRIGGER_DEPLOY",
                                                   "TRIGGER_STOP",
                                                   "TRIGGER_RESTART",
                                                   "TRIGGER_DELETE",
                                                   "TRIGGER_UNINSTALL",
                                                   "TRIGGER_DEPLOY_DRY_RUN",
                                                   "TRIGGER_TERRAFORM_FORCE_UNLOCK",
                                                   "TRIGGER_TERRAFORM_MIGRATE_STATE",
                                                   "TRIGGER_FORCE_RUN",
                                                   "TRIGGER_FORCE_RUN_DEPLOY",
                                                   "TRIGGER_FORCE_RUN_STOP",
                                                   "TRIGGER_FORCE_RUN_DELETE",
                                                   "DEPLOYED",
                                                   "STOPPED",
                                                   "DELETED",
                                                   "UNINSTALLED",
                                                   "RESTARTED",
                                                   "DEPLOYED_DRY_RUN",
                                                   "FORCE_RUN_SUCCEEDED",
                                                   "TERRAFORM_FORCE_UNLOCK_SUCCEEDED",
                                                   "TERRAFORM_MIGRATE_STATE_SUCCEEDED",
                                                   "DEPLOY_FAILED",
                                                   "STOP_FAILED",
                                                   "DELETE_FAILED",
                                                   "UNINSTALL_FAILED",
                                                   "RESTART_FAILED",
                                                   "DEPLOYED_DRY_RUN_FAILED",
                                                   "FORCE_RUN_FAILED",
                                                   "TERRAFORM_FORCE_UNLOCK_FAILED",
                                                   "TERRAFORM_MIGRATE_STATE_FAILED",
                                                   "SHELL",
                                                   "PORT_FORWARD",
                                                   "REMOTE_DEBUG",
                                                   "MCP",
                                                   "IMPORT",
                                                   "LOCK",
                                                   "UNLOCK",
                                                   "POLICY_FAILED"};

inline constexpr std::string_view audit_targets[] = {
    "AGENTIC_WORKFLOW",      "APPLICATION", "CLUSTER", "CONTAINER", "CONTAINER_REGISTRY", "DATABASE",
    "ENTERPRISE_CONNECTION", "ENVIRONMENT", "JOB",     "HELM",      "HELM_REPOSITORY",    "MEMBERS_AND_ROLES",
    "ORGANIZATION",          "PROJECT",     "WEBHOOK", "TERRAFORM"};

inline constexpr std::string_view audit_sub_targets[] = {"ADVANCED_SETTINGS",
                                                         "ALERT_RECEIVER",
                                                         "ALERT_RULE",
                                                         "ANNOTATIONS_GROUP",
                                                         "API_TOKEN",
                                                         "ARGOCD_CLUSTER_MAPPING",
                                                         "ARGOCD_CONFIGURATION",
                                                         "BILLING_INFO",
                                                         "BILLING_USAGE_REPORT",
                                                         "BLUEPRINT_MIGRATION",
                                                         "CLOUD_PROVIDER_CREDENTIALS",
                                                         "CLUSTER_CREDENTIALS",
                                                         "CLUSTER_ROUTING_TABLE",
                                                         "CONFIG",
                                                         "CREDIT_CARD",
                                                         "CREDIT_CODE",
                                                         "CUSTOM_DOMAIN",
                                                         "CUSTOM_ROLE",
                                                         "DEPLOYMENT_RULE",
                                                         "DEPLOYMENT_STAGE",
                                                         "DNS_PROVIDER",
                                                         "GITHUB_APP",
                                                         "GIT_REPOSITORY",
                                                         "GIT_TOKEN",
                                                         "INVITATION",
                                                         "JWT_TOKEN_FORGED",
                                                         "KUBERNETES_CONFIGURATION",
                                                         "KUBERNETES_CREDENTIALS",
                                                         "LABELS_GROUP",
                                                         "MCP_SERVER",
                                                         "MEMBER_ROLE",
                                                         "PLAN",
                                                         "POLICY_API_TOKEN",
                                                         "REMOTE_ACCESS",
                                                         "SECRET",
                                                         "SSO",
                                                         "TERRAFORM",
                                                         "TOOL_CALL",
                                                         "TRANSFER_OWNERSHIP",
                                                         "VARIABLE"};

inline constexpr std::span<const std::string_view> audit_origins = operation_shapes::origins;

struct AuditNames {
  std::string_view type;        // one of audit_types
  std::string_view target;      // one of audit_targets
  std::string_view sub_target;  // one of audit_sub_targets; "" for none
  bool is_of_owner = false;     // the target is the event's owner: for a stage, its environment
};

// Returns nullopt for an event that the interface's log has no names for.
std::optional<AuditNames> audit_names(const Event& event);

}  // namespace orlop
