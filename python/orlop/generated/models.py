"""The families of resources, one class each. Generated from the families' descriptions: do not edit."""

from __future__ import annotations

from typing import TypedDict

from ..resources.actions import ClonableEnvironment, ClonableService, ClusterDeploy, Deployable, EnvironmentDeploy, Group, Notified, Previewable, Restartable, Scheduled, Staged, Stoppable, VariableOwner
from ..resources.resource import BulkCreatable, Collection, Creatable, Deletable, Editable, Ensurable, Family, Findable, Listable, Resource
from ..resources.settings import EditableSettings, Settings


class OrganizationPlan(TypedDict, total=False):
    plan: Literal["FREE", "TEAM", "TEAM_YEARLY", "ENTERPRISE", "ENTERPRISE_YEARLY", "PROFESSIONAL", "BUSINESS", "USER_2025", "TEAM_2025", "BUSINESS_2025", "ENTERPRISE_2025"]
    audit_logs_retention_in_days: float


class EnvironmentCloudProvider(TypedDict, total=False):
    provider: Literal["AWS", "SCW", "GCP", "DO", "AZURE", "OVH", "CIVO", "HETZNER", "ORACLE", "IBM", "ON_PREMISE"]
    cluster: str


class DeploymentStageServiceResponse(TypedDict, total=False):
    id: Required[str]
    created_at: Required[str]
    updated_at: str
    service_id: Required[str]
    service_type: Required[Literal["APPLICATION", "DATABASE", "CONTAINER", "JOB", "HELM", "TERRAFORM", "ARGOCD_APP"]]
    is_skipped: Required[bool]


class ClusterCloudProviderInfo(TypedDict, total=False):
    cloud_provider: Required[Literal["AWS", "SCW", "GCP", "ON_PREMISE", "AZURE"]]
    region: str
    credentials: CredentialsReference


class CredentialsReference(TypedDict, total=False):
    id: Required[str]
    name: str


class ClusterFeature(TypedDict, total=False):
    id: Required[str]
    value: Any
    title: str
    description: str | None
    cost_per_month_in_cents: int | None
    cost_per_month: float | None
    currency_code: str | None
    is_cloud_provider_paying_feature: bool
    cloud_provider_feature_documentation: str | None
    is_platform_paying_feature: bool
    platform_feature_documentation: str | None
    value_type: Literal["BOOLEAN"]
    value_object: ClusterFeatureValue | None
    is_value_updatable: bool
    accepted_values: list[Any]


class ClusterFeatureValue(TypedDict, total=False):
    type: Required[Literal["STRING", "BOOLEAN", "AWS_USER_PROVIDED_NETWORK", "GCP_USER_PROVIDED_NETWORK", "KARPENTER", "NAT_GATEWAY"]]
    value: Any


class ClusterFeatureAwsExistingVpc(TypedDict, total=False):
    aws_vpc_eks_id: Required[str]
    eks_subnets_zone_a_ids: Required[list[str]]
    eks_subnets_zone_b_ids: Required[list[str]]
    eks_subnets_zone_c_ids: Required[list[str]]
    documentdb_subnets_zone_a_ids: list[str] | None
    documentdb_subnets_zone_b_ids: list[str] | None
    documentdb_subnets_zone_c_ids: list[str] | None
    elasticache_subnets_zone_a_ids: list[str] | None
    elasticache_subnets_zone_b_ids: list[str] | None
    elasticache_subnets_zone_c_ids: list[str] | None
    rds_subnets_zone_a_ids: list[str] | None
    rds_subnets_zone_b_ids: list[str] | None
    rds_subnets_zone_c_ids: list[str] | None
    eks_karpenter_fargate_subnets_zone_a_ids: list[str] | None
    eks_karpenter_fargate_subnets_zone_b_ids: list[str] | None
    eks_karpenter_fargate_subnets_zone_c_ids: list[str] | None
    eks_create_nodes_in_private_subnet: bool


class ClusterFeatureGcpExistingVpc(TypedDict, total=False):
    vpc_name: Required[str]
    vpc_project_id: str | None
    subnetwork_name: str | None
    ip_range_services_name: str | None
    ip_range_pods_name: str | None
    additional_ip_range_pods_names: list[str]
    private_nodes: bool


class ClusterFeatureKarpenterParameters(TypedDict, total=False):
    spot_enabled: Required[bool]
    disk_size_in_gib: Required[int]
    disk_iops: int
    disk_throughput: int
    default_service_architecture: Required[Literal["AMD64", "ARM64"]]
    platform_node_pools: Required[KarpenterNodePool]


class KarpenterNodePool(TypedDict, total=False):
    requirements: Required[list[KarpenterNodePoolRequirement]]
    stable_override: KarpenterStableNodePoolOverride
    default_override: KarpenterDefaultNodePoolOverride
    gpu_override: KarpenterGpuNodePoolOverride
    cronjob_override: KarpenterCronjobNodePoolOverride


class KarpenterNodePoolRequirement(TypedDict, total=False):
    key: Required[Literal["InstanceFamily", "InstanceSize", "Arch", "SkuFamily", "SkuVersion"]]
    operator: Required[Literal["In"]]
    values: Required[list[str]]


class KarpenterStableNodePoolOverride(TypedDict, total=False):
    consolidation: KarpenterNodePoolConsolidation
    limits: KarpenterNodePoolLimits
    spot_enabled: bool | None
    consolidate_after: str


class KarpenterNodePoolConsolidation(TypedDict, total=False):
    enabled: Required[bool]
    days: Required[list[Literal["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"]]]
    start_time: Required[str]
    duration: Required[str]


class KarpenterNodePoolLimits(TypedDict, total=False):
    enabled: Required[bool]
    max_cpu_in_vcpu: Required[int]
    max_memory_in_gibibytes: Required[int]
    max_gpu: int


class KarpenterDefaultNodePoolOverride(TypedDict, total=False):
    limits: KarpenterNodePoolLimits
    spot_enabled: bool | None
    consolidate_after: str


class KarpenterGpuNodePoolOverride(TypedDict, total=False):
    consolidation: KarpenterNodePoolConsolidation
    limits: KarpenterNodePoolLimits
    requirements: list[KarpenterNodePoolRequirement]
    disk_size_in_gib: int
    disk_iops: int
    disk_throughput: int
    spot_enabled: bool
    consolidate_after: str


class KarpenterCronjobNodePoolOverride(TypedDict, total=False):
    consolidation: KarpenterNodePoolConsolidation
    limits: KarpenterNodePoolLimits
    spot_enabled: bool | None
    consolidate_after: str


class ClusterFeatureNatGatewayParameters(TypedDict, total=False):
    nat_gateway_type: ClusterFeatureNatGatewayType | None


class ClusterFeatureNatGatewayType(TypedDict, total=False):
    provider: Required[Literal["scaleway", "gcp"]]
    type: Literal["VPC-GW-S", "VPC-GW-M", "VPC-GW-L", "VPC-GW-XL"]
    static_ips_enabled: bool
    static_ips_count: int


class MetricsParameters(TypedDict, total=False):
    enabled: bool
    configuration: MetricsConfiguration


class MetricsConfiguration(TypedDict, total=False):
    kind: Required[str]
    resource_profile: Literal["LOW", "NORMAL", "HIGH"]
    cloud_watch_export_config: CloudWatchExportConfig
    high_availability: bool
    internal_network_monitoring: InternalNetworkMonitoring
    alerting: AlertingConfig


class CloudWatchExportConfig(TypedDict, total=False):
    enabled: Required[bool]


class InternalNetworkMonitoring(TypedDict, total=False):
    enabled: Required[bool]


class AlertingConfig(TypedDict, total=False):
    enabled: Required[bool]
    default_rule_labels: dict[str, Any] | None
    spec_config_secret: str
    spec_external_url: str
    config_name: str


class InfrastructureOutputs(TypedDict, total=False):
    kubernetes_endpoint: str
    kubernetes_certificate_authority: str
    kind: Required[Literal["AKS", "EKS", "GKE", "SCW_KAPSULE"]]
    cluster_name: Required[str]
    cluster_oidc_issuer: str
    cluster_arn: str
    vpc_id: str
    external_secrets_automatic_authentication: Any
    cluster_self_link: str


class EksExternalSecrets(TypedDict, total=False):
    eks_role_arn: Required[str]


class GkeExternalSecrets(TypedDict, total=False):
    gke_service_account: Required[str]


class ClusterInfrastructureChartsParameters(TypedDict, total=False):
    nginx_parameters: ClusterInfrastructureNginxChartParameters
    cert_manager_parameters: ClusterInfrastructureCertManagerChartParameters
    metal_lb_parameters: ClusterInfrastructureMetalLbChartParameters
    eks_anywhere_parameters: ClusterInfrastructureEksAnywhereParameters


class ClusterInfrastructureNginxChartParameters(TypedDict, total=False):
    replica_count: int
    default_ssl_certificate: str
    publish_status_address: str
    annotation_metal_lb_load_balancer_ips: str
    annotation_external_dns_kubernetes_target: str


class ClusterInfrastructureCertManagerChartParameters(TypedDict, total=False):
    kubernetes_namespace: str


class ClusterInfrastructureMetalLbChartParameters(TypedDict, total=False):
    ip_address_pools: list[str]


class ClusterInfrastructureEksAnywhereParameters(TypedDict, total=False):
    git_repository: Required[ClusterEksAnywhereGitRepository]
    yaml_file_path: Required[str]
    cluster_backup: ClusterInfrastructureEksAnywhereBackupParameters


class ClusterEksAnywhereGitRepository(TypedDict, total=False):
    url: Required[str]
    branch: str
    commit_id: str
    git_token_id: Required[str]
    provider: Literal["BITBUCKET", "GITHUB", "GITLAB"]


class ClusterInfrastructureEksAnywhereBackupParameters(TypedDict, total=False):
    enabled: bool
    timeout_seconds: int
    certs_secret_name: str
    s3: Required[ClusterInfrastructureEksAnywhereBackupS3Parameters]


class ClusterInfrastructureEksAnywhereBackupS3Parameters(TypedDict, total=False):
    bucket: Required[str]
    region: Required[str]
    role_arn: Required[str]
    key_prefix: str


class ClusterKeda(TypedDict, total=False):
    enabled: Required[bool]


class ClusterLabelsGroup(TypedDict, total=False):
    id: Required[str]


class SecretManagerAccess(TypedDict, total=False):
    id: str | None
    created_at: str
    updated_at: str
    name: Required[str]
    endpoint: Required[SecretManagerEndpoint]
    authentication: Required[SecretManagerAuthentication]


