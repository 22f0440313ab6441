// What the actions on services, environments and clusters take.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/field.h"

namespace orlop::trait_shapes {

inline constexpr std::int64_t services_selected_max = 10'000;  // services of one kind that one request names

inline constexpr Shape nothing = {.name = "EmptyRequest"};

inline constexpr Field deploy_application_fields[] = {text("git_commit_id", "The commit to deploy.").required().at_least(1)};
inline constexpr Shape deploy_application = {.name = "DeployRequest", .fields = deploy_application_fields};

inline constexpr Field deploy_container_fields[] = {
    text("image_tag", "Tag to deploy; kept as the container's tag. Absent or empty: the tag that the container has.").empty_is_absent()};
inline constexpr Shape deploy_container = {.name = "ContainerDeployRequest", .fields = deploy_container_fields};

inline constexpr Field deploy_job_fields[] = {
    text("image_tag", "The tag to deploy, for a job made of an image.").empty_is_absent(),
    text("git_commit_id", "The commit to deploy, for a job built from a repository.").empty_is_absent(),
};
inline constexpr Shape deploy_job = {.name = "JobDeployRequest", .fields = deploy_job_fields};

inline constexpr Field deploy_helm_fields[] = {
    text("chart_version", "The chart's version to deploy, for a chart of a Helm repository.").empty_is_absent(),
    text("git_commit_id", "The chart's commit to deploy, for a chart of a git repository.").empty_is_absent(),
    text("values_override_git_commit_id", "The commit of the values' repository.").empty_is_absent(),
};
inline constexpr Shape deploy_helm = {.name = "HelmDeployRequest", .fields = deploy_helm_fields};

inline constexpr std::string_view terraform_actions[] = {"PLAN", "FORCE_UNLOCK", "MIGRATE_STATE"};
inline constexpr Field deploy_terraform_fields[] = {
    uuid("id", "The service, in a selection.").nullable(),
    text("git_commit_id", "The commit to deploy.").empty_is_absent(),
    enumeration("action", terraform_actions, "What to do in place of plan and apply.").nullable(),
};
inline constexpr Shape deploy_terraform = {.name = "TerraformDeployRequest", .fields = deploy_terraform_fields};

inline constexpr Field selected_application_fields[] = {
    uuid("application_id", "The application.").required(),
    text("git_commit_id", "The commit to deploy.").empty_is_absent(),
};
inline constexpr Shape selected_application = {.name = "DeployAllRequestApplications", .fields = selected_application_fields};
inline constexpr Field selected_container_fields[] = {
    uuid("id", "The container.").required(),
    text("image_tag", "The tag to deploy.").empty_is_absent(),
};
inline constexpr Shape selected_container = {.name = "DeployAllRequestContainers", .fields = selected_container_fields};
inline constexpr Field selected_job_fields[] = {
    uuid("id", "The job.").required(),
    text("image_tag", "The tag to deploy.").empty_is_absent(),
    text("git_commit_id", "The commit to deploy.").empty_is_absent(),
};
inline constexpr Shape selected_job = {.name = "DeployAllRequestJobs", .fields = selected_job_fields};
inline constexpr Field selected_helm_fields[] = {
    uuid("id", "The Helm service.").required(),
    text("chart_version", "The chart's version to deploy.").empty_is_absent(),
    text("git_commit_id", "The chart's commit to deploy.").empty_is_absent(),
    text("values_override_git_commit_id", "The commit of the values' repository.").empty_is_absent(),
};
inline constexpr Shape selected_helm = {.name = "DeployAllRequestHelms", .fields = selected_helm_fields};

inline constexpr Field deploy_selection_fields[] = {
    list_of("applications", selected_application, "Applications to deploy.").at_most(services_selected_max),
    list_of("databases", FieldKind::id, "Databases to deploy.").at_most(services_selected_max),
    list_of("containers", selected_container, "Containers to deploy.").at_most(services_selected_max),
    list_of("jobs", selected_job, "Jobs to deploy.").at_most(services_selected_max),
    list_of("helms", selected_helm, "Helm services to deploy.").at_most(services_selected_max),
    list_of("terraforms", deploy_terraform, "Terraform services to deploy.").at_most(services_selected_max),
};
inline constexpr Shape deploy_selection = {.name = "DeployAllRequest", .fields = deploy_selection_fields};

inline constexpr Field selection_fields[] = {
    list_of("application_ids", FieldKind::id, "Applications.").at_most(services_selected_max),
    list_of("container_ids", FieldKind::id, "Containers.").at_most(services_selected_max),
    list_of("database_ids", FieldKind::id, "Databases.").at_most(services_selected_max),
    list_of("job_ids", FieldKind::id, "Jobs.").at_most(services_selected_max),
    list_of("helm_ids", FieldKind::id, "Helm services.").at_most(services_selected_max),
    list_of("terraform_ids", FieldKind::id, "Terraform services.").at_most(services_selected_max),
};
inline constexpr Shape selection = {.name = "EnvironmentServiceIdsAllRequest", .fields = selection_fields};

inline constexpr Field restart_selection_fields[] = {
    list_of("application_ids", FieldKind::id, "Applications.").at_most(services_selected_max),
    list_of("database_ids", FieldKind::id, "Databases.").at_most(services_selected_max),
    list_of("container_ids", FieldKind::id, "Containers.").at_most(services_selected_max),
};
inline constexpr Shape restart_selection = {.name = "RebootServicesRequest", .fields = restart_selection_fields};

inline constexpr Field cancel_fields[] = {
    boolean("force_cancel", "Whether steps that normally run to their end are interrupted too.").defaults_to(false)};
inline constexpr Shape cancel = {.name = "CancelDeploymentRequest", .fields = cancel_fields};

inline constexpr Field clone_service_fields[] = {
    text("name", "The copy's name.").required().at_least(1).at_most(static_cast<std::int64_t>(name_size_max)),
    uuid("environment_id", "The environment that receives the copy.").required(),
};
inline constexpr Shape clone_service = {.name = "CloneServiceRequest", .fields = clone_service_fields};

inline constexpr std::string_view environment_modes[] = {"DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING"};
inline constexpr Field clone_environment_fields[] = {
    text("name", "The copy's name.").required().at_least(1).at_most(static_cast<std::int64_t>(name_size_max)),
    uuid("cluster_id", "The cluster that carries the copy; the same if absent."),
    enumeration("mode", environment_modes, "The copy's mode; the same if absent."),
    boolean("apply_deployment_rule", "Whether the project's deployment rules apply to the copy.").defaults_to(false),
    uuid("project_id", "The project that receives the copy; the same if absent."),
};
inline constexpr Shape clone_environment = {.name = "CloneEnvironmentRequest", .fields = clone_environment_fields};

inline constexpr Field preview_fields[] = {
    text("image_name", "The image whose containers get a preview environment.").required().at_least(1),
    text("tag", "The tag that the preview runs.").required().at_least(1),
};
inline constexpr Shape preview = {.name = "OrganizationContainerPreviewRequest", .fields = preview_fields};

inline constexpr Field attach_fields[] = {boolean("is_skipped", "Whether actions on the environment leave the service out.")};
inline constexpr Shape attach = {.name = "AttachServiceToDeploymentStageRequest", .fields = attach_fields};

inline constexpr Field lock_fields[] = {
    text("reason", "Why it is locked.").required().at_least(1),
    integer("ttl_in_days", "How many days the lock holds.").at_least(1).at_most(5),
};
inline constexpr Shape lock = {.name = "ClusterLockRequest", .fields = lock_fields};

}  // namespace orlop::trait_shapes
