// Settings of a cluster's monitoring and charts, and the outputs of its creation.
#pragma once

#include "base/brand.h"
#include "families/shapes/rule_functions.h"
#include "families/shapes/shared_enumerations.h"

namespace orlop::shapes {

inline constexpr Field switch_fields[] = {boolean("enabled", "Enable the component on the cluster.").required()};
inline constexpr Shape keda{.name = "ClusterKeda", .fields = switch_fields};
inline constexpr Shape cloud_watch_export{.name = "CloudWatchExportConfig", .fields = switch_fields};
inline constexpr Shape network_monitoring{.name = "InternalNetworkMonitoring", .fields = switch_fields};

inline constexpr Field alerting_fields[] = {
    boolean("enabled", "Enable alerting on the cluster.").required(),
    open_object("default_rule_labels",
                "Labels that are added to every default alert rule, as a map of name to text. Null or absent: none.")
        .nullable(),
    text("spec_config_secret", "Name of the Kubernetes Secret that holds the Alertmanager configuration."),
    text("spec_external_url", "External URL of Alertmanager, used for links in notifications."),
    text("config_name", "Name of the Alertmanager configuration."),
};
inline constexpr Shape alerting{.name = "AlertingConfig", .fields = alerting_fields};

inline constexpr std::string_view resource_profiles[] = {"LOW", "NORMAL", "HIGH"};

// The only value contains the brand, so a rule of the cluster checks it; documents list it.
inline constexpr std::string_view metrics_kinds[] = {branded_names::metrics_kind};
inline constexpr Field metrics_kind = [] {
  Field kind =
      text("kind",
           "Kind of the metrics stack. The only accepted value is `MANAGED_BY_` followed by the name of the platform.")
          .required();
  kind.enum_values = metrics_kinds;
  return kind;
}();
inline constexpr Field metrics_configuration_fields[] = {
    metrics_kind,
    enumeration("resource_profile", resource_profiles,
                "Resource profile of the metrics stack: CPU and memory that it may use."),
    object("cloud_watch_export_config", cloud_watch_export, "Export of metrics to Amazon CloudWatch."),
    boolean("high_availability",
            "Run the metrics stack with several replicas, so that it survives the loss of a node."),
    object("internal_network_monitoring", network_monitoring,
           "Monitoring of the network traffic between the pods of the cluster."),
    object("alerting", alerting, "Alerting on the metrics of the cluster."),
};
inline constexpr Shape metrics_configuration{.name = "MetricsConfiguration", .fields = metrics_configuration_fields};

inline constexpr Field metrics_fields[] = {
    boolean("enabled", "Install the metrics stack (Prometheus) on the cluster."),
    object("configuration", metrics_configuration, "Configuration of the metrics stack."),
};
inline constexpr Shape metrics{.name = "MetricsParameters", .fields = metrics_fields};

inline constexpr std::string_view output_kinds[] = {"AKS", "EKS", "GKE", "SCW_KAPSULE"};

inline constexpr Field eks_secrets_fields[] = {
    text("eks_role_arn", "ARN of the IAM role that External Secrets Operator assumes on the EKS cluster.").required()};
inline constexpr Shape eks_secrets{.name = "EksExternalSecrets", .fields = eks_secrets_fields};
inline constexpr Field gke_secrets_fields[] = {
    text("gke_service_account",
         "Email of the Google service account that External Secrets Operator uses on the GKE cluster.")
        .required()};
inline constexpr Shape gke_secrets{.name = "GkeExternalSecrets", .fields = gke_secrets_fields};

inline constexpr Field aks_fields[] = {
    text("cluster_oidc_issuer", "URL of the OIDC issuer of the AKS cluster.").required()};
inline constexpr Field eks_fields[] = {
    text("cluster_arn", "ARN of the EKS cluster, as in `arn:aws:eks:eu-west-3:123456789012:cluster/example`.")
        .required(),
    text("cluster_oidc_issuer", "URL of the OIDC issuer of the EKS cluster, used for IAM roles of service accounts.")
        .required(),
    text("vpc_id", "ID of the VPC that contains the cluster, as in `vpc-0a1b2c3d`.").required(),
    object("external_secrets_automatic_authentication", eks_secrets,
           "Automatic authentication of External Secrets Operator by an IAM role. Null: not configured.")
        .nullable(),
};
inline constexpr Field gke_fields[] = {
    text("cluster_self_link", "Self link of the GKE cluster: its URL in the Google Cloud API.").required(),
    object("external_secrets_automatic_authentication", gke_secrets,
           "Automatic authentication of External Secrets Operator by a Google service account. Null: not configured.")
        .nullable(),
};
inline constexpr Variant output_variants[] = {
    {.enum_value = "AKS", .fields = aks_fields},
    {.enum_value = "EKS", .fields = eks_fields},
    {.enum_value = "GKE", .fields = gke_fields},
    {.enum_value = "SCW_KAPSULE", .fields = {}},
};
inline constexpr Field output_fields[] = {
    uri("kubernetes_endpoint",
        "URL of the Kubernetes API of the cluster, as in `https://10.0.0.1:6443`. With it the kubeconfig of the "
        "cluster is made. Absent: not reported."),
    text("kubernetes_certificate_authority",
         "Certificate authority of the Kubernetes API: PEM certificates in base64. Absent: one that clients trust "
         "anyway.")
        .at_most(65536),
    enumeration("kind", output_kinds,
                "Managed Kubernetes service of the cluster: AKS (Azure), EKS (AWS), GKE (Google Cloud) or Kapsule "
                "(Scaleway).")
        .required(),
    text("cluster_name", "Name of the Kubernetes cluster at the cloud provider.").required(),
};
inline constexpr Shape infrastructure_outputs{
    .name = "InfrastructureOutputs", .fields = output_fields, .discriminator = "kind", .variants = output_variants};

inline constexpr Field nginx_fields[] = {
    integer("replica_count", "Number of replicas of the NGINX ingress controller, at least 0.").at_least(0),
    text("default_ssl_certificate",
         "TLS certificate that NGINX serves when no other one matches, as `namespace/secret`."),
    text("publish_status_address", "IP address or host name that NGINX publishes in the status of ingress resources."),
    text("annotation_metal_lb_load_balancer_ips",
         "IP addresses that the NGINX service requests from MetalLB: value of its annotation "
         "`metallb.universe.tf/loadBalancerIPs`."),
    text("annotation_external_dns_kubernetes_target",
         "DNS target of the NGINX service: value of its annotation `external-dns.alpha.kubernetes.io/target`."),
};
inline constexpr Shape nginx{.name = "ClusterInfrastructureNginxChartParameters", .fields = nginx_fields};

inline constexpr Field cert_manager_fields[] = {
    text("kubernetes_namespace", "Kubernetes namespace in which cert-manager runs.")};
inline constexpr Shape cert_manager{.name = "ClusterInfrastructureCertManagerChartParameters",
                                    .fields = cert_manager_fields};

inline constexpr Field metal_lb_fields[] = {list_of("ip_address_pools", FieldKind::text,
                                                    "IP address pools of MetalLB, each as a CIDR or a range, as in "
                                                    "`192.168.1.0/24` or `192.168.1.10-192.168.1.20`. At most "
                                                    "100.")
                                                .at_most(100)};
inline constexpr Shape metal_lb{.name = "ClusterInfrastructureMetalLbChartParameters", .fields = metal_lb_fields};

inline constexpr Field anywhere_git_fields[] = {
    uri("url", "URL of the git repository, as in `https://github.com/acme/clusters.git`.").required(),
    text("branch", "Branch that holds the cluster specification."),
    text("commit_id", "ID of the commit that holds the cluster specification."),
    reference("git_token_id", "git_token", "ID of the git token that gives access to the repository.").required(),
    enumeration("provider", git_providers, "Git provider that hosts the repository."),
};
inline constexpr Shape anywhere_git{.name = "ClusterEksAnywhereGitRepository", .fields = anywhere_git_fields};

inline constexpr Field backup_store_fields[] = {
    text("bucket", "Name of the S3 bucket.").required(),
    text("region", "AWS region of the S3 bucket, as in `eu-west-3`.").required(),
    text("role_arn", "ARN of the IAM role that may write to the S3 bucket.").required(),
    text("key_prefix", "Prefix of the keys of all backup objects in the S3 bucket."),
};
inline constexpr Shape backup_store{.name = "ClusterInfrastructureEksAnywhereBackupS3Parameters",
                                    .fields = backup_store_fields};

inline constexpr Field anywhere_backup_fields[] = {
    boolean("enabled", "Back up the EKS Anywhere cluster. Default: true.").defaults_to(true),
    integer("timeout_seconds", "Time after which a backup fails, in seconds, at least 0. Default: 300.")
        .at_least(0)
        .defaults_to(300),
    text("certs_secret_name", "Name of the Kubernetes Secret that holds the certificates of the backup."),
    object("s3", backup_store, "Amazon S3 bucket in which backups are stored.").required(),
};
inline constexpr Shape anywhere_backup{.name = "ClusterInfrastructureEksAnywhereBackupParameters",
                                       .fields = anywhere_backup_fields};

inline constexpr Field anywhere_fields[] = {
    object("git_repository", anywhere_git, "Git repository that holds the EKS Anywhere cluster specification.")
        .required(),
    text("yaml_file_path",
         "Path of the YAML file with the EKS Anywhere cluster specification, relative to the root of the repository.")
        .required(),
    object("cluster_backup", anywhere_backup, "Backup of the EKS Anywhere cluster."),
};
inline constexpr Shape anywhere{.name = "ClusterInfrastructureEksAnywhereParameters", .fields = anywhere_fields};

inline constexpr Field charts_fields[] = {
    object("nginx_parameters", nginx,
           "Settings of the NGINX ingress controller that the platform installs on the cluster."),
    object("cert_manager_parameters", cert_manager,
           "Settings of cert-manager, which issues the TLS certificates of the cluster."),
    object("metal_lb_parameters", metal_lb,
           "Settings of MetalLB, the load balancer of clusters without one of a cloud provider."),
    object("eks_anywhere_parameters", anywhere, "Settings of a cluster that runs on EKS Anywhere."),
};
inline constexpr Shape charts{.name = "ClusterInfrastructureChartsParameters", .fields = charts_fields};

}  // namespace orlop::shapes