class SecretManagerEndpoint(TypedDict, total=False):
    mode: Required[Literal["AWS_SECRET_MANAGER", "AWS_PARAMETER_STORE", "GCP_SECRET_MANAGER"]]
    region: str
    project_id: str


class SecretManagerAuthentication(TypedDict, total=False):
    mode: Required[Literal["AUTOMATICALLY_CONFIGURED", "AWS_ROLE_ARN", "AWS_STATIC_CREDENTIALS", "GCP_JSON_CREDENTIALS"]]
    role_arn: str
    region: str
    access_key: str
    secret_key: str | None
    json_credentials: str | None


class ApplicationGitRepository(TypedDict, total=False):
    url: Required[str]
    branch: str
    root_path: str
    git_token_id: str | None
    provider: Required[Literal["BITBUCKET", "GITHUB", "GITLAB"]]
    owner: str
    name: str
    has_access: bool
    deployed_commit_id: str
    deployed_commit_date: str
    deployed_commit_contributor: str
    deployed_commit_tag: str
    git_token_name: str | None


class Healthcheck(TypedDict, total=False):
    readiness_probe: Probe | None
    liveness_probe: Probe | None


class Probe(TypedDict, total=False):
    type: Required[ProbeType]
    initial_delay_seconds: int
    period_seconds: int
    timeout_seconds: int
    success_threshold: int
    failure_threshold: int


class ProbeType(TypedDict, total=False):
    tcp: ProbeTcp | None
    http: ProbeHttp | None
    exec: ProbeExec | None
    grpc: ProbeGrpc | None


class ProbeTcp(TypedDict, total=False):
    port: int
    host: str | None


class ProbeHttp(TypedDict, total=False):
    path: str
    scheme: str
    port: int


class ProbeExec(TypedDict, total=False):
    command: list[str]


class ProbeGrpc(TypedDict, total=False):
    service: str | None
    port: int


class ServicePort(TypedDict, total=False):
    id: str
    name: str
    internal_port: Required[int]
    external_port: int
    publicly_accessible: Required[bool]
    is_default: bool
    protocol: Literal["HTTP", "GRPC", "TCP", "UDP"]
    public_path: str
    public_path_rewrite: str


class ServiceStorage(TypedDict, total=False):
    id: str
    type: Required[Literal["FAST_SSD"]]
    size: Required[int]
    mount_point: Required[str]


class OrganizationAnnotationsGroupResponse(TypedDict, total=False):
    id: Required[str]
    created_at: str
    updated_at: str
    name: str
    annotations: list[Annotation]
    scopes: list[Literal["DEPLOYMENTS", "STATEFUL_SETS", "SERVICES", "INGRESS", "GATEWAY_API_ROUTES", "HPA", "PODS", "SECRETS", "JOBS", "CRON_JOBS"]]


class Annotation(TypedDict, total=False):
    key: Required[str]
    value: Required[str]


class OrganizationLabelsGroupResponse(TypedDict, total=False):
    id: Required[str]
    created_at: str
    updated_at: str
    name: str
    labels: list[Label]


class Label(TypedDict, total=False):
    key: Required[str]
    value: Required[str]
    propagate_to_cloud_provider: Required[bool]


class AutoscalingPolicy(TypedDict, total=False):
    id: str
    created_at: str
    updated_at: str
    service_id: str
    mode: Required[Literal["KEDA"]]
    polling_interval_seconds: int
    cooldown_period_seconds: int
    scalers: list[KedaScaler]


class KedaScaler(TypedDict, total=False):
    id: str
    created_at: str
    updated_at: str
    scaler_type: Required[str]
    enabled: bool
    role: Required[Literal["PRIMARY", "SAFETY"]]
    config_json: dict[str, Any] | None
    config_yaml: str | None
    trigger_authentication: KedaTriggerAuthentication | None


class KedaTriggerAuthentication(TypedDict, total=False):
    id: str
    created_at: str
    updated_at: str
    organization_id: str
    name: Required[str]
    config_yaml: str


class ServiceAddress(TypedDict, total=False):
    host: Required[str]
    port: int
    internal_port: int
    protocol: Literal["HTTP", "HTTPS", "GRPC", "TCP", "UDP"]
    scope: Required[Literal["INTERNAL", "EXTERNAL"]]
    url: str


class ServiceRuntime(TypedDict, total=False):
    entrypoint: list[str]
    user: str
    groups: list[str]
    working_dir: str
    hostname: str
    aliases: list[str]
    init: bool
    tty: bool
    stdin_open: bool
    stop_signal: str
    restart: Literal["ALWAYS", "UNLESS_STOPPED", "ON_FAILURE", "NO"]
    mounts: list[RuntimeMount]
    shm_size_in_mib: int
    published_ports: list[RuntimePublishedPort]
    extra_hosts: list[RuntimeExtraHost]
    dns_servers: list[str]
    dns_search: list[str]
    dns_options: list[str]
    network_mode: Literal["HOST", "NONE"]
    pid_mode: Literal["HOST"]
    ipc_mode: Literal["HOST"]
    capabilities_add: list[str]
    capabilities_drop: list[str]
    privileged: bool
    devices: list[RuntimeDevice]
    security_options: list[str]
    sysctls: dict[str, Any]
    memory_unlimited: bool
    pids_max: int
    labels: dict[str, Any]
    ulimits: list[RuntimeUlimit]
    build: RuntimeBuild


class RuntimeMount(TypedDict, total=False):
    type: Required[Literal["VOLUME", "HOST_PATH", "TMPFS"]]
    source: str
    mount_point: Required[str]
    read_only: bool
    size_in_mib: int


class RuntimePublishedPort(TypedDict, total=False):
    internal_port: Required[int]
    external_port: int
    host_address: str
    transport: Literal["TCP", "UDP"]


class RuntimeExtraHost(TypedDict, total=False):
    hostname: Required[str]
    address: Required[str]


class RuntimeDevice(TypedDict, total=False):
    host_path: Required[str]
    container_path: str
    permissions: str


class RuntimeUlimit(TypedDict, total=False):
    name: Required[str]
    soft: Required[int]
    hard: Required[int]


class RuntimeBuild(TypedDict, total=False):
    context: Required[str]
    dockerfile: str
    dockerfile_raw: str
    target: str
    args: dict[str, Any]


class ContainerRegistryProviderDetailsResponse(TypedDict, total=False):
    id: str
    name: str
    url: str
    kind: Literal["ECR", "SCALEWAY_CR", "DOCKER_HUB", "GITHUB_CR", "GITHUB_ENTERPRISE_CR", "GITLAB_CR", "PUBLIC_ECR", "DOCR", "GENERIC_CR", "GCP_ARTIFACT_REGISTRY", "AZURE_CR"]


class JobSource(TypedDict, total=False):
    image: ContainerSource | None
    docker: JobSourceDockerResponse | None


class ContainerSource(TypedDict, total=False):
    registry_id: Required[str]
    image_name: Required[str]
    tag: Required[str]
    registry: ContainerRegistryProviderDetailsResponse


class JobSourceDockerResponse(TypedDict, total=False):
    git_repository: ApplicationGitRepository
    dockerfile_path: str | None
    dockerfile_raw: str | None
    docker_target_build_stage: str | None


class JobSchedule(TypedDict, total=False):
    on_start: JobEvent
    on_stop: JobEvent
    on_delete: JobEvent
    cronjob: JobCron
    lifecycle_type: Literal["GENERIC", "TERRAFORM", "CLOUDFORMATION"]


class JobEvent(TypedDict, total=False):
    arguments: list[str]
    entrypoint: str


class JobCron(TypedDict, total=False):
    arguments: list[str]
    entrypoint: str
    timezone: str
    scheduled_at: Required[str]


class HelmPort(TypedDict, total=False):
    id: str
    port_type: Literal["SERVICE_NAME", "SERVICE_SELECTORS"]
    name: str
    internal_port: Required[int]
    external_port: int
    namespace: str
    protocol: Literal["HTTP", "GRPC"]
    is_default: bool
    service_name: str
    service_selectors: list[KubernetesSelector]


class KubernetesSelector(TypedDict, total=False):
    key: Required[str]
    value: Required[str]


class HelmSource(TypedDict, total=False):
    git_repository: GitRepository | None
    helm_repository: HelmSourceRepositoryRequest | None
    git: HelmSourceGitResponse | None
    repository: HelmSourceRepositoryResponse | None


class GitRepository(TypedDict, total=False):
    url: Required[str]
    branch: str
    root_path: str
    git_token_id: str | None
    provider: Literal["BITBUCKET", "GITHUB", "GITLAB"]
    owner: str
    name: str
    has_access: bool
    deployed_commit_id: str
    deployed_commit_date: str
    deployed_commit_contributor: str
    deployed_commit_tag: str
    git_token_name: str | None


class HelmSourceRepositoryRequest(TypedDict, total=False):
    repository: Required[str]
    chart_name: Required[str]
    chart_version: Required[str]


class HelmSourceGitResponse(TypedDict, total=False):
    git_repository: Required[GitRepository]


class HelmSourceRepositoryResponse(TypedDict, total=False):
    chart_name: Required[str]
    chart_version: Required[str]
    repository: Required[HelmSourceRepositoryDetails]


class HelmSourceRepositoryDetails(TypedDict, total=False):
    id: Required[str]
    name: str
    url: str


class HelmValuesOverride(TypedDict, total=False):
    set: list[list[Any]]
    set_string: list[list[Any]]
    set_json: list[list[Any]]
    file: HelmValuesOverrideFile | None


class HelmValuesOverrideFile(TypedDict, total=False):
    git: HelmValuesGit | None
    raw: HelmValuesRaw | None


class HelmValuesGit(TypedDict, total=False):
    git_repository: Required[ApplicationGitRepository]
    paths: Required[list[str]]


class HelmValuesRaw(TypedDict, total=False):
    values: Required[list[HelmValuesFile]]


class HelmValuesFile(TypedDict, total=False):
    name: Required[str]
    content: Required[str]


class TerraformAutoDeployConfig(TypedDict, total=False):
    auto_deploy: Required[bool]
    terraform_action: Required[Literal["DEFAULT", "PLAN", "NOOP"]]


class TerraformFilesSource(TypedDict, total=False):
    git_repository: GitRepository | None
    git: TerraformFilesSourceGit | None


class TerraformFilesSourceGit(TypedDict, total=False):
    git_repository: Required[GitRepository]


class TerraformVariablesSource(TypedDict, total=False):
    tf_var_file_paths: Required[list[str]]
    tf_vars: Required[list[TerraformVarKeyValue]]
    secret_values: dict[str, Any]


