// Answers about states, as shapes for documents.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "base/brand.h"
#include "catalogs/observation_shape.h"
#include "model/field.h"

namespace orlop::operation_shapes {

inline constexpr std::string_view service_states[] = {
#define ORLOP_SERVICE_STATE(name, number, enum_value, ...) enum_value,
#include "lifecycle/states.def"
};
inline constexpr std::string_view cluster_states[] = {
#define ORLOP_CLUSTER_STATE(name, number, enum_value, ...) enum_value,
#include "lifecycle/states.def"
};
inline constexpr std::string_view freshness_values[] = {"NEVER_DEPLOYED", "OUT_OF_DATE", "UP_TO_DATE"};
inline constexpr std::string_view running_states[] = {"STARTING", "RUNNING", "WARNING",   "ERROR",
                                                      "STOPPING", "STOPPED", "COMPLETED", "UNKNOWN"};
inline constexpr std::string_view service_actions[] = {"DEPLOY", "DELETE", "RESTART", "STOP", "UNKNOWN"};
// Triggers of requests in histories and queues.
inline constexpr std::string_view trigger_actions[] = {"DEPLOY", "RESTART", "STOP", "DELETE", "UNINSTALL"};
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
    enumeration("action", service_actions, "Action of the last request.").required(),
    enumeration("status", action_statuses, "Progress or outcome of the last request.").required(),
    enumeration("sub_action", sub_actions, "Variant of the action for Terraform services. `NONE` for all other kinds.")
        .required(),
    text("reason", "Reason of the failure, or of the lost contact with the workload. Absent: none."),
};
inline constexpr Shape status_details = {.name = "StatusDetails", .fields = status_details_fields};

inline constexpr Field step_metric_fields[] = {
    enumeration("step_name", step_names, "Step of the deployment that was measured.").required(),
    enumeration("status", step_results, "Outcome of the step.").required(),
    integer("duration_sec", "Duration of the step, in seconds.").required(),
};
inline constexpr Shape step_metric = {.name = "ServiceStepMetric", .fields = step_metric_fields};

inline constexpr Field steps_fields[] = {
    integer("total_duration_sec", "Time between the request and its end, in seconds. Null: not ended.")
        .required()
        .nullable(),
    integer("total_computing_duration_sec", "Total duration without the time spent in queues, in seconds.").required(),
    list_of("details", step_metric, "Duration of each step that ran.").required(),
};
inline constexpr Shape steps = {.name = "ServiceStepMetrics", .fields = steps_fields};

inline constexpr Field status_fields[] = {
    uuid("id", "ID of the service.").required(),
    enumeration("state", service_states, "State of the service in its lifecycle.").required(),
    enumeration(
        "service_deployment_status", freshness_values,
        "Comparison of the configuration with what is deployed. `OUT_OF_DATE`: changed since the last deployment.")
        .required(),
    boolean("is_part_last_deployment", "True if the last request of the environment included the service.").required(),
    object("status_details", status_details, "Summary of the last request.").required(),
    uuid("deployment_request_id", "ID of the current or last request. Null: none yet.").required().nullable(),
    integer("deployment_requests_count", "Number of requests that include the service and have not ended.").required(),
    date_time("last_deployment_date", "Time of the last successful deployment, in UTC. Absent: never deployed."),
    enumeration("running_state", running_states,
                "Running state of the workload, as the driver reported it last. Absent: not reported yet, or stopped."),
    object("observation", observation, "Details of the running state, as the driver reported them. Absent: none."),
    object("steps", steps, "Durations of the steps of the last action."),
    text("execution_id", "ID of the run of the last request, for use in logs."),
};
inline constexpr Shape status = {.name = "Status", .fields = status_fields};
inline constexpr Shape reference_status = {.name = "ReferenceObjectStatus", .fields = status_fields};

inline constexpr std::string_view origins[] = {
    "API", "CLI", "CONSOLE", "GIT", branded_names::internal_origin, "SKILL", "TERRAFORM_PROVIDER"};
inline constexpr Field environment_status_fields[] = {
    uuid("id", "ID of the environment.").required(),
    enumeration("state", service_states, "State of the environment, computed from its requests and its services.")
        .required(),
    date_time("last_deployment_date", "Time at which the last request started, in UTC. Null: none yet.").nullable(),
    enumeration("last_deployment_state", service_states, "State of the environment under the current or last request.")
        .required(),
    text("last_deployment_id", "ID of the run of the last request, for use in logs. Null: none yet.").nullable(),
    integer("total_deployment_duration_in_seconds", "Duration of the last request, in seconds. Null: none yet.")
        .nullable(),
    enumeration("origin", origins, "Origin of the last request. Null: none yet.").nullable(),
    text("triggered_by", "Name of the caller that triggered the last request. Null: none yet.").nullable(),
    enumeration(
        "deployment_status", freshness_values,
        "Comparison of the configuration with what is deployed. `OUT_OF_DATE`: changed since the last deployment.")
        .required(),
    uuid("deployment_request_id", "ID of the current or last request. Null: none yet.").required().nullable(),
};
inline constexpr Shape environment_status = {.name = "EnvironmentStatus", .fields = environment_status_fields};

