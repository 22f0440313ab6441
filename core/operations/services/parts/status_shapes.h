// The answers about states, as shapes for documents.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "model/field.h"

namespace orlop::trait_shapes {

inline constexpr std::string_view service_states[] = {
#define ORLOP_SERVICE_STATE(name, number, enum_value, ...) enum_value,
#include "lifecycle/states.def"
};
inline constexpr std::string_view cluster_states[] = {
#define ORLOP_CLUSTER_STATE(name, number, enum_value, ...) enum_value,
#include "lifecycle/states.def"
};
inline constexpr std::string_view freshness_values[] = {"NEVER_DEPLOYED", "OUT_OF_DATE", "UP_TO_DATE"};
inline constexpr std::string_view service_actions[] = {"DEPLOY", "DELETE", "RESTART", "STOP", "UNKNOWN"};
inline constexpr std::string_view action_statuses[] = {"QUEUED",    "ONGOING",  "SUCCESS",   "ERROR",
                                                       "EXECUTING", "CANCELED", "CANCELING", "NEVER"};
inline constexpr std::string_view sub_actions[] = {"NONE",
                                                   "TERRAFORM_PLAN_ONLY",
                                                   "TERRAFORM_PLAN_AND_APPLY",
                                                   "TERRAFORM_DESTROY",
                                                   "TERRAFORM_FORCE_UNLOCK_STATE",
                                                   "TERRAFORM_MIGRATE_STATE"};
inline constexpr std::string_view step_names[] = {
    "REGISTRY_CREATE_REPOSITORY", "GIT_CLONE",    "BUILD_QUEUEING", "BUILD", "DEPLOYMENT_QUEUEING", "DEPLOYMENT",
    "ROUTER_DEPLOYMENT",          "MIRROR_IMAGE", "EXECUTING"};
inline constexpr std::string_view step_results[] = {"SUCCESS", "ERROR", "CANCEL", "SKIP"};
inline constexpr std::string_view stage_results[] = {"QUEUED", "ONGOING", "DONE", "ERROR", "SKIPPED", "CANCELED"};

inline constexpr Field status_details_fields[] = {
    enumeration("action", service_actions, "What the last request asked for.").required(),
    enumeration("status", action_statuses, "How far it is.").required(),
    enumeration("sub_action", sub_actions, "What kind of it; NONE but for terraform services.").required(),
    text("reason", "Why it failed, or why the workload cannot be reached. Absent where there is nothing to say."),
};
inline constexpr Shape status_details = {.name = "StatusDetails", .fields = status_details_fields};

inline constexpr Field step_metric_fields[] = {
    enumeration("step_name", step_names, "The step.").required(),
    enumeration("status", step_results, "How it ended.").required(),
    integer("duration_sec", "How long it took, in seconds.").required(),
};
inline constexpr Shape step_metric = {.name = "ServiceStepMetric", .fields = step_metric_fields};

inline constexpr Field steps_fields[] = {
    integer("total_duration_sec", "From the request to its end, in seconds.").required().nullable(),
    integer("total_computing_duration_sec", "Without the time spent waiting, in seconds.").required(),
    list_of("details", step_metric, "Each step that ran.").required(),
};
inline constexpr Shape steps = {.name = "ServiceStepMetrics", .fields = steps_fields};

inline constexpr Field status_fields[] = {
    uuid("id", "The service.").required(),
    enumeration("state", service_states, "What the last action is doing, or did.").required(),
    enumeration("service_deployment_status", freshness_values, "Whether what runs is what is configured.").required(),
    boolean("is_part_last_deployment", "Whether the environment's last request concerned it.").required(),
    object("status_details", status_details, "The last request in short.").required(),
    uuid("deployment_request_id", "The current or last request.").required().nullable(),
    integer("deployment_requests_count", "How many of its requests have not ended.").required(),
    date_time("last_deployment_date", "When it was last deployed."),
    object("steps", steps, "What the last action spent its time on."),
    text("execution_id", "Names the run of the last request in logs."),
};
inline constexpr Shape status = {.name = "Status", .fields = status_fields};
inline constexpr Shape reference_status = {.name = "ReferenceObjectStatus", .fields = status_fields};

inline constexpr std::string_view origins[] = {"API", "CLI", "CONSOLE", "GIT", "TERRAFORM_PROVIDER"};
inline constexpr Field environment_status_fields[] = {
    uuid("id", "The environment.").required(),
    enumeration("state", service_states, "Computed from its requests and its services.").required(),
    date_time("last_deployment_date", "When its last request began.").nullable(),
    enumeration("last_deployment_state", service_states, "The state of its last or current request.").required(),
    text("last_deployment_id", "Names the run of that request in logs.").nullable(),
    integer("total_deployment_duration_in_seconds", "How long its last request took.").nullable(),
    enumeration("origin", origins, "Where that request came from.").nullable(),
    text("triggered_by", "Who asked for it.").nullable(),
    enumeration("deployment_status", freshness_values, "Whether what runs is what is configured.").required(),
    uuid("deployment_request_id", "The current or last request.").nullable(),
};
inline constexpr Shape environment_status = {.name = "EnvironmentStatus", .fields = environment_status_fields};

// Some actions on an environment answer its status with the members of a service's status beside.
inline constexpr auto action_status_fields = [] {
  std::array<Field, std::size(environment_status_fields) + 5> fields;
  auto* const end = std::ranges::copy(environment_status_fields, fields.begin()).out;
  std::ranges::copy_if(status_fields, end, [](const Field& field) {
    constexpr std::string_view added[] = {"service_deployment_status", "is_part_last_deployment", "status_details",
                                          "deployment_requests_count", "execution_id"};
    return std::ranges::find(added, field.name) != std::end(added);
  });
  return fields;
}();
inline constexpr Shape action_status = {.name = "EnvironmentActionStatus", .fields = action_status_fields};

inline constexpr Field environment_statuses_fields[] = {
    object("environment", environment_status, "The environment itself."),
    list_of("applications", status, "Its applications."),
    list_of("containers", status, "Its containers."),
    list_of("jobs", status, "Its jobs."),
    list_of("databases", status, "Its databases."),
    list_of("helms", status, "Its Helm services."),
    list_of("terraforms", status, "Its terraform services."),
    list_of("argocd_apps", status, "Its ArgoCD applications."),
};
inline constexpr Shape environment_statuses = {.name = "EnvironmentStatuses", .fields = environment_statuses_fields};

inline constexpr Field stage_fields[] = {
    uuid("id", "The stage."),
    text("name", "Its name."),
    text("description", "What it is for."),
    enumeration("status", stage_results, "How far the current or last request is in it."),
};
inline constexpr Shape stage = {.name = "Stage", .fields = stage_fields};
inline constexpr Field stage_statuses_fields[] = {
    list_of("applications", status, "Its applications."),
    list_of("containers", status, "Its containers."),
    list_of("jobs", status, "Its jobs."),
    list_of("databases", status, "Its databases."),
    list_of("helms", status, "Its Helm services."),
    list_of("terraforms", status, "Its terraform services."),
    list_of("argocd_apps", status, "Its ArgoCD applications."),
    object("stage", stage, "The stage itself."),
};
inline constexpr Shape stage_statuses = {.name = "DeploymentStageWithServicesStatuses", .fields = stage_statuses_fields};
inline constexpr Field statuses_with_stages_fields[] = {
    object("environment", environment_status, "The environment itself."),
    list_of("stages", stage_statuses, "Its stages in their order."),
};
inline constexpr Shape statuses_with_stages = {.name = "EnvironmentStatusesWithStages", .fields = statuses_with_stages_fields};

inline constexpr Field request_status_fields[] = {
    uuid("deployment_request_id", "The request.").required(),
    uuid("environment_id", "Its environment.").required(),
    enumeration("status", service_states, "The state of the environment under this request.").required(),
};
inline constexpr Shape request_status = {.name = "EnvDeploymentStatus", .fields = request_status_fields};

inline constexpr Field cluster_lock_fields[] = {
    text("reason", "Why it is locked.").required(),  integer("ttl_in_days", "How many days the lock holds.").required(),
    uuid("cluster_id", "The cluster.").required(),   date_time("locked_at", "When it was locked.").required(),
    text("owner_name", "Who locked it.").required(),
};
inline constexpr Shape cluster_lock = {.name = "ClusterLock", .fields = cluster_lock_fields};

inline constexpr std::string_view cluster_reasons[] = {"UNSPECIFIED", "MAINTENANCE"};
inline constexpr Field cluster_status_fields[] = {
    uuid("cluster_id", "The cluster.").required(),
    enumeration("status", cluster_states, "What the last action is doing, or did.").required(),
    boolean("is_deployed", "Whether it runs.").required(),
    enumeration("reason", cluster_reasons, "Why the last action was started.").required(),
    text("next_k8s_available_version", "The version it can be upgraded to.").nullable(),
    text("last_execution_id", "Names the run of the last action in logs.").nullable(),
    object("cluster_lock", cluster_lock, "The lock that holds now.").nullable(),
    date_time("last_deployment_date", "When it was last deployed.").nullable(),
    text("failure_reason", "Why the last action failed. Null if it did not fail.").nullable(),
};
inline constexpr Shape cluster_status = {.name = "ClusterStatus", .fields = cluster_status_fields};

}  // namespace orlop::trait_shapes