class TerraformVarKeyValue(TypedDict, total=False):
    key: Required[str]
    value: str | None
    secret: bool


class TerraformBackend(TypedDict, total=False):
    kubernetes: dict[str, Any] | None
    user_provided: dict[str, Any] | None
    blueprint: TerraformBackendBlueprint | None


class TerraformBackendBlueprint(TypedDict, total=False):
    type: Required[str]
    config: dict[str, Any]


class TerraformProviderVersion(TypedDict, total=False):
    read_from_terraform_block: bool
    explicit_version: Required[str]


class TerraformJobResources(TypedDict, total=False):
    cpu_milli: Required[int]
    ram_mib: Required[int]
    gpu: int
    storage_gib: Required[int]


class DockerfileFragment(TypedDict, total=False):
    type: Required[Literal["file", "inline"]]
    path: str
    content: str


class ContainerRegistryConfig(TypedDict, total=False):
    username: str
    password: str
    region: str
    access_key_id: str
    secret_access_key: str
    role_arn: str
    scaleway_access_key: str
    scaleway_secret_key: str
    scaleway_project_id: str
    json_credentials: str
    gcp_credentials_type: Literal["workload_identity_federation"]
    project_id: str
    service_account_email: str
    workload_identity_provider_resource: str
    token_lifetime_seconds: int
    azure_tenant_id: str
    azure_subscription_id: str
    azure_application_id: str
    azure_application_object_id: str


class ContainerRegistryCluster(TypedDict, total=False):
    id: Required[str]
    name: Required[str]


class HelmRepositoryConfig(TypedDict, total=False):
    username: str
    password: str
    region: str
    access_key_id: str
    secret_access_key: str
    role_arn: str
    scaleway_access_key: str
    scaleway_secret_key: str
    scaleway_project_id: str
    azure_tenant_id: str
    azure_subscription_id: str


class OrganizationCustomRoleClusterPermissions(TypedDict, total=False):
    cluster_id: Required[str]
    cluster_name: str
    permission: Required[Literal["VIEWER", "ENV_CREATOR", "ADMIN"]]


class OrganizationCustomRoleProjectPermissions(TypedDict, total=False):
    project_id: Required[str]
    project_name: str
    is_admin: bool
    permissions: list[OrganizationCustomRoleEnvironmentPermission]


class OrganizationCustomRoleEnvironmentPermission(TypedDict, total=False):
    environment_type: Required[Literal["DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING"]]
    permission: Required[Literal["NO_ACCESS", "VIEWER", "DEPLOYER", "MANAGER"]]


class ClusterRoute(TypedDict, total=False):
    destination: Required[str]
    target: Required[str]
    description: Required[str]


class InvoiceLine(TypedDict, total=False):
    kind: Literal["PLAN", "INSTANCES", "CLUSTERS", "BUILDS", "CREDIT"]
    text: str
    quantity: float
    amount: float


class ClusterDnsProvider(TypedDict, total=False):
    provider: Required[str]
    domain: Required[str]
    email: str
    api_token: str
    proxied: bool
    credentials: Route53StaticCredentials
    aws_region: str
    hosted_zone_id: str | None


class Route53StaticCredentials(TypedDict, total=False):
    type: Required[Literal["STATIC"]]
    aws_access_key_id: Required[str]
    aws_secret_access_key: Required[str]


class AgenticWorkflowOutput(TypedDict, total=False):
    name: Required[str]
    url: str | None
    headers: list[AgenticWorkflowHeader]
    instructions: str


class AgenticWorkflowHeader(TypedDict, total=False):
    name: Required[str]
    value: Required[str]


class AgenticWorkflowModel(TypedDict, total=False):
    type: Required[Literal["CLAUDE", "BEDROCK"]]
    api_key: str
    settings: str


class AgenticWorkflowProjectRepository(TypedDict, total=False):
    url: Required[str]
    branch: Required[str]
    git_token_id: str | None


class AgenticWorkflowGovernance(TypedDict, total=False):
    host_allowlist: Required[list[str]]


class AgenticWorkflowResources(TypedDict, total=False):
    cpu_milli: int
    ram_mib: int
    gpu: int
    storage_gib: int


class AgenticWorkflowWebhook(TypedDict, total=False):
    url: Required[str]


class Organization(Editable, Deletable):
    """An organization is the tenant of the platform. It owns projects, clusters, credentials, registries and members. Resources cannot refer to those of another organization."""

    _family = Family(
        name="organization",
        kind="",
        path="/organization/{id}",
        collection="/organization",
        fields=("name", "description", "plan", "website_url", "repository", "logo_url", "icon_url", "admin_emails", "organization_plan"),
        given=("name", "description", "plan", "website_url", "repository", "logo_url", "icon_url", "admin_emails"),
        secret=(),
        children={"projects": "ProjectCollection", "clusters": "ClusterCollection", "aws_credentials": "AwsCredentialsCollection", "azure_credentials": "AzureCredentialsCollection", "gcp_credentials": "GcpCredentialsCollection", "scaleway_credentials": "ScalewayCredentialsCollection", "on_premise_credentials": "OnPremiseCredentialsCollection", "container_registries": "ContainerRegistryCollection", "helm_repositories": "HelmRepositoryCollection", "git_tokens": "GitTokenCollection", "labels_groups": "OrganizationLabelsGroupCollection", "annotations_groups": "OrganizationAnnotationsGroupCollection", "members": "MemberCollection", "invitations": "InviteMemberCollection", "custom_roles": "OrganizationCustomRoleCollection", "api_tokens": "OrganizationApiTokenCollection", "policy_api_tokens": "OrganizationPolicyApiTokenCollection", "webhooks": "OrganizationWebhookCollection", "mcp_servers": "McpServerCollection", "enterprise_connections": "EnterpriseConnectionCollection", "credit_cards": "CreditCardCollection", "invoices": "InvoiceCollection"},
        singles={"billing_info": "BillingInfo", "onboarding": "OrganizationOnboarding"},
    )


class OrganizationCollection(Ensurable[Organization]):
    """The organizations."""

    _item = Organization


class Project(VariableOwner, Editable, Deletable):
    """A project groups the environments of one product, such as development, staging and production."""

    _family = Family(
        name="project",
        kind="",
        path="/project/{id}",
        collection="/organization/{parent}/project",
        fields=("name", "description", "organization", "associated_environments_count"),
        given=("name", "description"),
        secret=(),
        children={"environments": "EnvironmentCollection", "project_deployment_rules": "ProjectDeploymentRuleCollection"},
    )


class ProjectCollection(Ensurable[Project], BulkCreatable[Project]):
    """The projects of an organization."""

    _item = Project


class Environment(ClonableEnvironment, EnvironmentDeploy, VariableOwner, Editable, Deletable):
    """An environment is a set of services that run together in one namespace of a cluster and are deployed stage by stage."""

    _family = Family(
        name="environment",
        kind="",
        path="/environment/{id}",
        collection="/project/{parent}/environment",
        fields=("name", "mode", "cluster_id", "cluster_name", "cloud_provider", "on_failure", "organization", "project"),
        given=("name", "mode", "cluster", "cluster_id", "on_failure"),
        secret=(),
        children={"stages": "DeploymentStageCollection", "applications": "ApplicationCollection", "containers": "ContainerCollection", "databases": "DatabaseCollection", "jobs": "JobCollection", "helms": "HelmCollection", "terraforms": "TerraformCollection", "argocd_apps": "ArgocdAppCollection", "agentic_workflows": "AgenticWorkflowCollection"},
    )


class EnvironmentCollection(Ensurable[Environment], BulkCreatable[Environment]):
    """The environments of a project."""

    _item = Environment


class DeploymentStage(Staged, Editable, Deletable):
    """A deployment stage is a group of services of an environment. The stages are deployed one after the other, the services of one stage in parallel."""

    _family = Family(
        name="deployment_stage",
        kind="",
        path="/deploymentStage/{id}",
        collection="/environment/{parent}/deploymentStage",
        fields=("environment", "name", "description", "deployment_order", "services"),
        given=("name", "description"),
        secret=(),
        children={},
    )


class DeploymentStageCollection(Ensurable[DeploymentStage], BulkCreatable[DeploymentStage]):
    """The deployment stages of an environment."""

    _item = DeploymentStage


class Cluster(ClusterDeploy, Editable, Deletable):
    """A cluster is a Kubernetes cluster of a cloud provider, or of the customer's own machines, on which environments run. Edits take effect with the next deployment of the cluster."""

    _family = Family(
        name="cluster",
        kind="",
        path="/organization/{parent}/cluster/{id}",
        collection="/organization/{parent}/cluster",
        fields=("organization", "name", "description", "region", "cloud_provider", "cloud_provider_credentials", "min_running_nodes", "max_running_nodes", "disk_size", "disk_iops", "disk_throughput", "instance_type", "kubernetes", "cpu", "memory", "estimated_cloud_provider_cost", "status", "has_access", "version", "is_default", "is_demo", "production", "ssh_keys", "features", "deployment_status", "metrics_parameters", "infrastructure_outputs", "infrastructure_charts_parameters", "keda", "labels_groups", "secret_manager_accesses"),
        given=("name", "description", "region", "cloud_provider", "cloud_provider_credentials", "min_running_nodes", "max_running_nodes", "disk_size", "disk_iops", "disk_throughput", "instance_type", "kubernetes", "production", "ssh_keys", "features", "metrics_parameters", "infrastructure_charts_parameters", "keda", "labels_groups", "secret_manager_accesses"),
        secret=(),
        children={"cluster_analyses": "ClusterAnalysisCollection"},
        singles={"advanced_settings": "ClusterAdvancedSettings", "routing_table": "ClusterRoutingTable", "dns_provider": "ClusterDnsProviderSettings"},
    )


class ClusterCollection(Ensurable[Cluster], BulkCreatable[Cluster]):
    """The clusters of an organization."""

    _item = Cluster


class Application(ClonableService, Deployable, Restartable, Stoppable, VariableOwner, Editable, Deletable):
    """An application is a service that is built from a git repository with a Dockerfile and runs as replicated instances. Edits take effect with the next deployment."""

    _family = Family(
        name="application",
        kind="APPLICATION",
        path="/application/{id}",
        collection="/environment/{parent}/application",
        fields=("environment", "name", "description", "git_repository", "build_mode", "dockerfile_path", "docker_target_build_stage", "cpu", "memory", "gpu", "ephemeral_storage_in_gib", "cpu_architecture", "min_running_instances", "max_running_instances", "healthchecks", "auto_preview", "auto_deploy", "ports", "storage", "arguments", "entrypoint", "annotations_groups", "labels_groups", "autoscaling", "icon_uri", "service_type", "addresses", "runtime", "maximum_cpu", "maximum_memory", "maximun_gpu"),
        given=("name", "description", "git_repository", "build_mode", "dockerfile_path", "docker_target_build_stage", "cpu", "memory", "gpu", "ephemeral_storage_in_gib", "cpu_architecture", "min_running_instances", "max_running_instances", "healthchecks", "auto_preview", "auto_deploy", "ports", "storage", "arguments", "entrypoint", "annotations_groups", "labels_groups", "autoscaling", "icon_uri", "runtime"),
        secret=(),
        children={"custom_domains": "CustomDomainCollection", "deployment_restrictions": "DeploymentRestrictionCollection"},
        singles={"advanced_settings": "ApplicationAdvancedSettings", "network": "Network"},
    )


