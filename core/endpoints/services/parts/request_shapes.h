// Request bodies of actions on services, environments and clusters.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/field.h"

namespace orlop::operation_shapes {

inline constexpr std::int64_t services_selected_max = 10'000;  // services of one kind in a request

inline constexpr Shape nothing = {.name = "EmptyRequest"};

inline constexpr Field deploy_application_fields[] = {
    text("git_commit_id", "ID of the git commit to deploy.").required().at_least(1)};
inline constexpr Shape deploy_application = {.name = "DeployRequest", .fields = deploy_application_fields};

inline constexpr Field deploy_container_fields[] = {
    text("image_tag",
         "Image tag to deploy, which becomes the tag of the container. Absent or empty: the configured tag.")
        .empty_is_absent()};
inline constexpr Shape deploy_container = {.name = "ContainerDeployRequest", .fields = deploy_container_fields};

inline constexpr Field deploy_job_fields[] = {
    text("image_tag", "Image tag to deploy, for a job with an image as source. Absent or empty: the configured tag.")
        .empty_is_absent(),
    text("git_commit_id",
         "ID of the git commit to deploy, for a job that is built from a repository. Absent or empty: the latest "
         "commit.")
        .empty_is_absent(),
};
inline constexpr Shape deploy_job = {.name = "JobDeployRequest", .fields = deploy_job_fields};

inline constexpr Field deploy_helm_fields[] = {
    text("chart_version",
         "Chart version to deploy, for a chart in a Helm repository. Absent or empty: the configured version.")
        .empty_is_absent(),
    text("git_commit_id",
         "ID of the git commit of the chart, for a chart in a git repository. Absent or empty: the latest "
         "commit.")
        .empty_is_absent(),
    text("values_override_git_commit_id",
         "ID of the git commit of the values files in a git repository. Absent or empty: the latest commit.")
        .empty_is_absent(),
};
inline constexpr Shape deploy_helm = {.name = "HelmDeployRequest", .fields = deploy_helm_fields};

inline constexpr std::string_view terraform_actions[] = {"PLAN", "FORCE_UNLOCK", "MIGRATE_STATE"};
inline constexpr Field deploy_terraform_fields[] = {
    uuid("id", "ID of the Terraform service. Required in a selection of services.").nullable(),
    text("git_commit_id", "ID of the git commit to deploy. Absent or empty: the latest commit.").empty_is_absent(),
    enumeration("action", terraform_actions,
                "Terraform command to run in place of plan and apply. Null or absent: plan and apply.")
        .nullable(),
};
inline constexpr Shape deploy_terraform = {.name = "TerraformDeployRequest", .fields = deploy_terraform_fields};

inline constexpr Field selected_application_fields[] = {
    uuid("application_id", "ID of the application.").required(),
    text("git_commit_id", "ID of the git commit to deploy. Absent or empty: the latest commit.").empty_is_absent(),
};
inline constexpr Shape selected_application = {.name = "DeployAllRequestApplications",
                                               .fields = selected_application_fields};
inline constexpr Field selected_container_fields[] = {
    uuid("id", "ID of the container.").required(),
    text("image_tag", "Image tag to deploy. Absent or empty: the configured tag.").empty_is_absent(),
};
inline constexpr Shape selected_container = {.name = "DeployAllRequestContainers", .fields = selected_container_fields};
inline constexpr Field selected_job_fields[] = {
    uuid("id", "ID of the job.").required(),
    text("image_tag", "Image tag to deploy, for a job with an image as source. Absent or empty: the configured tag.")
        .empty_is_absent(),
    text("git_commit_id",
         "ID of the git commit to deploy, for a job that is built from a repository. Absent or empty: the latest "
         "commit.")
        .empty_is_absent(),
};
inline constexpr Shape selected_job = {.name = "DeployAllRequestJobs", .fields = selected_job_fields};
inline constexpr Field selected_helm_fields[] = {
    uuid("id", "ID of the Helm service.").required(),
    text("chart_version",
         "Chart version to deploy, for a chart in a Helm repository. Absent or empty: the configured version.")
        .empty_is_absent(),
    text("git_commit_id",
         "ID of the git commit of the chart, for a chart in a git repository. Absent or empty: the latest "
         "commit.")
        .empty_is_absent(),
    text("values_override_git_commit_id",
         "ID of the git commit of the values files in a git repository. Absent or empty: the latest commit.")
        .empty_is_absent(),
};
inline constexpr Shape selected_helm = {.name = "DeployAllRequestHelms", .fields = selected_helm_fields};

inline constexpr Field deploy_selection_fields[] = {
    list_of("applications", selected_application, "Applications to deploy, each with an optional commit.")
        .at_most(services_selected_max),
    list_of("databases", FieldKind::id, "IDs of the databases to deploy.").at_most(services_selected_max),
    list_of("containers", selected_container, "Containers to deploy, each with an optional image tag.")
        .at_most(services_selected_max),
    list_of("jobs", selected_job, "Jobs to deploy, each with an optional image tag or commit.")
        .at_most(services_selected_max),
    list_of("helms", selected_helm, "Helm services to deploy, each with an optional chart version or commit.")
        .at_most(services_selected_max),
    list_of("terraforms", deploy_terraform, "Terraform services to deploy, each with an optional commit.")
        .at_most(services_selected_max),
};
inline constexpr Shape deploy_selection = {.name = "DeployAllRequest", .fields = deploy_selection_fields};

inline constexpr Field selection_fields[] = {
    list_of("application_ids", FieldKind::id, "IDs of the selected applications.").at_most(services_selected_max),
    list_of("container_ids", FieldKind::id, "IDs of the selected containers.").at_most(services_selected_max),
    list_of("database_ids", FieldKind::id, "IDs of the selected databases.").at_most(services_selected_max),
    list_of("job_ids", FieldKind::id, "IDs of the selected jobs.").at_most(services_selected_max),
    list_of("helm_ids", FieldKind::id, "IDs of the selected Helm services.").at_most(services_selected_max),
    list_of("terraform_ids", FieldKind::id, "IDs of the selected Terraform services.").at_most(services_selected_max),
};
inline constexpr Shape selection = {.name = "EnvironmentServiceIdsAllRequest", .fields = selection_fields};

inline constexpr Field restart_selection_fields[] = {
    list_of("application_ids", FieldKind::id, "IDs of the applications to restart.").at_most(services_selected_max),
    list_of("database_ids", FieldKind::id, "IDs of the databases to restart.").at_most(services_selected_max),
    list_of("container_ids", FieldKind::id, "IDs of the containers to restart.").at_most(services_selected_max),
};
inline constexpr Shape restart_selection = {.name = "RebootServicesRequest", .fields = restart_selection_fields};

inline constexpr Field cancel_fields[] = {boolean("force_cancel",
                                                  "Interrupt steps that otherwise run to their end: those of Terraform "
                                                  "services, managed databases and jobs. Default: "
                                                  "false.")
                                              .defaults_to(false)};
inline constexpr Shape cancel = {.name = "CancelDeploymentRequest", .fields = cancel_fields};

inline constexpr Field clone_service_fields[] = {
    text("name",
         "Name of the new service, unique among the services of its kind in the "
         "environment.")
        .required()
        .at_least(1)
        .at_most(static_cast<std::int64_t>(name_size_max)),
    uuid("environment_id", "ID of the environment in which the new service is created.").required(),
};
inline constexpr Shape clone_service = {.name = "CloneServiceRequest", .fields = clone_service_fields};

inline constexpr std::string_view environment_modes[] = {"DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING"};
inline constexpr Field clone_environment_fields[] = {
    text("name",
         "Name of the new environment, unique within the "
         "project.")
        .required()
        .at_least(1)
        .at_most(static_cast<std::int64_t>(name_size_max)),
    uuid("cluster_id", "ID of the cluster on which the new environment runs. Default: the cluster of the original."),
    enumeration("mode", environment_modes, "Mode of the new environment. Default: the mode of the original."),
    boolean("apply_deployment_rule",
            "Apply the deployment rules of the project to the new environment. Default: false.")
        .defaults_to(false),
    uuid("project_id",
         "ID of the project in which the new environment is created. Default: the project of the original."),
};
inline constexpr Shape clone_environment = {.name = "CloneEnvironmentRequest", .fields = clone_environment_fields};

inline constexpr Field preview_fields[] = {
    text("image_name",
         "Name of the image. Containers that run it and have `auto_preview` set get a preview "
         "environment.")
        .required()
        .at_least(1),
    text("tag", "Image tag that the preview environments deploy.").required().at_least(1),
};
inline constexpr Shape preview = {.name = "OrganizationContainerPreviewRequest", .fields = preview_fields};

inline constexpr Field attach_fields[] = {
    boolean("is_skipped", "Skip the service in actions on the whole environment.")};
inline constexpr Shape attach = {.name = "AttachServiceToDeploymentStageRequest", .fields = attach_fields};

inline constexpr Field lock_fields[] = {
    text("reason", "Reason of the lock, shown to callers whose changes it refuses.").required().at_least(1),
    integer("ttl_in_days", "Lifetime of the lock in days, 1 to 5.").at_least(1).at_most(5),
};
inline constexpr Shape lock = {.name = "ClusterLockRequest", .fields = lock_fields};

}  // namespace orlop::operation_shapes
