// Questions to systems that an organization is connected to: secret managers, chart sources, GitHub, Argo CD, clusters.
#pragma once

#include <string_view>

#include "external_systems/shapes/clouds_questions.h"
#include "external_systems/shapes/logs_questions.h"
#include "external_systems/shapes/services_questions.h"
#include "model/field.h"

namespace orlop::question_shapes {

// ---- Secret managers
inline constexpr Field secrets_input_fields[] = {
    service_organization,
    running_cluster,
    open_object("access",
                "Access to the secret manager as the cluster has it, secrets included: `id`, `name`, `endpoint`, "
                "`authentication`.")
        .required(),
    text("name_prefix", "Text that the names of the secrets must begin with. Empty: any."),
};
inline constexpr Shape secrets_input = {.fields = secrets_input_fields};
inline constexpr Field secret_names = list_of("answer", FieldKind::text, "Names of the secrets.");
inline constexpr Field resolve_secrets_input_fields[] = {
    service_organization,
    uuid("service_id", "ID of the service whose step is started.").required(),
    uuid("secret_manager_access_id",
         "ID of the access to the secret manager, one of the cluster's `secret_manager_accesses`.")
        .required(),
    list_of("names", FieldKind::text, "Names of the secrets, each once.").required(),
};
inline constexpr Shape resolve_secrets_input = {.fields = resolve_secrets_input_fields};
inline constexpr Field resolved_secrets =
    open_object("answer", "Values of the secrets, texts by name. A step whose secret is missing fails.").required();

// ---- Values of charts
inline constexpr Field chart_git_fields[] = {git_provider.required(), git_url.required(), git_branch, git_root_path,
                                             git_secret};
inline constexpr Shape chart_git = {.fields = chart_git_fields};
inline constexpr Field chart_values_input_fields[] = {
    service_organization,
    object("git_repository", chart_git,
           "Git repository that contains the chart. Null: the chart is in a helm repository.")
        .nullable(),
    object("repository", registry, "Helm repository that contains the chart. Null: the chart is in a git repository.")
        .nullable(),
    text("chart_name", "Name of the chart in the helm repository. Empty: the chart is in a git repository."),
    text("chart_version", "Version of the chart. Empty: the newest."),
};
inline constexpr Shape chart_values_input = {.fields = chart_values_input_fields};
inline constexpr Field chart_values =
    text("answer", "Default values of the chart: the content of its `values.yaml`.").at_most(4 << 20);

// ---- Directories
inline constexpr Field directories =
    list_of("answer", FieldKind::text, "Paths of the directories, relative to the root path.");

// ---- Managed databases
inline constexpr Field database_instance_input_fields[] = {
    enumeration("cloud_provider", clouds, "Cloud provider that is asked about.").required(),
    text("region", "Region that the instance types must be offered in.").required(),
    text("engine", "Database engine, such as `POSTGRESQL`.").required(),
};
inline constexpr Shape database_instance_input = {.fields = database_instance_input_fields};
inline constexpr Field database_instance_type_fields[] = {
    text("name", "Name of the instance type, such as `db.t3.medium`.").required()};
inline constexpr Shape database_instance_type = {.name = "ManagedDatabaseInstanceTypeResponse",
                                                 .fields = database_instance_type_fields};
inline constexpr Field database_instance_types =
    list_of("answer", database_instance_type, "Instance types of the managed service.");

// ---- Clusters
inline constexpr Field cluster_token_input_fields[] = {
    service_organization,
    running_cluster,
    boolean("read_only", "Give a token that can only read.").required(),
};
inline constexpr Shape cluster_token_input = {.fields = cluster_token_input_fields};
inline constexpr Field cluster_token_fields[] = {
    text("token", "Bearer token for the API of the cluster.").required(),
    date_time("expires_at", "Time at which the token expires.").required(),
};
inline constexpr Shape cluster_token = {.fields = cluster_token_fields};
inline constexpr Field cluster_token_answer =
    object("answer", cluster_token, "Token for the Kubernetes API of the cluster.").required();
inline constexpr Field eks_anywhere_jwt =
    text("answer", "JSON web token with which the cluster registers at the platform.").at_most(1 << 16);

// ---- GitHub
inline constexpr Field github_input_fields[] = {
    service_organization,
    text("installation_id", "ID of the installation of the GitHub app. Empty: that of the organization."),
    text("code", "Code that GitHub gave after the installation. Empty: none."),
    boolean("force", "Disconnect although services are built from repositories of the installation.").required(),
};
inline constexpr Shape github_input = {.fields = github_input_fields};
inline constexpr Field connection_fault =
    text("answer", "Reason for which it was not done; the operation answers 400 with it. Empty: it is done.");

// ---- Argo CD
inline constexpr Field argocd_input_fields[] = {
    service_organization,
    running_cluster,
    text("url", "URL of the Argo CD server.").required(),
    text("token", "API token of the Argo CD server.").required(),
};
inline constexpr Shape argocd_input = {.fields = argocd_input_fields};
inline constexpr std::string_view connection_statuses[] = {"connected", "error"};
inline constexpr std::string_view connection_reasons[] = {"authentication_failed", "unreachable",
                                                          "insufficient_permissions"};
inline constexpr Field argocd_check_fields[] = {
    enumeration("status", connection_statuses, "Result of the check.").required(),
    integer("app_count", "Number of applications that the token can read."),
    enumeration("reason", connection_reasons, "Cause of an `error`."),
};
inline constexpr Shape argocd_check = {.name = "ArgoCdConnectionCheckResponse", .fields = argocd_check_fields};
inline constexpr Field argocd_check_answer =
    object("answer", argocd_check, "Result of the check of the connection.").required();

inline constexpr Field argocd_cluster_fields[] = {
    text("argocd_cluster_url", "URL of the Kubernetes API of the destination.").required(),
    text("argocd_cluster_name", "Name of the destination in Argo CD.").required(),
    integer("applications_count", "Number of applications that Argo CD deploys there.").required(),
};
inline constexpr Shape argocd_cluster = {.name = "ArgoCdUnlinkedClusterDetails", .fields = argocd_cluster_fields};
inline constexpr std::string_view argocd_health[] = {"HEALTHY",   "PROGRESSING", "DEGRADED",
                                                     "SUSPENDED", "MISSING",     "UNKNOWN"};
inline constexpr std::string_view argocd_sync[] = {"SYNCED", "OUT_OF_SYNC", "UNKNOWN"};
inline constexpr Field argocd_repository_fields[] = {
    uri("url", "HTTPS URL of the git repository that contains the manifests.").required(),
    text("branch", "Branch of the repository. Empty: `main`."),
    text("root_path", "Folder of the repository that contains the manifests. Empty: `/`."),
};
inline constexpr Shape argocd_repository = {.fields = argocd_repository_fields};
inline constexpr Field argocd_application_fields[] = {
    text("name", "Name of the application, unique on the server.").required().at_least(1).at_most(255),
    text("project", "Argo CD project of the application. Empty: `default`.").at_most(255),
    text("namespace", "Kubernetes namespace of the application's destination.").required().at_least(1).at_most(63),
    text("argocd_cluster_url", "URL of the Kubernetes API of the application's destination.").required().at_most(2048),
    enumeration("health", argocd_health, "Health of the application. Absent: `UNKNOWN`."),
    text("health_message", "Reason of the health. Empty: none."),
    enumeration("sync_status", argocd_sync,
                "Comparison of the cluster with the repository, as Argo CD reports it. Absent: `UNKNOWN`."),
    date_time("last_synced_at", "Time of the last successful synchronization by Argo CD. Null: never.").nullable(),
    text("manifest_revision", "Revision of the manifests that were synchronized last. Null: never synchronized.")
        .nullable(),
    object("git_repository", argocd_repository, "Git repository that contains the manifests. Null: none.").nullable(),
};
inline constexpr Shape argocd_application = {.fields = argocd_application_fields};
inline constexpr Field argocd_applications =
    list_of("answer", argocd_application, "Applications of the Argo CD server, at most 10000.").at_most(10'000);

inline constexpr Field argocd_clusters = list_of("answer", argocd_cluster, "Destinations of the Argo CD server.");

// ---- Alerts
inline constexpr Field receiver_input_fields[] = {
    service_organization,
    open_object("receiver", "Alert receiver as it was given, secrets included.").required(),
    text("message", "Text of the message to send. Empty: a text of the external system."),
};
inline constexpr Shape receiver_input = {.fields = receiver_input_fields};
inline constexpr Field alert_input_fields[] = {
    service_organization,
    open_object("rule", "Alert rule that fires, or that has ended, as it is stored.").required(),
    open_object("receiver", "Alert receiver, secrets included.").required(),
    boolean("is_resolved", "True if the alert has ended; false if it fires.").required(),
    date_time("starts_at", "Time at which the alert began to fire.").required(),
};
inline constexpr Shape alert_input = {.fields = alert_input_fields};

inline constexpr Field promql_input_fields[] = {
    service_organization,
    text("query", "Query in PromQL.").required(),
};
inline constexpr Shape promql_input = {.fields = promql_input_fields};
inline constexpr Field promql_fault =
    text("answer", "Reason for which the query is not PromQL; the operation answers 400 with it. Empty: it is.");

}  // namespace orlop::question_shapes