class ApplicationCollection(Ensurable[Application], BulkCreatable[Application]):
    """The applications of an environment."""

    _item = Application


class Container(Previewable, ClonableService, Deployable, Restartable, Stoppable, VariableOwner, Editable, Deletable):
    """A container is a service that runs an image of a container registry as replicated instances. Edits take effect with the next deployment."""

    _family = Family(
        name="container",
        kind="CONTAINER",
        path="/container/{id}",
        collection="/environment/{parent}/container",
        fields=("environment", "name", "description", "registry_id", "image_name", "tag", "registry", "arguments", "entrypoint", "cpu", "memory", "gpu", "ephemeral_storage_in_gib", "cpu_architecture", "min_running_instances", "max_running_instances", "healthchecks", "auto_preview", "auto_deploy", "ports", "storage", "annotations_groups", "labels_groups", "autoscaling", "icon_uri", "service_type", "addresses", "runtime", "maximum_cpu", "maximum_memory", "maximum_gpu"),
        given=("name", "description", "registry_id", "image_name", "tag", "arguments", "entrypoint", "cpu", "memory", "gpu", "ephemeral_storage_in_gib", "cpu_architecture", "min_running_instances", "max_running_instances", "healthchecks", "auto_preview", "auto_deploy", "ports", "storage", "annotations_groups", "labels_groups", "autoscaling", "icon_uri", "runtime"),
        secret=(),
        children={"custom_domains": "CustomDomainCollection"},
        singles={"advanced_settings": "ContainerAdvancedSettings", "network": "Network"},
    )


class ContainerCollection(Ensurable[Container], BulkCreatable[Container]):
    """The containers of an environment."""

    _item = Container


class Database(ClonableService, Deployable, Restartable, Stoppable, Editable, Deletable):
    """A database is a PostgreSQL, MySQL, MongoDB or Redis server, run in a container on the cluster or as a managed service of the cloud provider."""

    _family = Family(
        name="database",
        kind="DATABASE",
        path="/database/{id}",
        collection="/environment/{parent}/database",
        fields=("environment", "name", "description", "type", "version", "mode", "accessibility", "cpu", "memory", "storage", "instance_type", "disk_type", "disk_encrypted", "host", "port", "annotations_groups", "labels_groups", "icon_uri", "service_type", "addresses", "maximum_cpu", "maximum_memory"),
        given=("name", "description", "type", "version", "mode", "accessibility", "cpu", "memory", "storage", "instance_type", "disk_type", "annotations_groups", "labels_groups", "icon_uri"),
        secret=(),
        children={"database_backups": "BackupCollection"},
    )


class DatabaseCollection(Ensurable[Database], BulkCreatable[Database]):
    """The databases of an environment."""

    _item = Database


class Job(ClonableService, Deployable, Scheduled, Stoppable, VariableOwner, Editable, Deletable):
    """A job is a service that runs a container to completion, on a cron schedule or when its environment is deployed, stopped or deleted."""

    _family = Family(
        name="job",
        kind="JOB",
        path="/job/{id}",
        collection="/environment/{parent}/job",
        fields=("environment", "name", "description", "cpu", "memory", "gpu", "ephemeral_storage_in_gib", "cpu_architecture", "max_nb_restart", "max_duration_seconds", "auto_preview", "port", "source", "healthchecks", "schedule", "job_type", "auto_deploy", "annotations_groups", "labels_groups", "icon_uri", "service_type", "addresses", "runtime", "maximum_cpu", "maximum_memory", "maximum_gpu"),
        given=("name", "description", "cpu", "memory", "gpu", "ephemeral_storage_in_gib", "cpu_architecture", "max_nb_restart", "max_duration_seconds", "auto_preview", "port", "source", "healthchecks", "schedule", "auto_deploy", "annotations_groups", "labels_groups", "icon_uri", "runtime"),
        secret=(),
        children={"deployment_restrictions": "DeploymentRestrictionCollection"},
        singles={"advanced_settings": "JobAdvancedSettings"},
    )


class JobCollection(Ensurable[Job], BulkCreatable[Job]):
    """The jobs of an environment."""

    _item = Job


class Helm(ClonableService, Deployable, Stoppable, VariableOwner, Editable, Deletable):
    """A Helm service is a service that installs a Helm chart from a git repository or a Helm repository. Edits take effect with the next deployment."""

    _family = Family(
        name="helm",
        kind="HELM",
        path="/helm/{id}",
        collection="/environment/{parent}/helm",
        fields=("environment", "name", "description", "timeout_sec", "auto_preview", "auto_deploy", "ports", "source", "arguments", "allow_cluster_wide_resources", "values_override", "icon_uri", "service_type", "addresses", "blueprint_id"),
        given=("name", "description", "timeout_sec", "auto_preview", "auto_deploy", "ports", "source", "arguments", "allow_cluster_wide_resources", "values_override", "icon_uri", "blueprint_id"),
        secret=(),
        children={"custom_domains": "CustomDomainCollection", "deployment_restrictions": "DeploymentRestrictionCollection"},
        singles={"advanced_settings": "HelmAdvancedSettings"},
    )


class HelmCollection(Ensurable[Helm], BulkCreatable[Helm]):
    """The Helm services of an environment."""

    _item = Helm


class Terraform(ClonableService, Deployable, VariableOwner, Editable, Deletable):
    """A Terraform service is a service that applies Terraform files with its environment and destroys their resources when it is deleted."""

    _family = Family(
        name="terraform",
        kind="TERRAFORM",
        path="/terraform/{id}",
        collection="/environment/{parent}/terraform",
        fields=("environment", "name", "description", "auto_deploy", "auto_deploy_config", "terraform_files_source", "terraform_variables_source", "backend", "engine", "provider_version", "timeout_sec", "job_resources", "use_cluster_credentials", "action_extra_arguments", "dockerfile_fragment", "blueprint_id", "icon_uri", "service_type", "addresses"),
        given=("name", "description", "auto_deploy_config", "terraform_files_source", "terraform_variables_source", "backend", "engine", "provider_version", "timeout_sec", "job_resources", "use_cluster_credentials", "action_extra_arguments", "dockerfile_fragment", "blueprint_id", "icon_uri"),
        secret=(),
        children={"deployment_restrictions": "DeploymentRestrictionCollection"},
        singles={"advanced_settings": "TerraformAdvancedSettings"},
    )


class TerraformCollection(Ensurable[Terraform], BulkCreatable[Terraform]):
    """The Terraform services of an environment."""

    _item = Terraform


class ArgocdApp(Resource):
    """An ArgoCD application is a service that ArgoCD manages on the cluster. It appears, changes and disappears with the synchronization of the cluster's ArgoCD server; the API can read it but not create, edit or delete it."""

    _family = Family(
        name="argocd_app",
        kind="ARGOCD_APP",
        path="/argocdApp/{id}",
        collection="/environment/{parent}/argocdApp",
        fields=("environment", "environment_id", "name", "namespace", "cluster_id", "argocd_config_id", "last_synced_at", "manifest_revision", "git_repository", "icon_uri", "service_type", "addresses"),
        given=(),
        secret=(),
        children={},
    )


class ArgocdAppCollection(Collection[ArgocdApp]):
    """The ArgoCD applications of an environment."""

    _item = ArgocdApp


class AwsCredentials(Editable, Deletable):
    """AWS credentials give the platform access to an AWS account, by an IAM role or an access key, and for EKS Anywhere to vSphere as well."""

    _family = Family(
        name="aws_credentials",
        kind="",
        path="/organization/{parent}/aws/credentials/{id}",
        collection="/organization/{parent}/aws/credentials",
        fields=("name", "role_arn", "access_key_id", "vsphere_user", "object_type"),
        given=("name", "type", "role_arn", "access_key_id", "secret_access_key", "vsphere_user", "vsphere_password"),
        secret=("secret_access_key", "vsphere_password"),
        children={},
    )


class AwsCredentialsCollection(Ensurable[AwsCredentials], BulkCreatable[AwsCredentials]):
    """The AWS credentials of an organization."""

    _item = AwsCredentials


class AzureCredentials(Editable, Deletable):
    """Azure credentials give the platform access to a subscription, by an application registration that the engine generates an ID for."""

    _family = Family(
        name="azure_credentials",
        kind="",
        path="/organization/{parent}/azure/credentials/{id}",
        collection="/organization/{parent}/azure/credentials",
        fields=("name", "azure_subscription_id", "azure_tenant_id", "access_key_id", "azure_application_id", "azure_application_object_id", "object_type"),
        given=("name", "azure_subscription_id", "azure_tenant_id"),
        secret=(),
        children={},
    )


class AzureCredentialsCollection(Ensurable[AzureCredentials], BulkCreatable[AzureCredentials]):
    """The Azure credentials of an organization."""

    _item = AzureCredentials


class GcpCredentials(Editable, Deletable):
    """GCP credentials give the platform access to a Google Cloud project, by the key of a service account or by workload identity federation."""

    _family = Family(
        name="gcp_credentials",
        kind="",
        path="/organization/{parent}/gcp/credentials/{id}",
        collection="/organization/{parent}/gcp/credentials",
        fields=("name", "service_account_email", "workload_identity_provider_resource", "project_id", "token_lifetime_seconds", "object_type"),
        given=("name", "credential_type", "gcp_credentials", "service_account_email", "workload_identity_provider_resource"),
        secret=("gcp_credentials",),
        children={},
    )


class GcpCredentialsCollection(Ensurable[GcpCredentials], BulkCreatable[GcpCredentials]):
    """The GCP credentials of an organization."""

    _item = GcpCredentials


class ScalewayCredentials(Editable, Deletable):
    """Scaleway credentials give the platform access to a Scaleway project by an API key."""

    _family = Family(
        name="scaleway_credentials",
        kind="",
        path="/organization/{parent}/scaleway/credentials/{id}",
        collection="/organization/{parent}/scaleway/credentials",
        fields=("name", "scaleway_access_key", "scaleway_project_id", "scaleway_organization_id", "object_type"),
        given=("name", "scaleway_access_key", "scaleway_secret_key", "scaleway_project_id", "scaleway_organization_id"),
        secret=("scaleway_secret_key",),
        children={},
    )


