// What a cluster's monitoring and its charts are told, and what its making gave.
#pragma once

#include "families/shapes/rules.h"
#include "families/shapes/enumerations.h"

namespace orlop::shapes {

inline constexpr Field switch_fields[] = {boolean("enabled", "Whether it is on.").required()};
inline constexpr Shape keda{.name = "ClusterKeda", .fields = switch_fields};
inline constexpr Shape cloud_watch_export{.name = "CloudWatchExportConfig", .fields = switch_fields};
inline constexpr Shape network_monitoring{.name = "InternalNetworkMonitoring", .fields = switch_fields};

inline constexpr Field alerting_fields[] = {
    boolean("enabled", "Whether it is on.").required(),
    open_object("default_rule_labels", "Labels of every rule: texts by name.").nullable(),
    text("spec_config_secret", "The secret that holds its configuration."),
    text("spec_external_url", "The address it is reached at."),
    text("config_name", "The name of its configuration."),
};
inline constexpr Shape alerting{.name = "AlertingConfig", .fields = alerting_fields};

inline constexpr std::string_view resource_profiles[] = {"LOW", "NORMAL", "HIGH"};

inline constexpr Field metrics_configuration_fields[] = {
    // Its only word carries the brand, so a rule of the cluster checks it.
    text("kind", "Who runs the monitoring: the platform.").required(),
    enumeration("resource_profile", resource_profiles, "How much it may use."),
    object("cloud_watch_export_config", cloud_watch_export, "Whether it is copied to the cloud provider's own monitoring."),
    boolean("high_availability", "Whether it outlives the loss of a node."),
    object("internal_network_monitoring", network_monitoring, "Whether the network inside the cluster is watched."),
    object("alerting", alerting, "Whether it raises alerts."),
};
inline constexpr Shape metrics_configuration{.name = "MetricsConfiguration", .fields = metrics_configuration_fields};

inline constexpr Field metrics_fields[] = {
    boolean("enabled", "Whether it is on."),
    object("configuration", metrics_configuration, "How it is run."),
};
inline constexpr Shape metrics{.name = "MetricsParameters", .fields = metrics_fields};

inline constexpr std::string_view output_kinds[] = {"AKS", "EKS", "GKE", "SCW_KAPSULE"};

inline constexpr Field eks_secrets_fields[] = {text("eks_role_arn", "The role that the operator of secrets takes.").required()};
inline constexpr Shape eks_secrets{.name = "EksExternalSecrets", .fields = eks_secrets_fields};
inline constexpr Field gke_secrets_fields[] = {
    text("gke_service_account", "The account that the operator of secrets takes.").required()};
inline constexpr Shape gke_secrets{.name = "GkeExternalSecrets", .fields = gke_secrets_fields};

inline constexpr Field aks_fields[] = {text("cluster_oidc_issuer", "Who issues its identities.").required()};
inline constexpr Field eks_fields[] = {
    text("cluster_arn", "Its resource name at the cloud provider.").required(),
    text("cluster_oidc_issuer", "Who issues its identities.").required(),
    text("vpc_id", "The network it lies in.").required(),
    object("external_secrets_automatic_authentication", eks_secrets, "How secrets of the cloud provider are read.").nullable(),
};
inline constexpr Field gke_fields[] = {
    text("cluster_self_link", "Its address at the cloud provider.").required(),
    object("external_secrets_automatic_authentication", gke_secrets, "How secrets of the cloud provider are read.").nullable(),
};
inline constexpr Variant output_variants[] = {
    {.enum_value = "AKS", .fields = aks_fields},
    {.enum_value = "EKS", .fields = eks_fields},
    {.enum_value = "GKE", .fields = gke_fields},
    {.enum_value = "SCW_KAPSULE", .fields = {}},
};
inline constexpr Field output_fields[] = {
    enumeration("kind", output_kinds, "The cloud provider's kind of cluster.").required(),
    text("cluster_name", "Its name at the cloud provider.").required(),
};
inline constexpr Shape infrastructure_outputs{
    .name = "InfrastructureOutputs", .fields = output_fields, .discriminator = "kind", .variants = output_variants};

inline constexpr Field nginx_fields[] = {
    integer("replica_count", "How many of it run, at least 0.").at_least(0),
    text("default_ssl_certificate", "The certificate it shows where no other fits."),
    text("publish_status_address", "The address it says it is reached at."),
    text("annotation_metal_lb_load_balancer_ips", "The addresses it asks the load balancer for."),
    text("annotation_external_dns_kubernetes_target", "The target that names lead to."),
};
inline constexpr Shape nginx{.name = "ClusterInfrastructureNginxChartParameters", .fields = nginx_fields};

inline constexpr Field cert_manager_fields[] = {text("kubernetes_namespace", "The namespace it lives in.")};
inline constexpr Shape cert_manager{.name = "ClusterInfrastructureCertManagerChartParameters", .fields = cert_manager_fields};

inline constexpr Field metal_lb_fields[] = {
    list_of("ip_address_pools", FieldKind::text, "The addresses it may give out.").at_most(100)};
inline constexpr Shape metal_lb{.name = "ClusterInfrastructureMetalLbChartParameters", .fields = metal_lb_fields};

inline constexpr Field anywhere_git_fields[] = {
    uri("url", "Its address.").required(),
    text("branch", "The branch to use."),
    text("commit_id", "The commit to use."),
    reference("git_token_id", "git_token", "The token that gives access.").required(),
    enumeration("provider", git_providers, "Who hosts it."),
};
inline constexpr Shape anywhere_git{.name = "ClusterEksAnywhereGitRepository", .fields = anywhere_git_fields};

inline constexpr Field backup_store_fields[] = {
    text("bucket", "The bucket's name.").required(),
    text("region", "The bucket's region.").required(),
    text("role_arn", "The role that may write to it.").required(),
    text("key_prefix", "What the names of its objects begin with."),
};
inline constexpr Shape backup_store{.name = "ClusterInfrastructureEksAnywhereBackupS3Parameters", .fields = backup_store_fields};

inline constexpr Field anywhere_backup_fields[] = {
    boolean("enabled", "Whether it is on.").defaults_to(true),
    integer("timeout_seconds", "Seconds after which a backup has failed, at least 0.").at_least(0).defaults_to(300),
    text("certs_secret_name", "The secret that holds its certificates."),
    object("s3", backup_store, "Where it is kept.").required(),
};
inline constexpr Shape anywhere_backup{.name = "ClusterInfrastructureEksAnywhereBackupParameters",
                                       .fields = anywhere_backup_fields};

inline constexpr Field anywhere_fields[] = {
    object("git_repository", anywhere_git, "The repository that describes the cluster.").required(),
    text("yaml_file_path", "The file in it that does.").required(),
    object("cluster_backup", anywhere_backup, "How the cluster is backed up."),
};
inline constexpr Shape anywhere{.name = "ClusterInfrastructureEksAnywhereParameters", .fields = anywhere_fields};

inline constexpr Field charts_fields[] = {
    object("nginx_parameters", nginx, "What the entry proxy is told."),
    object("cert_manager_parameters", cert_manager, "What the keeper of certificates is told."),
    object("metal_lb_parameters", metal_lb, "What the load balancer is told."),
    object("eks_anywhere_parameters", anywhere, "What a cluster on the customer's own machines is told."),
};
inline constexpr Shape charts{.name = "ClusterInfrastructureChartsParameters", .fields = charts_fields};

}  // namespace orlop::shapes