// Some actions on an environment answer with its status and members of a service's status.
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
    object("environment", environment_status, "Status of the environment as a whole.").required(),
    list_of("applications", status, "Statuses of the applications.").required(),
    list_of("containers", status, "Statuses of the containers.").required(),
    list_of("jobs", status, "Statuses of the jobs.").required(),
    list_of("databases", status, "Statuses of the databases.").required(),
    list_of("helms", status, "Statuses of the Helm services.").required(),
    list_of("terraforms", status, "Statuses of the Terraform services.").required(),
    list_of("argocd_apps", status, "Statuses of the ArgoCD applications."),
    list_of("agentic_workflows", status, "Statuses of the agentic workflows. Always empty: the engine deploys none."),
};
inline constexpr Shape environment_statuses = {.name = "EnvironmentStatuses", .fields = environment_statuses_fields};

inline constexpr std::string_view stage_step_names[] = {"TOTAL", "QUEUEING", "PROVISION_BUILDER"};
inline constexpr Field stage_step_fields[] = {
    uuid("stage_id", "ID of the deployment stage.").required(),
    enumeration("step_name", stage_step_names, "Name of the step.").required(),
    enumeration("status", step_results, "Outcome of the step.").required(),
    integer("duration_sec", "Duration of the step, in seconds.").required(),
};
inline constexpr Shape stage_step = {.name = "StageStepMetric", .fields = stage_step_fields};
inline constexpr Field stage_steps_fields[] = {
    uuid("stage_id", "ID of the deployment stage.").required(),
    integer("total_duration_sec",
            "Time between the start of the first and the end of the last service of the stage, in seconds. Null: not "
            "ended.")
        .required()
        .nullable(),
    list_of("details", stage_step, "Duration of the steps of the stage: `TOTAL`, once it has ended.").required(),
};
inline constexpr Shape stage_steps = {.name = "StageStepMetrics", .fields = stage_steps_fields};

inline constexpr Field stage_fields[] = {
    uuid("id", "ID of the deployment stage.").required(),
    text("name", "Name of the deployment stage.").required(),
    text("description", "Free text that describes the deployment stage.").required(),
    enumeration("status", stage_results, "Progress of the current or last request in the stage.").required(),
    object(
        "steps", stage_steps,
        "Duration of the stage in the current or last request. Absent: the request includes no service of the stage."),
};
inline constexpr Shape stage = {.name = "Stage", .fields = stage_fields};
inline constexpr Field stage_statuses_fields[] = {
    list_of("applications", status, "Statuses of the applications in the stage.").required(),
    list_of("containers", status, "Statuses of the containers in the stage.").required(),
    list_of("jobs", status, "Statuses of the jobs in the stage.").required(),
    list_of("databases", status, "Statuses of the databases in the stage.").required(),
    list_of("helms", status, "Statuses of the Helm services in the stage.").required(),
    list_of("terraforms", status, "Statuses of the Terraform services in the stage.").required(),
    list_of("argocd_apps", status, "Statuses of the ArgoCD applications in the stage. Absent if there are none."),
    list_of("agentic_workflows", status,
            "Statuses of the agentic workflows in the stage. Always empty: the engine deploys none."),
    object("stage", stage, "Deployment stage that contains the services.").required(),
};
inline constexpr Shape stage_statuses = {.name = "DeploymentStageWithServicesStatuses",
                                         .fields = stage_statuses_fields};
inline constexpr Field statuses_with_stages_fields[] = {
    object("environment", environment_status, "Status of the environment as a whole.").required(),
    list_of("stages", stage_statuses, "Stages of the environment in order of deployment.").required(),
};
inline constexpr Shape statuses_with_stages = {.name = "EnvironmentStatusesWithStages",
                                               .fields = statuses_with_stages_fields};

inline constexpr Field request_status_fields[] = {
    uuid("deployment_request_id", "ID of the deployment request.").required(),
    uuid("environment_id", "ID of the environment of the request.").required(),
    enumeration("status", service_states, "State of the environment under the request.").required(),
};
inline constexpr Shape request_status = {.name = "EnvDeploymentStatus", .fields = request_status_fields};

inline constexpr Field cluster_lock_fields[] = {
    text("reason", "Reason of the lock, as given when it was set.").required(),
    integer("ttl_in_days", "Lifetime of the lock in days.").required(),
    uuid("cluster_id", "ID of the locked cluster.").required(),
    date_time("locked_at", "Time at which the cluster was locked, in UTC.").required(),
    text("owner_name", "Name of the caller that locked the cluster.").required(),
};
inline constexpr Shape cluster_lock = {.name = "ClusterLock", .fields = cluster_lock_fields};

inline constexpr std::string_view cluster_reasons[] = {"UNSPECIFIED", "MAINTENANCE"};
inline constexpr Field cluster_status_fields[] = {
    uuid("cluster_id", "ID of the cluster.").required(),
    enumeration("status", cluster_states, "State of the cluster in its lifecycle.").required(),
    boolean("is_deployed", "True if the cluster is deployed.").required(),
    enumeration("reason", cluster_reasons, "Reason of the last action.").required(),
    text("next_k8s_available_version", "Kubernetes version to which the cluster can be upgraded. Null: none.")
        .nullable(),
    text("last_execution_id", "ID of the run of the last action, for use in logs. Null: none yet.").nullable(),
    object("cluster_lock", cluster_lock, "Lock of the cluster. Null: not locked.").nullable(),
    date_time("last_deployment_date", "Time of the last successful deployment, in UTC. Null: never deployed.")
        .nullable(),
    text("failure_reason", "Reason of the failure of the last action. Null: it did not fail.").nullable(),
};
inline constexpr Shape cluster_status = {.name = "ClusterStatus", .fields = cluster_status_fields};

}  // namespace orlop::operation_shapes