class ScalewayCredentialsCollection(Ensurable[ScalewayCredentials], BulkCreatable[ScalewayCredentials]):
    """The Scaleway credentials of an organization."""

    _item = ScalewayCredentials


class OnPremiseCredentials(Editable, Deletable):
    """On-premise credentials are a named placeholder that clusters on the customer's own machines refer to. They contain no secret."""

    _family = Family(
        name="on_premise_credentials",
        kind="",
        path="/organization/{parent}/onPremise/credentials/{id}",
        collection="/organization/{parent}/onPremise/credentials",
        fields=("name", "object_type"),
        given=("name",),
        secret=(),
        children={},
    )


class OnPremiseCredentialsCollection(Ensurable[OnPremiseCredentials], BulkCreatable[OnPremiseCredentials]):
    """The on-premise credentials of an organization."""

    _item = OnPremiseCredentials


class ContainerRegistry(Editable, Deletable):
    """A container registry stores the images of containers and jobs. Clusters pull the images with its credentials."""

    _family = Family(
        name="container_registry",
        kind="",
        path="/organization/{parent}/containerRegistry/{id}",
        collection="/organization/{parent}/containerRegistry",
        fields=("name", "kind", "description", "url", "config", "cluster", "associated_services_count"),
        given=("name", "kind", "description", "url", "config"),
        secret=(),
        children={},
    )


class ContainerRegistryCollection(Ensurable[ContainerRegistry], BulkCreatable[ContainerRegistry]):
    """The container registries of an organization."""

    _item = ContainerRegistry


class HelmRepository(Editable, Deletable):
    """A Helm repository stores the charts that Helm services install. Clusters pull the charts with its credentials."""

    _family = Family(
        name="helm_repository",
        kind="",
        path="/organization/{parent}/helmRepository/{id}",
        collection="/organization/{parent}/helmRepository",
        fields=("name", "kind", "description", "url", "skip_tls_verification", "config", "associated_services_count"),
        given=("name", "kind", "description", "url", "skip_tls_verification", "config"),
        secret=(),
        children={},
    )


class HelmRepositoryCollection(Ensurable[HelmRepository], BulkCreatable[HelmRepository]):
    """The Helm repositories of an organization."""

    _item = HelmRepository


class GitToken(Editable, Deletable):
    """A git token gives the platform read access to the repositories of a git provider."""

    _family = Family(
        name="git_token",
        kind="",
        path="/organization/{parent}/gitToken/{id}",
        collection="/organization/{parent}/gitToken",
        fields=("name", "description", "type", "workspace", "git_api_url", "associated_services_count"),
        given=("name", "description", "type", "token", "workspace", "git_api_url"),
        secret=("token",),
        children={},
    )


class GitTokenCollection(Ensurable[GitToken], BulkCreatable[GitToken]):
    """The Git tokens of an organization."""

    _item = GitToken


class OrganizationLabelsGroup(Group, Editable, Deletable):
    """A labels group is a named set of Kubernetes labels that services and clusters of the organization share."""

    _family = Family(
        name="labels_group",
        kind="",
        path="/organization/{parent}/labelsGroups/{id}",
        collection="/organization/{parent}/labelsGroups",
        fields=("name", "labels", "associated_items_count"),
        given=("name", "labels"),
        secret=(),
        children={},
    )


class OrganizationLabelsGroupCollection(Ensurable[OrganizationLabelsGroup], BulkCreatable[OrganizationLabelsGroup]):
    """The labels groups of an organization."""

    _item = OrganizationLabelsGroup


class OrganizationAnnotationsGroup(Group, Editable, Deletable):
    """An annotations group is a named set of Kubernetes annotations that services of the organization share."""

    _family = Family(
        name="annotations_group",
        kind="",
        path="/organization/{parent}/annotationsGroups/{id}",
        collection="/organization/{parent}/annotationsGroups",
        fields=("name", "annotations", "scopes", "associated_items_count"),
        given=("name", "annotations", "scopes"),
        secret=(),
        children={},
    )


class OrganizationAnnotationsGroupCollection(Ensurable[OrganizationAnnotationsGroup], BulkCreatable[OrganizationAnnotationsGroup]):
    """The annotations groups of an organization."""

    _item = OrganizationAnnotationsGroup


class Member(Resource):
    """A member is a person who has a role in an organization. The ID of a member is the ID of the person, the same in every organization."""

    _family = Family(
        name="member",
        kind="",
        path="/organization/{parent}/member/{id}",
        collection="/organization/{parent}/member",
        fields=("name", "email", "role", "role_name", "role_id"),
        given=(),
        secret=(),
        children={},
        is_read=False,
    )


class MemberCollection(Findable[Member]):
    """The members of an organization."""

    _item = Member


class InviteMember(Deletable):
    """An invitation lets a person become a member of an organization. It expires seven days after its creation."""

    _family = Family(
        name="invitation",
        kind="",
        path="/organization/{parent}/inviteMember/{id}",
        collection="/organization/{parent}/inviteMember",
        fields=("email", "role", "role_id", "role_name", "invitation_link", "invitation_status", "organization_name", "inviter"),
        given=("email", "role", "role_id"),
        secret=(),
        children={},
    )


class InviteMemberCollection(Listable[InviteMember], Creatable[InviteMember]):
    """The invitations of an organization."""

    _item = InviteMember


class OrganizationCustomRole(Editable, Deletable):
    """A custom role grants members and API tokens permissions on the clusters and projects of an organization."""

    _family = Family(
        name="custom_role",
        kind="",
        path="/organization/{parent}/customRole/{id}",
        collection="/organization/{parent}/customRole",
        fields=("name", "description", "cluster_permissions", "project_permissions"),
        given=("name", "description", "cluster_permissions", "project_permissions"),
        secret=(),
        children={},
    )


class OrganizationCustomRoleCollection(Ensurable[OrganizationCustomRole], BulkCreatable[OrganizationCustomRole]):
    """The custom roles of an organization."""

    _item = OrganizationCustomRole


class OrganizationApiToken(Deletable):
    """An API token authenticates programs in one organization with the permissions of a role. The engine stores only a digest of its value."""

    _family = Family(
        name="api_token",
        kind="",
        path="/organization/{parent}/apiToken/{id}",
        collection="/organization/{parent}/apiToken",
        fields=("name", "description", "role_id", "role_name", "creator_name", "expires_at", "token", "last_used_at"),
        given=("name", "description", "scope", "role_id", "expires_at"),
        secret=(),
        children={},
        is_read=False,
    )


class OrganizationApiTokenCollection(Findable[OrganizationApiToken], Creatable[OrganizationApiToken]):
    """The API tokens of an organization."""

    _item = OrganizationApiToken


class OrganizationPolicyApiToken(Deletable):
    """A policy API token is an API token whose requests must also be allowed by a policy. The engine asks the policy evaluator of its host; without one, every request with the token is refused."""

    _family = Family(
        name="policy_api_token",
        kind="",
        path="/organization/{parent}/policyApiToken/{id}",
        collection="/organization/{parent}/policyApiToken",
        fields=("name", "description", "opa_policy", "role_id", "role_name", "creator_name", "expires_at", "user_sub", "token", "last_used_at"),
        given=("name", "description", "opa_policy", "role_id", "expires_at"),
        secret=(),
        children={},
        is_read=False,
    )


class OrganizationPolicyApiTokenCollection(Findable[OrganizationPolicyApiToken], Creatable[OrganizationPolicyApiToken]):
    """The policy API tokens of an organization."""

    _item = OrganizationPolicyApiToken


class OrganizationWebhook(Notified, Editable, Deletable):
    """A webhook sends messages about the deployments and the services of an organization to a URL. Failed messages are retried; the delivery log shows the attempts."""

    _family = Family(
        name="webhook",
        kind="",
        path="/organization/{parent}/webhook/{id}",
        collection="/organization/{parent}/webhook",
        fields=("kind", "target_url", "target_secret_set", "description", "enabled", "events", "project_names_filter", "environment_types_filter"),
        given=("kind", "target_url", "target_secret", "description", "enabled", "events", "project_names_filter", "environment_types_filter"),
        secret=("target_secret",),
        children={},
    )


class OrganizationWebhookCollection(Listable[OrganizationWebhook], Creatable[OrganizationWebhook]):
    """The webhooks of an organization."""

    _item = OrganizationWebhook


class CustomDomain(Editable, Deletable):
    """A custom domain is a domain name under which an application, a container or a Helm service is reached from the internet, in addition to the one that the platform gives it. A clone of the service has none."""

    _family = Family(
        name="custom_domain",
        kind="",
        path="{above}/customDomain/{id}",
        collection="{above}/customDomain",
        fields=("domain", "generate_certificate", "use_cdn", "validation_domain", "status"),
        given=("domain", "generate_certificate", "use_cdn"),
        secret=(),
        children={},
    )


class CustomDomainCollection(Listable[CustomDomain], Creatable[CustomDomain]):
    """The custom domains of an application, container or Helm service."""

    _item = CustomDomain


class DeploymentRestriction(Editable, Deletable):
    """A deployment restriction narrows down which commits deploy a service automatically. A deployment by request is not restricted."""

    _family = Family(
        name="deployment_restriction",
        kind="",
        path="{above}/deploymentRestriction/{id}",
        collection="{above}/deploymentRestriction",
        fields=("mode", "type", "value"),
        given=("mode", "type", "value"),
        secret=(),
        children={},
        is_read=False,
    )


class DeploymentRestrictionCollection(Listable[DeploymentRestriction], Creatable[DeploymentRestriction]):
    """The deployment restrictions of an application, job, Helm service or Terraform service."""

    _item = DeploymentRestriction


class ClusterAnalysis(Resource):
    """An analysis of a cluster examines its workloads. The driver does it in a step of kind `task`; the lines that it reports are the result. It cannot be changed once it has been requested."""

    _family = Family(
        name="cluster_analysis",
        kind="",
        path="/clusters/{parent}/analysis/{id}",
        collection="/clusters/{parent}/analysis",
        fields=("cluster_id", "organization_id", "kind", "output_format", "prometheus_url", "cmd_args", "target_kubernetes_version", "status", "triggered_by", "error_message"),
        given=("kind", "output_format", "prometheus_url", "cmd_args", "target_kubernetes_version"),
        secret=(),
        children={},
    )


