// Advanced settings of a cluster.
#include "base/brand.h"
#include "families/shapes/rule_functions.h"
#include "families/shapes/services/advanced_settings.h"
#include "model/family.h"

namespace orlop::families::cluster_advanced_settings {
namespace {

using namespace shapes;

constexpr std::string_view loki_modes[] = {"single_binary", "simple_scalable"};
constexpr std::string_view efs_throughput_modes[] = {"bursting", "elastic", "provisioned"};
constexpr std::string_view efs_performance_modes[] = {"generalPurpose", "maxIO"};
constexpr std::string_view efs_transitions[] = {
    "AFTER_1_DAY", "AFTER_7_DAYS", "AFTER_14_DAYS", "AFTER_30_DAYS", "AFTER_60_DAYS", "AFTER_90_DAYS", ""};
constexpr std::string_view imds_modes[] = {"optional", "required"};
constexpr std::string_view mirroring_modes[] = {"Cluster", "Service"};

constexpr Field fields[] = {
    integer("aws.cloudwatch.eks_logs_retention_days",
            "Retention of the control plane's logs in CloudWatch, in days, 1 to 3653. Default: 90.")
        .at_least(1)
        .at_most(3653)
        .defaults_to(90),
    boolean("aws.vpc.enable_s3_flow_logs", "Write the flow logs of the VPC to S3. Default: false.").defaults_to(false),
    integer("aws.vpc.flow_logs_retention_days", "Retention of the flow logs, in days, 0 to 3653. Default: 365.")
        .at_least(0)
        .at_most(3653)
        .defaults_to(365),
    boolean("aws.vpc.enable_nat_gateway_secondary_eip",
            "Give each NAT gateway a second elastic IP address. Default: false.")
        .defaults_to(false),
    integer("loki.log_retention_in_week", "Retention of the logs in Loki, in weeks, 1 to 520. Default: 12.")
        .at_least(1)
        .at_most(520)
        .defaults_to(12),
    enumeration("loki.deployment_mode", loki_modes, "Deployment of Loki. Default: `single_binary`.")
        .defaults_to("single_binary"),
    integer("loki.single_binary.cpu_request_m",
            "CPU request of the single Loki process in millicores, at least 1. Default: 200.")
        .at_least(1)
        .defaults_to(200),
    integer("loki.single_binary.cpu_limit_m",
            "CPU limit of the single Loki process in millicores, at least 1. Default: 500.")
        .at_least(1)
        .defaults_to(500),
    integer("loki.single_binary.memory_request_mib",
            "Memory request of the single Loki process in MiB, at least 1. Default: 256.")
        .at_least(1)
        .defaults_to(256),
    integer("loki.single_binary.memory_limit_mib",
            "Memory limit of the single Loki process in MiB, at least 1. Default: 1024.")
        .at_least(1)
        .defaults_to(1024),
    integer("loki.write.cpu_request_m", "CPU request of Loki's write path in millicores, at least 1. Default: 50.")
        .at_least(1)
        .defaults_to(50),
    integer("loki.write.cpu_limit_m", "CPU limit of Loki's write path in millicores, at least 1. Default: 500.")
        .at_least(1)
        .defaults_to(500),
    integer("loki.write.memory_request_mib", "Memory request of Loki's write path in MiB, at least 1. Default: 128.")
        .at_least(1)
        .defaults_to(128),
    integer("loki.write.memory_limit_mib", "Memory limit of Loki's write path in MiB, at least 1. Default: 512.")
        .at_least(1)
        .defaults_to(512),
    integer("loki.read.cpu_request_m", "CPU request of Loki's read path in millicores, at least 1. Default: 50.")
        .at_least(1)
        .defaults_to(50),
    integer("loki.read.cpu_limit_m", "CPU limit of Loki's read path in millicores, at least 1. Default: 500.")
        .at_least(1)
        .defaults_to(500),
    integer("loki.read.memory_request_mib", "Memory request of Loki's read path in MiB, at least 1. Default: 128.")
        .at_least(1)
        .defaults_to(128),
    integer("loki.read.memory_limit_mib", "Memory limit of Loki's read path in MiB, at least 1. Default: 512.")
        .at_least(1)
        .defaults_to(512),
    integer("loki.backend.cpu_request_m", "CPU request of Loki's backend in millicores, at least 1. Default: 50.")
        .at_least(1)
        .defaults_to(50),
    integer("loki.backend.cpu_limit_m", "CPU limit of Loki's backend in millicores, at least 1. Default: 500.")
        .at_least(1)
        .defaults_to(500),
    integer("loki.backend.memory_request_mib", "Memory request of Loki's backend in MiB, at least 1. Default: 128.")
        .at_least(1)
        .defaults_to(128),
    integer("loki.backend.memory_limit_mib", "Memory limit of Loki's backend in MiB, at least 1. Default: 512.")
        .at_least(1)
        .defaults_to(512),
    integer("registry.image_retention_time",
            "Retention of unused images in the cluster's registry, in seconds, at least 0. Default: 31536000.")
        .at_least(0)
        .defaults_to(31536000),
    open_object("cloud_provider.container_registry.tags",
                "Tags of the cluster's container registry at the cloud provider, as a map of key to value. Default: "
                "empty.")
        .defaults_to_empty(),
    boolean("aws.eks.enable_alb_controller", "Install the AWS Load Balancer Controller. Default: true.")
        .defaults_to(true),
    boolean("aws.eks.enable_efs_addon", "Install the driver of Amazon EFS. Default: false.").defaults_to(false),
    enumeration("aws.eks.efs.throughput_mode", efs_throughput_modes,
                "Throughput mode of the EFS file system. Default: `elastic`.")
        .defaults_to("elastic"),
    enumeration("aws.eks.efs.performance_mode", efs_performance_modes,
                "Performance mode of the EFS file system. Default: `generalPurpose`.")
        .defaults_to("generalPurpose"),
    enumeration("aws.eks.efs.transition_to_ia", efs_transitions,
                "Time after which unused files of the EFS file system move to Infrequent Access. Empty: never. "
                "Default: `AFTER_30_DAYS`.")
        .defaults_to("AFTER_30_DAYS"),
    text("load_balancer.size", "Size of the load balancer at the cloud provider. Default: `lb-s`.").defaults_to("lb-s"),
    boolean("database.postgresql.deny_any_access",
            "Refuse all connections from outside to the PostgreSQL databases. Default: false.")
        .defaults_to(false),
    list_of("database.postgresql.allowed_cidrs", FieldKind::text,
            "CIDR ranges that may connect to the PostgreSQL databases from outside. Default: `0.0.0.0/0`.")
        .at_most(100)
        .always_present(),
    boolean("database.mysql.deny_any_access",
            "Refuse all connections from outside to the MySQL databases. Default: false.")
        .defaults_to(false),
    list_of("database.mysql.allowed_cidrs", FieldKind::text,
            "CIDR ranges that may connect to the MySQL databases from outside. Default: `0.0.0.0/0`.")
        .at_most(100)
        .always_present(),
    boolean("database.mongodb.deny_any_access",
            "Refuse all connections from outside to the MongoDB databases. Default: false.")
        .defaults_to(false),
    list_of("database.mongodb.allowed_cidrs", FieldKind::text,
            "CIDR ranges that may connect to the MongoDB databases from outside. Default: `0.0.0.0/0`.")
        .at_most(100)
        .always_present(),
    boolean("database.redis.deny_any_access",
            "Refuse all connections from outside to the Redis databases. Default: false.")
        .defaults_to(false),
    list_of("database.redis.allowed_cidrs", FieldKind::text,
            "CIDR ranges that may connect to the Redis databases from outside. Default: `0.0.0.0/0`.")
        .at_most(100)
        .always_present(),
    text("aws.iam.admin_group", "IAM group whose members administer the cluster. Default: `Admins`.")
        .defaults_to("Admins"),
    enumeration("aws.eks.ec2.metadata_imds", imds_modes,
                "Instance metadata service of the nodes. `required`: version 2 only. Default: `required`.")
        .defaults_to("required"),
    text("aws.eks.ec2.ami", "Image of the nodes. Default: `AmazonLinux2023`.").defaults_to("AmazonLinux2023"),
    integer("pleco.resources_ttl",
            "Time to live of the cluster's resources in seconds, at least -1; -1 is unlimited. Default: -1.")
        .at_least(-1)
        .defaults_to(-1)
        .deprecated(),
    enumeration("registry.mirroring_mode", mirroring_modes,
                "Mirroring of external images. `Cluster`: one repository for the whole cluster. `Service`: one for "
                "each service. Default: `Service`.")
        .defaults_to("Service"),
    integer("nginx.vcpu.request_in_milli_cpu",
            "CPU request of the NGINX ingress controller in millicores, at least 1. Default: 200.")
        .at_least(1)
        .defaults_to(200),
    integer("nginx.vcpu.limit_in_milli_cpu",
            "CPU limit of the NGINX ingress controller in millicores, at least 1. Default: 700.")
        .at_least(1)
        .defaults_to(700),
    integer("nginx.memory.request_in_mib",
            "Memory request of the NGINX ingress controller in MiB, at least 1. Default: 768.")
        .at_least(1)
        .defaults_to(768),
    integer("nginx.memory.limit_in_mib",
            "Memory limit of the NGINX ingress controller in MiB, at least 1. Default: 768.")
        .at_least(1)
        .defaults_to(768),
    integer("envoy.gateway_api.http_request_timeout_seconds",
            "Timeout of a whole request in seconds, at least 0. Default: null, the default of the gateway.")
        .at_least(0)
        .nullable()
        .defaults_to_null(),
    integer("envoy.gateway_api.http_connection_idle_timeout_seconds",
            "Time after which an idle connection is closed, in seconds, at least 0. Default: null, the default of "
            "the gateway.")
        .at_least(0)
        .nullable()
        .defaults_to_null(),
    integer("envoy.gateway_api.retry.num_retries",
            "Number of retries of a failed request, at least 0. Default: null, the default of the gateway.")
        .at_least(0)
        .nullable()
        .defaults_to_null(),
    text("envoy.gateway_api.retry.retry_on",
         "Conditions of a retry, separated by commas, as in `connect-failure,5xx`. Default: null, the default "
         "of the gateway.")
        .nullable()
        .defaults_to_null(),
    text("envoy.gateway_api.retry.http_status_codes",
         "HTTP statuses that are retried, separated by commas. Default: null, the default of the gateway.")
        .nullable()
        .defaults_to_null(),
    integer("envoy.gateway_api.retry.per_try_timeout_seconds",
            "Timeout of each try in seconds, at least 1. Default: null, the default of the gateway.")
        .at_least(1)
        .nullable()
        .defaults_to_null(),
    integer("nginx.hpa.cpu_utilization_percentage_threshold",
            "CPU utilization in percent above which instances of the NGINX ingress controller are added, 1 to "
            "100. Default: 50.")
        .at_least(1)
        .at_most(100)
        .defaults_to(50),
    integer("nginx.hpa.min_number_instances",
            "Minimum number of instances of the NGINX ingress controller, 1 to 100. Default: 2.")
        .at_least(1)
        .at_most(100)
        .defaults_to(2),
    integer("nginx.hpa.max_number_instances",
            "Maximum number of instances of the NGINX ingress controller, 1 to 100. Default: 25.")
        .at_least(1)
        .at_most(100)
        .defaults_to(25),
    text("storageclass.fast_ssd", "Storage class of fast disks. Empty: that of the cloud provider. Default: empty.")
        .defaults_to(""),
    boolean(branded_names::static_ip_mode, "Give the cluster's outgoing traffic static IP addresses. Default: false.")
        .defaults_to(false),
    list_of("k8s.api.allowed_public_access_cidrs", FieldKind::text,
            "CIDR ranges that may reach the Kubernetes API. Default: `0.0.0.0/0`.")
        .at_most(100)
        .always_present(),
};

void check(const Value& record, ValidationContext&, Violations& violations) {
  check_text_maps(record, {"cloud_provider.container_registry.tags"}, violations);
  check_order(record, "nginx.hpa.min_number_instances", "nginx.hpa.max_number_instances", violations);
}

// By default, lists of addresses allow all addresses.
void complete(Value& record, ValidationContext&) {
  for (const std::string_view name :
       {"database.postgresql.allowed_cidrs", "database.mysql.allowed_cidrs", "database.mongodb.allowed_cidrs",
        "database.redis.allowed_cidrs", "k8s.api.allowed_public_access_cidrs"}) {
    Value anywhere = Value::list();
    anywhere.append(Value("0.0.0.0/0"));
    set_absent(record, name, std::move(anywhere));
  }
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 65,
    .name = "cluster_advanced_settings",
    .schema = "ClusterAdvancedSettings",
    .segment = "advancedSettings",
    .id_name = "advancedSettingsId",
    .about = "The advanced settings of a cluster: each has a default, and a PUT replaces all of them.",
    .parent = "cluster",
    .parent_path = ParentPath::item,
    .path = PathForm::single,
    .fields = fields,
    .verbs = Verb::read | Verb::edit,
    .edit_status = 201,
    .name_scope = NameScope::none,
    .propagates = Propagation::parent,
    .defaults_path = "/defaultClusterAdvancedSettings",
    .configures = "advanced_settings",
    .sample = R"({"aws.eks.ec2.metadata_imds": "required", "loki.log_retention_in_week": 4})",
    .takes_numbers_as_text = true,
    .check = check,
    .complete = complete,
};

}  // namespace orlop::families::cluster_advanced_settings