class ClusterAnalysisCollection(Listable[ClusterAnalysis], Creatable[ClusterAnalysis]):
    """The cluster analyses of a cluster."""

    _item = ClusterAnalysis


class Backup(Deletable):
    """A backup of a database is made by the driver in a step of kind `task`. Deleting it, and the end of its lifetime, delete the record; the driver is given the id in the step and keeps the data under it. The event of the deletion tells the host that the data can go."""

    _family = Family(
        name="database_backup",
        kind="",
        path="/database/{parent}/backup/{id}",
        collection="/database/{parent}/backup",
        fields=("name", "message", "ttl_in_days", "status"),
        given=("name", "message", "ttl_in_days"),
        secret=(),
        children={},
        is_read=False,
    )


class BackupCollection(Findable[Backup], Creatable[Backup]):
    """The database backups of a database."""

    _item = Backup


class McpServer(Editable, Deletable):
    """An MCP server is a server of the Model Context Protocol whose tools agents of the organization use."""

    _family = Family(
        name="mcp_server",
        kind="",
        path="/mcpServer/{id}",
        collection="/organization/{parent}/mcpServer",
        fields=("name", "description", "url", "header_names"),
        given=("name", "description", "url", "headers"),
        secret=("headers",),
        children={},
    )


class McpServerCollection(Ensurable[McpServer], BulkCreatable[McpServer]):
    """The MCP servers of an organization."""

    _item = McpServer


class EnterpriseConnection(Resource):
    """An enterprise connection holds which groups of an identity provider give people which role in the organization. They are applied when the answer of the question `authenticate` names the connection with the groups of the person: who is not a member yet becomes one."""

    _family = Family(
        name="enterprise_connection",
        kind="",
        path="/organization/{parent}/enterpriseconnection/{id}",
        collection="/organization/{parent}/enterpriseconnection",
        fields=("connection_name", "default_role", "enforce_group_sync", "group_mappings"),
        given=("connection_name", "default_role", "enforce_group_sync", "group_mappings"),
        secret=(),
        children={},
        is_read=False,
    )


class EnterpriseConnectionCollection(Listable[EnterpriseConnection]):
    """The enterprise connections of an organization."""

    _item = EnterpriseConnection


class CreditCard(Deletable):
    """A credit card with which an organization pays. The engine keeps its last digits and the token of the payment provider, never its number."""

    _family = Family(
        name="credit_card",
        kind="",
        path="/organization/{parent}/creditCard/{id}",
        collection="/organization/{parent}/creditCard",
        fields=("expiry_month", "expiry_year", "last_digit", "brand", "is_expired"),
        given=("number", "cvv", "expiry_month", "expiry_year", "token"),
        secret=("token",),
        children={},
        is_read=False,
    )


class CreditCardCollection(Listable[CreditCard], Creatable[CreditCard]):
    """The credit cards of an organization."""

    _item = CreditCard


class ProjectDeploymentRule(Editable, Deletable):
    """A deployment rule of a project gives new environments of the project their deployment rule. Environments that are there already keep theirs."""

    _family = Family(
        name="project_deployment_rule",
        kind="",
        path="/project/{parent}/deploymentRule/{id}",
        collection="/project/{parent}/deploymentRule",
        fields=("name", "description", "mode", "cluster_id", "auto_stop", "timezone", "start_time", "stop_time", "weekdays", "wildcard", "priority_index"),
        given=("name", "description", "mode", "cluster_id", "auto_stop", "timezone", "start_time", "stop_time", "weekdays", "wildcard"),
        secret=(),
        children={},
    )


class ProjectDeploymentRuleCollection(Ensurable[ProjectDeploymentRule], BulkCreatable[ProjectDeploymentRule]):
    """The project deployment rules of a project."""

    _item = ProjectDeploymentRule


class Invoice(Resource):
    """An invoice states what an organization is charged for a calendar month in UTC. The engine makes it when the month has ended, if it was opened with the option `billing`."""

    _family = Family(
        name="invoice",
        kind="",
        path="/organization/{parent}/invoice/{id}",
        collection="/organization/{parent}/invoice",
        fields=("total_in_cents", "total", "currency_code", "status", "period_start", "period_end", "lines"),
        given=(),
        secret=(),
        children={},
    )


class InvoiceCollection(Listable[Invoice]):
    """The invoices of an organization."""

    _item = Invoice


class AgenticWorkflow(VariableOwner, Editable, Deletable):
    """An agentic workflow is a task of an agent that a webhook starts. The engine keeps its configuration and deploys nothing: what runs agents reads it."""

    _family = Family(
        name="agentic_workflow",
        kind="",
        path="/agenticWorkflow/{id}",
        collection="/environment/{parent}/agenticWorkflow",
        fields=("service_type", "environment", "name", "slug", "description", "webhook_ip_allowlist", "docker_fragment", "enabled", "mcp", "mcp_server_ids", "outputs", "model", "project_repositories", "agent_prompt", "governance", "resources", "webhook", "icon_uri"),
        given=("name", "description", "webhook_ip_allowlist", "docker_fragment", "enabled", "mcp", "mcp_server_ids", "outputs", "model", "project_repositories", "agent_prompt", "governance", "resources"),
        secret=(),
        children={},
    )


class AgenticWorkflowCollection(Ensurable[AgenticWorkflow], BulkCreatable[AgenticWorkflow]):
    """The agentic workflows of an environment."""

    _item = AgenticWorkflow


ApplicationAdvancedSettingsChanges = TypedDict("ApplicationAdvancedSettingsChanges", {}, total=False)


class ApplicationAdvancedSettings(EditableSettings):
    """The advanced settings of an application: each has a default, and a PUT replaces all of them."""

    _family = Family(
        name="application_advanced_settings",
        path="/application/{parent}/advancedSettings",
        fields=("deployment.custom_domain_check_enabled", "deployment.termination_grace_period_seconds", "deployment.affinity.node.required", "deployment.antiaffinity.pod", "deployment.topology_spread.zone", "deployment.lifecycle.post_start_exec_command", "deployment.lifecycle.pre_stop_exec_command", "deployment.update_strategy.type", "deployment.update_strategy.rolling_update.max_unavailable_percent", "deployment.update_strategy.rolling_update.max_surge_percent", "build.timeout_max_sec", "build.cpu_max_in_milli", "build.ram_max_in_gib", "build.disable_buildkit_cache", "build.skip_git_submodules", "network.ingress.proxy_body_size_mb", "network.ingress.force_ssl_redirect", "network.ingress.enable_cors", "network.ingress.cors_allow_origin", "network.ingress.cors_allow_methods", "network.ingress.cors_allow_headers", "network.ingress.proxy_buffer_size_kb", "network.ingress.keepalive_time_seconds", "network.ingress.keepalive_timeout_seconds", "network.ingress.send_timeout_seconds", "network.ingress.proxy_connect_timeout_seconds", "network.ingress.proxy_send_timeout_seconds", "network.ingress.proxy_read_timeout_seconds", "network.ingress.proxy_buffering", "network.ingress.whitelist_source_range", "network.ingress.denylist_source_range", "network.ingress.basic_auth_env_var", "network.ingress.enable_sticky_session", "network.ingress.grpc_send_timeout_seconds", "network.ingress.grpc_read_timeout_seconds", "network.ingress.extra_headers", "network.gateway_api.http_request_timeout_seconds", "network.gateway_api.http_connection_idle_timeout_seconds", "network.gateway_api.retry.num_retries", "network.gateway_api.retry.retry_on", "network.gateway_api.retry.http_status_codes", "network.gateway_api.retry.per_try_timeout_seconds", "hpa.cpu.average_utilization_percent", "hpa.memory.average_utilization_percent", "security.service_account_name", "security.automount_service_account_token", "security.read_only_root_filesystem"),
        given=("deployment.custom_domain_check_enabled", "deployment.termination_grace_period_seconds", "deployment.affinity.node.required", "deployment.antiaffinity.pod", "deployment.topology_spread.zone", "deployment.lifecycle.post_start_exec_command", "deployment.lifecycle.pre_stop_exec_command", "deployment.update_strategy.type", "deployment.update_strategy.rolling_update.max_unavailable_percent", "deployment.update_strategy.rolling_update.max_surge_percent", "build.timeout_max_sec", "build.cpu_max_in_milli", "build.ram_max_in_gib", "build.disable_buildkit_cache", "build.skip_git_submodules", "network.ingress.proxy_body_size_mb", "network.ingress.force_ssl_redirect", "network.ingress.enable_cors", "network.ingress.cors_allow_origin", "network.ingress.cors_allow_methods", "network.ingress.cors_allow_headers", "network.ingress.proxy_buffer_size_kb", "network.ingress.keepalive_time_seconds", "network.ingress.keepalive_timeout_seconds", "network.ingress.send_timeout_seconds", "network.ingress.proxy_connect_timeout_seconds", "network.ingress.proxy_send_timeout_seconds", "network.ingress.proxy_read_timeout_seconds", "network.ingress.proxy_buffering", "network.ingress.whitelist_source_range", "network.ingress.denylist_source_range", "network.ingress.basic_auth_env_var", "network.ingress.enable_sticky_session", "network.ingress.grpc_send_timeout_seconds", "network.ingress.grpc_read_timeout_seconds", "network.ingress.extra_headers", "network.gateway_api.http_request_timeout_seconds", "network.gateway_api.http_connection_idle_timeout_seconds", "network.gateway_api.retry.num_retries", "network.gateway_api.retry.retry_on", "network.gateway_api.retry.http_status_codes", "network.gateway_api.retry.per_try_timeout_seconds", "hpa.cpu.average_utilization_percent", "hpa.memory.average_utilization_percent", "security.service_account_name", "security.automount_service_account_token", "security.read_only_root_filesystem"),
    )


ContainerAdvancedSettingsChanges = TypedDict("ContainerAdvancedSettingsChanges", {}, total=False)


class ContainerAdvancedSettings(EditableSettings):
    """The advanced settings of a container: each has a default, and a PUT replaces all of them."""

    _family = Family(
        name="container_advanced_settings",
        path="/container/{parent}/advancedSettings",
        fields=("deployment.custom_domain_check_enabled", "deployment.termination_grace_period_seconds", "deployment.affinity.node.required", "deployment.antiaffinity.pod", "deployment.topology_spread.zone", "deployment.update_strategy.type", "deployment.update_strategy.rolling_update.max_unavailable_percent", "deployment.update_strategy.rolling_update.max_surge_percent", "network.ingress.proxy_body_size_mb", "network.ingress.force_ssl_redirect", "network.ingress.enable_cors", "network.ingress.cors_allow_origin", "network.ingress.cors_allow_methods", "network.ingress.cors_allow_headers", "network.ingress.proxy_buffer_size_kb", "network.ingress.keepalive_time_seconds", "network.ingress.keepalive_timeout_seconds", "network.ingress.send_timeout_seconds", "network.ingress.proxy_connect_timeout_seconds", "network.ingress.proxy_send_timeout_seconds", "network.ingress.proxy_read_timeout_seconds", "network.ingress.proxy_buffering", "network.ingress.proxy_request_buffering", "network.ingress.grpc_send_timeout_seconds", "network.ingress.grpc_read_timeout_seconds", "network.ingress.whitelist_source_range", "network.ingress.denylist_source_range", "network.ingress.extra_headers", "network.gateway_api.http_request_timeout_seconds", "network.gateway_api.http_connection_idle_timeout_seconds", "network.gateway_api.retry.num_retries", "network.gateway_api.retry.retry_on", "network.gateway_api.retry.http_status_codes", "network.gateway_api.retry.per_try_timeout_seconds", "network.ingress.basic_auth_env_var", "network.ingress.enable_sticky_session", "security.service_account_name", "hpa.cpu.average_utilization_percent", "hpa.memory.average_utilization_percent", "security.automount_service_account_token", "security.read_only_root_filesystem"),
        given=("deployment.custom_domain_check_enabled", "deployment.termination_grace_period_seconds", "deployment.affinity.node.required", "deployment.antiaffinity.pod", "deployment.topology_spread.zone", "deployment.update_strategy.type", "deployment.update_strategy.rolling_update.max_unavailable_percent", "deployment.update_strategy.rolling_update.max_surge_percent", "network.ingress.proxy_body_size_mb", "network.ingress.force_ssl_redirect", "network.ingress.enable_cors", "network.ingress.cors_allow_origin", "network.ingress.cors_allow_methods", "network.ingress.cors_allow_headers", "network.ingress.proxy_buffer_size_kb", "network.ingress.keepalive_time_seconds", "network.ingress.keepalive_timeout_seconds", "network.ingress.send_timeout_seconds", "network.ingress.proxy_connect_timeout_seconds", "network.ingress.proxy_send_timeout_seconds", "network.ingress.proxy_read_timeout_seconds", "network.ingress.proxy_buffering", "network.ingress.proxy_request_buffering", "network.ingress.grpc_send_timeout_seconds", "network.ingress.grpc_read_timeout_seconds", "network.ingress.whitelist_source_range", "network.ingress.denylist_source_range", "network.ingress.extra_headers", "network.gateway_api.http_request_timeout_seconds", "network.gateway_api.http_connection_idle_timeout_seconds", "network.gateway_api.retry.num_retries", "network.gateway_api.retry.retry_on", "network.gateway_api.retry.http_status_codes", "network.gateway_api.retry.per_try_timeout_seconds", "network.ingress.basic_auth_env_var", "network.ingress.enable_sticky_session", "security.service_account_name", "hpa.cpu.average_utilization_percent", "hpa.memory.average_utilization_percent", "security.automount_service_account_token", "security.read_only_root_filesystem"),
    )


JobAdvancedSettingsChanges = TypedDict("JobAdvancedSettingsChanges", {}, total=False)


class JobAdvancedSettings(EditableSettings):
    """The advanced settings of a job: each has a default, and a PUT replaces all of them."""

    _family = Family(
        name="job_advanced_settings",
        path="/job/{parent}/advancedSettings",
        fields=("build.timeout_max_sec", "build.cpu_max_in_milli", "build.ram_max_in_gib", "build.disable_buildkit_cache", "build.skip_git_submodules", "deployment.termination_grace_period_seconds", "deployment.affinity.node.required", "job.delete_ttl_seconds_after_finished", "cronjob.concurrency_policy", "cronjob.failed_jobs_history_limit", "cronjob.success_jobs_history_limit", "security.service_account_name", "security.automount_service_account_token", "security.read_only_root_filesystem"),
        given=("build.timeout_max_sec", "build.cpu_max_in_milli", "build.ram_max_in_gib", "build.disable_buildkit_cache", "build.skip_git_submodules", "deployment.termination_grace_period_seconds", "deployment.affinity.node.required", "job.delete_ttl_seconds_after_finished", "cronjob.concurrency_policy", "cronjob.failed_jobs_history_limit", "cronjob.success_jobs_history_limit", "security.service_account_name", "security.automount_service_account_token", "security.read_only_root_filesystem"),
    )


HelmAdvancedSettingsChanges = TypedDict("HelmAdvancedSettingsChanges", {}, total=False)


class HelmAdvancedSettings(EditableSettings):
    """The advanced settings of a Helm service: each has a default, and a PUT replaces all of them."""

    _family = Family(
        name="helm_advanced_settings",
        path="/helm/{parent}/advancedSettings",
        fields=("deployment.custom_domain_check_enabled", "network.ingress.proxy_body_size_mb", "network.ingress.force_ssl_redirect", "network.ingress.enable_cors", "network.ingress.cors_allow_origin", "network.ingress.cors_allow_methods", "network.ingress.cors_allow_headers", "network.ingress.proxy_buffer_size_kb", "network.ingress.keepalive_time_seconds", "network.ingress.keepalive_timeout_seconds", "network.ingress.send_timeout_seconds", "network.ingress.proxy_connect_timeout_seconds", "network.ingress.proxy_send_timeout_seconds", "network.ingress.proxy_read_timeout_seconds", "network.ingress.proxy_buffering", "network.ingress.proxy_request_buffering", "network.ingress.grpc_send_timeout_seconds", "network.ingress.grpc_read_timeout_seconds", "network.ingress.whitelist_source_range", "network.ingress.denylist_source_range", "network.ingress.extra_headers", "network.ingress.basic_auth_env_var", "network.ingress.enable_sticky_session", "network.gateway_api.http_request_timeout_seconds", "network.gateway_api.http_connection_idle_timeout_seconds", "network.gateway_api.retry.num_retries", "network.gateway_api.retry.retry_on", "network.gateway_api.retry.http_status_codes", "network.gateway_api.retry.per_try_timeout_seconds"),
        given=("deployment.custom_domain_check_enabled", "network.ingress.proxy_body_size_mb", "network.ingress.force_ssl_redirect", "network.ingress.enable_cors", "network.ingress.cors_allow_origin", "network.ingress.cors_allow_methods", "network.ingress.cors_allow_headers", "network.ingress.proxy_buffer_size_kb", "network.ingress.keepalive_time_seconds", "network.ingress.keepalive_timeout_seconds", "network.ingress.send_timeout_seconds", "network.ingress.proxy_connect_timeout_seconds", "network.ingress.proxy_send_timeout_seconds", "network.ingress.proxy_read_timeout_seconds", "network.ingress.proxy_buffering", "network.ingress.proxy_request_buffering", "network.ingress.grpc_send_timeout_seconds", "network.ingress.grpc_read_timeout_seconds", "network.ingress.whitelist_source_range", "network.ingress.denylist_source_range", "network.ingress.extra_headers", "network.ingress.basic_auth_env_var", "network.ingress.enable_sticky_session", "network.gateway_api.http_request_timeout_seconds", "network.gateway_api.http_connection_idle_timeout_seconds", "network.gateway_api.retry.num_retries", "network.gateway_api.retry.retry_on", "network.gateway_api.retry.http_status_codes", "network.gateway_api.retry.per_try_timeout_seconds"),
    )


TerraformAdvancedSettingsChanges = TypedDict("TerraformAdvancedSettingsChanges", {}, total=False)


class TerraformAdvancedSettings(EditableSettings):
    """The advanced settings of a Terraform service: each has a default, and a PUT replaces all of them."""

    _family = Family(
        name="terraform_advanced_settings",
        path="/terraform/{parent}/advancedSettings",
        fields=("build.timeout_max_sec", "build.cpu_max_in_milli", "build.ram_max_in_gib", "build.ephemeral_storage_in_gib", "build.skip_git_submodules", "deployment.termination_grace_period_seconds", "deployment.affinity.node.required", "security.service_account_name", "security.read_only_root_filesystem"),
        given=("build.timeout_max_sec", "build.cpu_max_in_milli", "build.ram_max_in_gib", "build.ephemeral_storage_in_gib", "build.skip_git_submodules", "deployment.termination_grace_period_seconds", "deployment.affinity.node.required", "security.service_account_name", "security.read_only_root_filesystem"),
    )


ClusterAdvancedSettingsChanges = TypedDict("ClusterAdvancedSettingsChanges", {}, total=False)


class ClusterAdvancedSettings(EditableSettings):
    """The advanced settings of a cluster: each has a default, and a PUT replaces all of them."""

    _family = Family(
        name="cluster_advanced_settings",
        path="{above}/advancedSettings",
        fields=("aws.cloudwatch.eks_logs_retention_days", "aws.vpc.enable_s3_flow_logs", "aws.vpc.flow_logs_retention_days", "aws.vpc.enable_nat_gateway_secondary_eip", "loki.log_retention_in_week", "loki.deployment_mode", "loki.single_binary.cpu_request_m", "loki.single_binary.cpu_limit_m", "loki.single_binary.memory_request_mib", "loki.single_binary.memory_limit_mib", "loki.write.cpu_request_m", "loki.write.cpu_limit_m", "loki.write.memory_request_mib", "loki.write.memory_limit_mib", "loki.read.cpu_request_m", "loki.read.cpu_limit_m", "loki.read.memory_request_mib", "loki.read.memory_limit_mib", "loki.backend.cpu_request_m", "loki.backend.cpu_limit_m", "loki.backend.memory_request_mib", "loki.backend.memory_limit_mib", "registry.image_retention_time", "cloud_provider.container_registry.tags", "aws.eks.enable_alb_controller", "aws.eks.enable_efs_addon", "aws.eks.efs.throughput_mode", "aws.eks.efs.performance_mode", "aws.eks.efs.transition_to_ia", "load_balancer.size", "database.postgresql.deny_any_access", "database.postgresql.allowed_cidrs", "database.mysql.deny_any_access", "database.mysql.allowed_cidrs", "database.mongodb.deny_any_access", "database.mongodb.allowed_cidrs", "database.redis.deny_any_access", "database.redis.allowed_cidrs", "aws.iam.admin_group", "aws.eks.ec2.metadata_imds", "aws.eks.ec2.ami", "pleco.resources_ttl", "registry.mirroring_mode", "nginx.vcpu.request_in_milli_cpu", "nginx.vcpu.limit_in_milli_cpu", "nginx.memory.request_in_mib", "nginx.memory.limit_in_mib", "envoy.gateway_api.http_request_timeout_seconds", "envoy.gateway_api.http_connection_idle_timeout_seconds", "envoy.gateway_api.retry.num_retries", "envoy.gateway_api.retry.retry_on", "envoy.gateway_api.retry.http_status_codes", "envoy.gateway_api.retry.per_try_timeout_seconds", "nginx.hpa.cpu_utilization_percentage_threshold", "nginx.hpa.min_number_instances", "nginx.hpa.max_number_instances", "storageclass.fast_ssd", "{brand}.static_ip_mode", "k8s.api.allowed_public_access_cidrs"),
        given=("aws.cloudwatch.eks_logs_retention_days", "aws.vpc.enable_s3_flow_logs", "aws.vpc.flow_logs_retention_days", "aws.vpc.enable_nat_gateway_secondary_eip", "loki.log_retention_in_week", "loki.deployment_mode", "loki.single_binary.cpu_request_m", "loki.single_binary.cpu_limit_m", "loki.single_binary.memory_request_mib", "loki.single_binary.memory_limit_mib", "loki.write.cpu_request_m", "loki.write.cpu_limit_m", "loki.write.memory_request_mib", "loki.write.memory_limit_mib", "loki.read.cpu_request_m", "loki.read.cpu_limit_m", "loki.read.memory_request_mib", "loki.read.memory_limit_mib", "loki.backend.cpu_request_m", "loki.backend.cpu_limit_m", "loki.backend.memory_request_mib", "loki.backend.memory_limit_mib", "registry.image_retention_time", "cloud_provider.container_registry.tags", "aws.eks.enable_alb_controller", "aws.eks.enable_efs_addon", "aws.eks.efs.throughput_mode", "aws.eks.efs.performance_mode", "aws.eks.efs.transition_to_ia", "load_balancer.size", "database.postgresql.deny_any_access", "database.postgresql.allowed_cidrs", "database.mysql.deny_any_access", "database.mysql.allowed_cidrs", "database.mongodb.deny_any_access", "database.mongodb.allowed_cidrs", "database.redis.deny_any_access", "database.redis.allowed_cidrs", "aws.iam.admin_group", "aws.eks.ec2.metadata_imds", "aws.eks.ec2.ami", "pleco.resources_ttl", "registry.mirroring_mode", "nginx.vcpu.request_in_milli_cpu", "nginx.vcpu.limit_in_milli_cpu", "nginx.memory.request_in_mib", "nginx.memory.limit_in_mib", "envoy.gateway_api.http_request_timeout_seconds", "envoy.gateway_api.http_connection_idle_timeout_seconds", "envoy.gateway_api.retry.num_retries", "envoy.gateway_api.retry.retry_on", "envoy.gateway_api.retry.http_status_codes", "envoy.gateway_api.retry.per_try_timeout_seconds", "nginx.hpa.cpu_utilization_percentage_threshold", "nginx.hpa.min_number_instances", "nginx.hpa.max_number_instances", "storageclass.fast_ssd", "{brand}.static_ip_mode", "k8s.api.allowed_public_access_cidrs"),
    )


class Network(EditableSettings):
    """The network settings of a service. A PUT replaces all of them."""

    _family = Family(
        name="network",
        path="{above}/network",
        fields=("sticky_session",),
        given=("sticky_session",),
    )


class ClusterRoutingTable(EditableSettings):
    """The routing table of a cluster: routes of its network in addition to those that the platform makes."""

    _family = Family(
        name="routing_table",
        path="{above}/routingTable",
        fields=("results",),
        given=("routes",),
    )


class BillingInfo(EditableSettings):
    """The billing information of an organization: to whom invoices are addressed."""

    _family = Family(
        name="billing_info",
        path="/organization/{parent}/billingInfo",
        fields=("first_name", "last_name", "email", "address", "city", "zip", "state", "country_code", "company", "vat_number"),
        given=("first_name", "last_name", "email", "address", "city", "zip", "state", "country_code", "company", "vat_number"),
    )


class OrganizationOnboarding(Settings):
    """The onboarding of an organization says how far it has come with the introduction to the platform."""

    _family = Family(
        name="organization_onboarding",
        path="/organization/{parent}/onboarding",
        fields=("status",),
        given=("status",),
    )


class ClusterDnsProviderSettings(EditableSettings):
    """The DNS provider of a cluster: where the platform makes the DNS records of its services. Takes effect with the next deployment of the cluster."""

    _family = Family(
        name="cluster_dns_provider",
        path="/cluster/{parent}/dnsProvider",
        fields=("dns_provider",),
        given=("dns_provider",),
    )


__all__ = ["AgenticWorkflow", "AgenticWorkflowCollection", "AgenticWorkflowGovernance", "AgenticWorkflowHeader", "AgenticWorkflowModel", "AgenticWorkflowOutput", "AgenticWorkflowProjectRepository", "AgenticWorkflowResources", "AgenticWorkflowWebhook", "AlertingConfig", "Annotation", "Application", "ApplicationAdvancedSettings", "ApplicationAdvancedSettingsChanges", "ApplicationCollection", "ApplicationGitRepository", "ArgocdApp", "ArgocdAppCollection", "AutoscalingPolicy", "AwsCredentials", "AwsCredentialsCollection", "AzureCredentials", "AzureCredentialsCollection", "Backup", "BackupCollection", "BillingInfo", "CloudWatchExportConfig", "Cluster", "ClusterAdvancedSettings", "ClusterAdvancedSettingsChanges", "ClusterAnalysis", "ClusterAnalysisCollection", "ClusterCloudProviderInfo", "ClusterCollection", "ClusterDnsProvider", "ClusterDnsProviderSettings", "ClusterEksAnywhereGitRepository", "ClusterFeature", "ClusterFeatureAwsExistingVpc", "ClusterFeatureGcpExistingVpc", "ClusterFeatureKarpenterParameters", "ClusterFeatureNatGatewayParameters", "ClusterFeatureNatGatewayType", "ClusterFeatureValue", "ClusterInfrastructureCertManagerChartParameters", "ClusterInfrastructureChartsParameters", "ClusterInfrastructureEksAnywhereBackupParameters", "ClusterInfrastructureEksAnywhereBackupS3Parameters", "ClusterInfrastructureEksAnywhereParameters", "ClusterInfrastructureMetalLbChartParameters", "ClusterInfrastructureNginxChartParameters", "ClusterKeda", "ClusterLabelsGroup", "ClusterRoute", "ClusterRoutingTable", "Container", "ContainerAdvancedSettings", "ContainerAdvancedSettingsChanges", "ContainerCollection", "ContainerRegistry", "ContainerRegistryCluster", "ContainerRegistryCollection", "ContainerRegistryConfig", "ContainerRegistryProviderDetailsResponse", "ContainerSource", "CredentialsReference", "CreditCard", "CreditCardCollection", "CustomDomain", "CustomDomainCollection", "Database", "DatabaseCollection", "DeploymentRestriction", "DeploymentRestrictionCollection", "DeploymentStage", "DeploymentStageCollection", "DeploymentStageServiceResponse", "DockerfileFragment", "EksExternalSecrets", "EnterpriseConnection", "EnterpriseConnectionCollection", "Environment", "EnvironmentCloudProvider", "EnvironmentCollection", "GcpCredentials", "GcpCredentialsCollection", "GitRepository", "GitToken", "GitTokenCollection", "GkeExternalSecrets", "Healthcheck", "Helm", "HelmAdvancedSettings", "HelmAdvancedSettingsChanges", "HelmCollection", "HelmPort", "HelmRepository", "HelmRepositoryCollection", "HelmRepositoryConfig", "HelmSource", "HelmSourceGitResponse", "HelmSourceRepositoryDetails", "HelmSourceRepositoryRequest", "HelmSourceRepositoryResponse", "HelmValuesFile", "HelmValuesGit", "HelmValuesOverride", "HelmValuesOverrideFile", "HelmValuesRaw", "InfrastructureOutputs", "InternalNetworkMonitoring", "InviteMember", "InviteMemberCollection", "Invoice", "InvoiceCollection", "InvoiceLine", "Job", "JobAdvancedSettings", "JobAdvancedSettingsChanges", "JobCollection", "JobCron", "JobEvent", "JobSchedule", "JobSource", "JobSourceDockerResponse", "KarpenterCronjobNodePoolOverride", "KarpenterDefaultNodePoolOverride", "KarpenterGpuNodePoolOverride", "KarpenterNodePool", "KarpenterNodePoolConsolidation", "KarpenterNodePoolLimits", "KarpenterNodePoolRequirement", "KarpenterStableNodePoolOverride", "KedaScaler", "KedaTriggerAuthentication", "KubernetesSelector", "Label", "McpServer", "McpServerCollection", "Member", "MemberCollection", "MetricsConfiguration", "MetricsParameters", "Network", "OnPremiseCredentials", "OnPremiseCredentialsCollection", "Organization", "OrganizationAnnotationsGroup", "OrganizationAnnotationsGroupCollection", "OrganizationAnnotationsGroupResponse", "OrganizationApiToken", "OrganizationApiTokenCollection", "OrganizationCollection", "OrganizationCustomRole", "OrganizationCustomRoleClusterPermissions", "OrganizationCustomRoleCollection", "OrganizationCustomRoleEnvironmentPermission", "OrganizationCustomRoleProjectPermissions", "OrganizationLabelsGroup", "OrganizationLabelsGroupCollection", "OrganizationLabelsGroupResponse", "OrganizationOnboarding", "OrganizationPlan", "OrganizationPolicyApiToken", "OrganizationPolicyApiTokenCollection", "OrganizationWebhook", "OrganizationWebhookCollection", "Probe", "ProbeExec", "ProbeGrpc", "ProbeHttp", "ProbeTcp", "ProbeType", "Project", "ProjectCollection", "ProjectDeploymentRule", "ProjectDeploymentRuleCollection", "Route53StaticCredentials", "RuntimeBuild", "RuntimeDevice", "RuntimeExtraHost", "RuntimeMount", "RuntimePublishedPort", "RuntimeUlimit", "ScalewayCredentials", "ScalewayCredentialsCollection", "SecretManagerAccess", "SecretManagerAuthentication", "SecretManagerEndpoint", "ServiceAddress", "ServicePort", "ServiceRuntime", "ServiceStorage", "Terraform", "TerraformAdvancedSettings", "TerraformAdvancedSettingsChanges", "TerraformAutoDeployConfig", "TerraformBackend", "TerraformBackendBlueprint", "TerraformCollection", "TerraformFilesSource", "TerraformFilesSourceGit", "TerraformJobResources", "TerraformProviderVersion", "TerraformVarKeyValue", "TerraformVariablesSource"]
