# Generated from the families' descriptions: do not edit.
from collections.abc import Iterable
from typing import Any, Literal, TypedDict

from typing_extensions import Required, Self

from ..resources.actions import ClonableEnvironment, ClonableService, ClusterDeploy, Deployable, EnvironmentDeploy, Group, Notified, Previewable, Restartable, Scheduled, Staged, Stoppable, VariableOwner
from ..resources.resource import BulkCreatable, Collection, Creatable, Created, Deletable, Editable, Ensurable, Findable, Listable, Reference, Resource
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
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str | None: ...
    @property
    def plan(self) -> Literal["FREE", "TEAM", "TEAM_YEARLY", "ENTERPRISE", "ENTERPRISE_YEARLY", "PROFESSIONAL", "BUSINESS", "USER_2025", "TEAM_2025", "BUSINESS_2025", "ENTERPRISE_2025"]: ...
    @property
    def website_url(self) -> str | None: ...
    @property
    def repository(self) -> str | None: ...
    @property
    def logo_url(self) -> str | None: ...
    @property
    def icon_url(self) -> str | None: ...
    @property
    def admin_emails(self) -> list[str] | None: ...
    @property
    def organization_plan(self) -> OrganizationPlan | None: ...
    @property
    def projects(self) -> ProjectCollection: ...
    @property
    def clusters(self) -> ClusterCollection: ...
    @property
    def aws_credentials(self) -> AwsCredentialsCollection: ...
    @property
    def azure_credentials(self) -> AzureCredentialsCollection: ...
    @property
    def gcp_credentials(self) -> GcpCredentialsCollection: ...
    @property
    def scaleway_credentials(self) -> ScalewayCredentialsCollection: ...
    @property
    def on_premise_credentials(self) -> OnPremiseCredentialsCollection: ...
    @property
    def container_registries(self) -> ContainerRegistryCollection: ...
    @property
    def helm_repositories(self) -> HelmRepositoryCollection: ...
    @property
    def git_tokens(self) -> GitTokenCollection: ...
    @property
    def labels_groups(self) -> OrganizationLabelsGroupCollection: ...
    @property
    def annotations_groups(self) -> OrganizationAnnotationsGroupCollection: ...
    @property
    def members(self) -> MemberCollection: ...
    @property
    def invitations(self) -> InviteMemberCollection: ...
    @property
    def custom_roles(self) -> OrganizationCustomRoleCollection: ...
    @property
    def api_tokens(self) -> OrganizationApiTokenCollection: ...
    @property
    def policy_api_tokens(self) -> OrganizationPolicyApiTokenCollection: ...
    @property
    def webhooks(self) -> OrganizationWebhookCollection: ...
    @property
    def mcp_servers(self) -> McpServerCollection: ...
    @property
    def enterprise_connections(self) -> EnterpriseConnectionCollection: ...
    @property
    def credit_cards(self) -> CreditCardCollection: ...
    @property
    def invoices(self) -> InvoiceCollection: ...
    @property
    def billing_info(self) -> BillingInfo: ...
    @property
    def onboarding(self) -> OrganizationOnboarding: ...
    def edit(self, *, name: str = ..., description: str | None = ..., plan: Literal["FREE", "TEAM", "TEAM_YEARLY", "ENTERPRISE", "ENTERPRISE_YEARLY", "PROFESSIONAL", "BUSINESS", "USER_2025", "TEAM_2025", "BUSINESS_2025", "ENTERPRISE_2025"] = ..., website_url: str | None = ..., repository: str | None = ..., logo_url: str | None = ..., icon_url: str | None = ..., admin_emails: list[str] | None = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class OrganizationCollection(Ensurable[Organization]):
    def create(self, *, name: str, plan: Literal["FREE", "TEAM", "TEAM_YEARLY", "ENTERPRISE", "ENTERPRISE_YEARLY", "PROFESSIONAL", "BUSINESS", "USER_2025", "TEAM_2025", "BUSINESS_2025", "ENTERPRISE_2025"], description: str | None = ..., website_url: str | None = ..., repository: str | None = ..., logo_url: str | None = ..., icon_url: str | None = ..., admin_emails: list[str] | None = ..., metadata: dict[str, str] = ...) -> Organization: ...  # type: ignore[override]

class Project(VariableOwner, Editable, Deletable):
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def organization(self) -> Reference: ...
    @property
    def associated_environments_count(self) -> int: ...
    @property
    def environments(self) -> EnvironmentCollection: ...
    @property
    def project_deployment_rules(self) -> ProjectDeploymentRuleCollection: ...
    def edit(self, *, name: str = ..., description: str = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class ProjectCollection(Ensurable[Project], BulkCreatable[Project]):
    def create(self, *, name: str, description: str = ..., metadata: dict[str, str] = ...) -> Project: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, description: str = ..., metadata: dict[str, str] = ...) -> Created[Project]: ...  # type: ignore[override]

class Environment(ClonableEnvironment, EnvironmentDeploy, VariableOwner, Editable, Deletable):
    @property
    def name(self) -> str: ...
    @property
    def mode(self) -> Literal["DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING"]: ...
    @property
    def cluster_id(self) -> str: ...
    @property
    def cluster_name(self) -> str | None: ...
    @property
    def cloud_provider(self) -> EnvironmentCloudProvider: ...
    @property
    def on_failure(self) -> Literal["NONE", "ROLLBACK"] | None: ...
    @property
    def organization(self) -> Reference: ...
    @property
    def project(self) -> Reference: ...
    @property
    def stages(self) -> DeploymentStageCollection: ...
    @property
    def applications(self) -> ApplicationCollection: ...
    @property
    def containers(self) -> ContainerCollection: ...
    @property
    def databases(self) -> DatabaseCollection: ...
    @property
    def jobs(self) -> JobCollection: ...
    @property
    def helms(self) -> HelmCollection: ...
    @property
    def terraforms(self) -> TerraformCollection: ...
    @property
    def argocd_apps(self) -> ArgocdAppCollection: ...
    @property
    def agentic_workflows(self) -> AgenticWorkflowCollection: ...
    def edit(self, *, name: str = ..., mode: Literal["DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING"] = ..., cluster: str = ..., cluster_id: str = ..., on_failure: Literal["NONE", "ROLLBACK"] = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class EnvironmentCollection(Ensurable[Environment], BulkCreatable[Environment]):
    def create(self, *, name: str, mode: Literal["DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING"] = ..., cluster: str = ..., cluster_id: str = ..., on_failure: Literal["NONE", "ROLLBACK"] = ..., metadata: dict[str, str] = ...) -> Environment: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, mode: Literal["DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING"] = ..., cluster: str = ..., cluster_id: str = ..., on_failure: Literal["NONE", "ROLLBACK"] = ..., metadata: dict[str, str] = ...) -> Created[Environment]: ...  # type: ignore[override]

class DeploymentStage(Staged, Editable, Deletable):
    @property
    def environment(self) -> Reference: ...
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str | None: ...
    @property
    def deployment_order(self) -> int: ...
    @property
    def services(self) -> list[DeploymentStageServiceResponse]: ...
    def edit(self, *, name: str = ..., description: str | None = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class DeploymentStageCollection(Ensurable[DeploymentStage], BulkCreatable[DeploymentStage]):
    def create(self, *, name: str, description: str | None = ..., metadata: dict[str, str] = ...) -> DeploymentStage: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, description: str | None = ..., metadata: dict[str, str] = ...) -> Created[DeploymentStage]: ...  # type: ignore[override]

class Cluster(ClusterDeploy, Editable, Deletable):
    @property
    def organization(self) -> Reference: ...
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str | None: ...
    @property
    def region(self) -> str: ...
    @property
    def cloud_provider(self) -> Literal["AWS", "SCW", "GCP", "DO", "AZURE", "OVH", "CIVO", "HETZNER", "ORACLE", "IBM", "ON_PREMISE"]: ...
    @property
    def cloud_provider_credentials(self) -> ClusterCloudProviderInfo | None: ...
    @property
    def min_running_nodes(self) -> int: ...
    @property
    def max_running_nodes(self) -> int: ...
    @property
    def disk_size(self) -> int: ...
    @property
    def disk_iops(self) -> int | None: ...
    @property
    def disk_throughput(self) -> int | None: ...
    @property
    def instance_type(self) -> str | None: ...
    @property
    def kubernetes(self) -> Literal["MANAGED", "SELF_MANAGED", "PARTIALLY_MANAGED"]: ...
    @property
    def cpu(self) -> int | None: ...
    @property
    def memory(self) -> int | None: ...
    @property
    def estimated_cloud_provider_cost(self) -> int | None: ...
    @property
    def status(self) -> Literal["READY", "QUEUED", "DEPLOYMENT_QUEUED", "DRY_RUN", "BUILDING", "DEPLOYING", "DEPLOYED", "RESTART_QUEUED", "RESTARTING", "RESTARTED", "STOP_QUEUED", "STOPPING", "STOPPED", "DELETE_QUEUED", "DELETING", "DELETED", "CANCELING", "CANCELED", "INVALID_CREDENTIALS", "BUILD_ERROR", "DEPLOYMENT_ERROR", "RESTART_ERROR", "STOP_ERROR", "DELETE_ERROR"]: ...
    @property
    def has_access(self) -> bool: ...
    @property
    def version(self) -> str: ...
    @property
    def is_default(self) -> bool: ...
    @property
    def is_demo(self) -> bool: ...
    @property
    def production(self) -> bool: ...
    @property
    def ssh_keys(self) -> list[str] | None: ...
    @property
    def features(self) -> list[ClusterFeature]: ...
    @property
    def deployment_status(self) -> Literal["NEVER_DEPLOYED", "OUT_OF_DATE", "UP_TO_DATE"]: ...
    @property
    def metrics_parameters(self) -> MetricsParameters | None: ...
    @property
    def infrastructure_outputs(self) -> InfrastructureOutputs | None: ...
    @property
    def infrastructure_charts_parameters(self) -> ClusterInfrastructureChartsParameters | None: ...
    @property
    def keda(self) -> ClusterKeda | None: ...
    @property
    def labels_groups(self) -> list[ClusterLabelsGroup] | None: ...
    @property
    def secret_manager_accesses(self) -> list[SecretManagerAccess] | None: ...
    @property
    def cluster_analyses(self) -> ClusterAnalysisCollection: ...
    @property
    def advanced_settings(self) -> ClusterAdvancedSettings: ...
    @property
    def routing_table(self) -> ClusterRoutingTable: ...
    @property
    def dns_provider(self) -> ClusterDnsProviderSettings: ...
    def edit(self, *, name: str = ..., description: str = ..., region: str = ..., cloud_provider: Literal["AWS", "SCW", "GCP", "DO", "AZURE", "OVH", "CIVO", "HETZNER", "ORACLE", "IBM", "ON_PREMISE"] = ..., cloud_provider_credentials: ClusterCloudProviderInfo = ..., min_running_nodes: int = ..., max_running_nodes: int = ..., disk_size: int = ..., disk_iops: int = ..., disk_throughput: int = ..., instance_type: str = ..., kubernetes: Literal["MANAGED", "SELF_MANAGED", "PARTIALLY_MANAGED"] = ..., production: bool = ..., ssh_keys: list[str] = ..., features: list[ClusterFeature] = ..., metrics_parameters: MetricsParameters = ..., infrastructure_charts_parameters: ClusterInfrastructureChartsParameters = ..., keda: ClusterKeda = ..., labels_groups: list[ClusterLabelsGroup] = ..., secret_manager_accesses: list[SecretManagerAccess] = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class ClusterCollection(Ensurable[Cluster], BulkCreatable[Cluster]):
    def create(self, *, name: str, region: str, cloud_provider: Literal["AWS", "SCW", "GCP", "DO", "AZURE", "OVH", "CIVO", "HETZNER", "ORACLE", "IBM", "ON_PREMISE"], description: str = ..., cloud_provider_credentials: ClusterCloudProviderInfo = ..., min_running_nodes: int = ..., max_running_nodes: int = ..., disk_size: int = ..., disk_iops: int = ..., disk_throughput: int = ..., instance_type: str = ..., kubernetes: Literal["MANAGED", "SELF_MANAGED", "PARTIALLY_MANAGED"] = ..., production: bool = ..., ssh_keys: list[str] = ..., features: list[ClusterFeature] = ..., metrics_parameters: MetricsParameters = ..., infrastructure_charts_parameters: ClusterInfrastructureChartsParameters = ..., keda: ClusterKeda = ..., labels_groups: list[ClusterLabelsGroup] = ..., secret_manager_accesses: list[SecretManagerAccess] = ..., metadata: dict[str, str] = ...) -> Cluster: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, region: str, cloud_provider: Literal["AWS", "SCW", "GCP", "DO", "AZURE", "OVH", "CIVO", "HETZNER", "ORACLE", "IBM", "ON_PREMISE"], description: str = ..., cloud_provider_credentials: ClusterCloudProviderInfo = ..., min_running_nodes: int = ..., max_running_nodes: int = ..., disk_size: int = ..., disk_iops: int = ..., disk_throughput: int = ..., instance_type: str = ..., kubernetes: Literal["MANAGED", "SELF_MANAGED", "PARTIALLY_MANAGED"] = ..., production: bool = ..., ssh_keys: list[str] = ..., features: list[ClusterFeature] = ..., metrics_parameters: MetricsParameters = ..., infrastructure_charts_parameters: ClusterInfrastructureChartsParameters = ..., keda: ClusterKeda = ..., labels_groups: list[ClusterLabelsGroup] = ..., secret_manager_accesses: list[SecretManagerAccess] = ..., metadata: dict[str, str] = ...) -> Created[Cluster]: ...  # type: ignore[override]

class Application(ClonableService, Deployable, Restartable, Stoppable, VariableOwner, Editable, Deletable):
    @property
    def environment(self) -> Reference: ...
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str | None: ...
    @property
    def git_repository(self) -> ApplicationGitRepository: ...
    @property
    def build_mode(self) -> Literal["DOCKER"]: ...
    @property
    def dockerfile_path(self) -> str | None: ...
    @property
    def docker_target_build_stage(self) -> str | None: ...
    @property
    def cpu(self) -> int: ...
    @property
    def memory(self) -> int: ...
    @property
    def gpu(self) -> int: ...
    @property
    def ephemeral_storage_in_gib(self) -> int | None: ...
    @property
    def cpu_architecture(self) -> Literal["AMD64", "ARM64"] | None: ...
    @property
    def min_running_instances(self) -> int: ...
    @property
    def max_running_instances(self) -> int: ...
    @property
    def healthchecks(self) -> Healthcheck: ...
    @property
    def auto_preview(self) -> bool: ...
    @property
    def auto_deploy(self) -> bool | None: ...
    @property
    def ports(self) -> list[ServicePort]: ...
    @property
    def storage(self) -> list[ServiceStorage]: ...
    @property
    def arguments(self) -> list[str]: ...
    @property
    def entrypoint(self) -> str | None: ...
    @property
    def annotations_groups(self) -> list[OrganizationAnnotationsGroupResponse]: ...
    @property
    def labels_groups(self) -> list[OrganizationLabelsGroupResponse]: ...
    @property
    def autoscaling(self) -> AutoscalingPolicy | None: ...
    @property
    def icon_uri(self) -> str: ...
    @property
    def service_type(self) -> Literal["APPLICATION", "DATABASE", "CONTAINER", "JOB", "HELM", "TERRAFORM", "ARGOCD_APP"]: ...
    @property
    def addresses(self) -> list[ServiceAddress] | None: ...
    @property
    def runtime(self) -> ServiceRuntime | None: ...
    @property
    def maximum_cpu(self) -> int: ...
    @property
    def maximum_memory(self) -> int: ...
    @property
    def maximun_gpu(self) -> int | None: ...
    @property
    def custom_domains(self) -> CustomDomainCollection: ...
    @property
    def deployment_restrictions(self) -> DeploymentRestrictionCollection: ...
    @property
    def advanced_settings(self) -> ApplicationAdvancedSettings: ...
    @property
    def network(self) -> Network: ...
    def stage(self) -> DeploymentStage: ...
    def edit(self, *, name: str = ..., description: str | None = ..., git_repository: ApplicationGitRepository = ..., build_mode: Literal["DOCKER"] = ..., dockerfile_path: str | None = ..., docker_target_build_stage: str | None = ..., cpu: int = ..., memory: int = ..., gpu: int = ..., ephemeral_storage_in_gib: int = ..., cpu_architecture: Literal["AMD64", "ARM64"] | None = ..., min_running_instances: int = ..., max_running_instances: int = ..., healthchecks: Healthcheck = ..., auto_preview: bool = ..., auto_deploy: bool | None = ..., ports: list[ServicePort] = ..., storage: list[ServiceStorage] = ..., arguments: list[str] = ..., entrypoint: str = ..., annotations_groups: list[OrganizationAnnotationsGroupResponse] = ..., labels_groups: list[OrganizationLabelsGroupResponse] = ..., autoscaling: AutoscalingPolicy | None = ..., icon_uri: str = ..., runtime: ServiceRuntime | None = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class ApplicationCollection(Ensurable[Application], BulkCreatable[Application]):
    def create(self, *, name: str, git_repository: ApplicationGitRepository, healthchecks: Healthcheck, description: str | None = ..., build_mode: Literal["DOCKER"] = ..., dockerfile_path: str | None = ..., docker_target_build_stage: str | None = ..., cpu: int = ..., memory: int = ..., gpu: int = ..., ephemeral_storage_in_gib: int = ..., cpu_architecture: Literal["AMD64", "ARM64"] | None = ..., min_running_instances: int = ..., max_running_instances: int = ..., auto_preview: bool = ..., auto_deploy: bool | None = ..., ports: list[ServicePort] = ..., storage: list[ServiceStorage] = ..., arguments: list[str] = ..., entrypoint: str = ..., annotations_groups: list[OrganizationAnnotationsGroupResponse] = ..., labels_groups: list[OrganizationLabelsGroupResponse] = ..., autoscaling: AutoscalingPolicy | None = ..., icon_uri: str = ..., runtime: ServiceRuntime | None = ..., metadata: dict[str, str] = ...) -> Application: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, git_repository: ApplicationGitRepository, healthchecks: Healthcheck, description: str | None = ..., build_mode: Literal["DOCKER"] = ..., dockerfile_path: str | None = ..., docker_target_build_stage: str | None = ..., cpu: int = ..., memory: int = ..., gpu: int = ..., ephemeral_storage_in_gib: int = ..., cpu_architecture: Literal["AMD64", "ARM64"] | None = ..., min_running_instances: int = ..., max_running_instances: int = ..., auto_preview: bool = ..., auto_deploy: bool | None = ..., ports: list[ServicePort] = ..., storage: list[ServiceStorage] = ..., arguments: list[str] = ..., entrypoint: str = ..., annotations_groups: list[OrganizationAnnotationsGroupResponse] = ..., labels_groups: list[OrganizationLabelsGroupResponse] = ..., autoscaling: AutoscalingPolicy | None = ..., icon_uri: str = ..., runtime: ServiceRuntime | None = ..., metadata: dict[str, str] = ...) -> Created[Application]: ...  # type: ignore[override]

class Container(Previewable, ClonableService, Deployable, Restartable, Stoppable, VariableOwner, Editable, Deletable):
    @property
    def environment(self) -> Reference: ...
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str | None: ...
    @property
    def registry_id(self) -> str: ...
    @property
    def image_name(self) -> str: ...
    @property
    def tag(self) -> str: ...
    @property
    def registry(self) -> ContainerRegistryProviderDetailsResponse: ...
    @property
    def arguments(self) -> list[str]: ...
    @property
    def entrypoint(self) -> str | None: ...
    @property
    def cpu(self) -> int: ...
    @property
    def memory(self) -> int: ...
    @property
    def gpu(self) -> int: ...
    @property
    def ephemeral_storage_in_gib(self) -> int | None: ...
    @property
    def cpu_architecture(self) -> Literal["AMD64", "ARM64"] | None: ...
    @property
    def min_running_instances(self) -> int: ...
    @property
    def max_running_instances(self) -> int: ...
    @property
    def healthchecks(self) -> Healthcheck: ...
    @property
    def auto_preview(self) -> bool: ...
    @property
    def auto_deploy(self) -> bool | None: ...
    @property
    def ports(self) -> list[ServicePort]: ...
    @property
    def storage(self) -> list[ServiceStorage]: ...
    @property
    def annotations_groups(self) -> list[OrganizationAnnotationsGroupResponse]: ...
    @property
    def labels_groups(self) -> list[OrganizationLabelsGroupResponse]: ...
    @property
    def autoscaling(self) -> AutoscalingPolicy | None: ...
    @property
    def icon_uri(self) -> str: ...
    @property
    def service_type(self) -> Literal["APPLICATION", "DATABASE", "CONTAINER", "JOB", "HELM", "TERRAFORM", "ARGOCD_APP"]: ...
    @property
    def addresses(self) -> list[ServiceAddress] | None: ...
    @property
    def runtime(self) -> ServiceRuntime | None: ...
    @property
    def maximum_cpu(self) -> int: ...
    @property
    def maximum_memory(self) -> int: ...
    @property
    def maximum_gpu(self) -> int: ...
    @property
    def custom_domains(self) -> CustomDomainCollection: ...
    @property
    def advanced_settings(self) -> ContainerAdvancedSettings: ...
    @property
    def network(self) -> Network: ...
    def stage(self) -> DeploymentStage: ...
    def edit(self, *, name: str = ..., description: str = ..., registry_id: str = ..., image_name: str = ..., tag: str = ..., arguments: list[str] = ..., entrypoint: str = ..., cpu: int = ..., memory: int = ..., gpu: int = ..., ephemeral_storage_in_gib: int = ..., cpu_architecture: Literal["AMD64", "ARM64"] | None = ..., min_running_instances: int = ..., max_running_instances: int = ..., healthchecks: Healthcheck = ..., auto_preview: bool = ..., auto_deploy: bool | None = ..., ports: list[ServicePort] = ..., storage: list[ServiceStorage] = ..., annotations_groups: list[OrganizationAnnotationsGroupResponse] = ..., labels_groups: list[OrganizationLabelsGroupResponse] = ..., autoscaling: AutoscalingPolicy | None = ..., icon_uri: str = ..., runtime: ServiceRuntime | None = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class ContainerCollection(Ensurable[Container], BulkCreatable[Container]):
    def create(self, *, name: str, registry_id: str, image_name: str, tag: str, healthchecks: Healthcheck, description: str = ..., arguments: list[str] = ..., entrypoint: str = ..., cpu: int = ..., memory: int = ..., gpu: int = ..., ephemeral_storage_in_gib: int = ..., cpu_architecture: Literal["AMD64", "ARM64"] | None = ..., min_running_instances: int = ..., max_running_instances: int = ..., auto_preview: bool = ..., auto_deploy: bool | None = ..., ports: list[ServicePort] = ..., storage: list[ServiceStorage] = ..., annotations_groups: list[OrganizationAnnotationsGroupResponse] = ..., labels_groups: list[OrganizationLabelsGroupResponse] = ..., autoscaling: AutoscalingPolicy | None = ..., icon_uri: str = ..., runtime: ServiceRuntime | None = ..., metadata: dict[str, str] = ...) -> Container: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, registry_id: str, image_name: str, tag: str, healthchecks: Healthcheck, description: str = ..., arguments: list[str] = ..., entrypoint: str = ..., cpu: int = ..., memory: int = ..., gpu: int = ..., ephemeral_storage_in_gib: int = ..., cpu_architecture: Literal["AMD64", "ARM64"] | None = ..., min_running_instances: int = ..., max_running_instances: int = ..., auto_preview: bool = ..., auto_deploy: bool | None = ..., ports: list[ServicePort] = ..., storage: list[ServiceStorage] = ..., annotations_groups: list[OrganizationAnnotationsGroupResponse] = ..., labels_groups: list[OrganizationLabelsGroupResponse] = ..., autoscaling: AutoscalingPolicy | None = ..., icon_uri: str = ..., runtime: ServiceRuntime | None = ..., metadata: dict[str, str] = ...) -> Created[Container]: ...  # type: ignore[override]

class Database(ClonableService, Deployable, Restartable, Stoppable, Editable, Deletable):
    @property
    def environment(self) -> Reference: ...
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str | None: ...
    @property
    def type(self) -> Literal["MONGODB", "MYSQL", "POSTGRESQL", "REDIS"]: ...
    @property
    def version(self) -> str: ...
    @property
    def mode(self) -> Literal["CONTAINER", "MANAGED"]: ...
    @property
    def accessibility(self) -> Literal["PRIVATE", "PUBLIC"]: ...
    @property
    def cpu(self) -> int: ...
    @property
    def memory(self) -> int | None: ...
    @property
    def storage(self) -> int: ...
    @property
    def instance_type(self) -> str | None: ...
    @property
    def disk_type(self) -> Literal["gp2", "gp3"] | None: ...
    @property
    def disk_encrypted(self) -> bool: ...
    @property
    def host(self) -> str: ...
    @property
    def port(self) -> int: ...
    @property
    def annotations_groups(self) -> list[OrganizationAnnotationsGroupResponse]: ...
    @property
    def labels_groups(self) -> list[OrganizationLabelsGroupResponse]: ...
    @property
    def icon_uri(self) -> str: ...
    @property
    def service_type(self) -> Literal["APPLICATION", "DATABASE", "CONTAINER", "JOB", "HELM", "TERRAFORM", "ARGOCD_APP"]: ...
    @property
    def addresses(self) -> list[ServiceAddress] | None: ...
    @property
    def maximum_cpu(self) -> int: ...
    @property
    def maximum_memory(self) -> int: ...
    @property
    def database_backups(self) -> BackupCollection: ...
    def stage(self) -> DeploymentStage: ...
    def edit(self, *, name: str = ..., description: str = ..., type: Literal["MONGODB", "MYSQL", "POSTGRESQL", "REDIS"] = ..., version: str = ..., mode: Literal["CONTAINER", "MANAGED"] = ..., accessibility: Literal["PRIVATE", "PUBLIC"] = ..., cpu: int = ..., memory: int = ..., storage: int = ..., instance_type: str | None = ..., disk_type: Literal["gp2", "gp3"] | None = ..., annotations_groups: list[OrganizationAnnotationsGroupResponse] = ..., labels_groups: list[OrganizationLabelsGroupResponse] = ..., icon_uri: str = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class DatabaseCollection(Ensurable[Database], BulkCreatable[Database]):
    def create(self, *, name: str, type: Literal["MONGODB", "MYSQL", "POSTGRESQL", "REDIS"], version: str, mode: Literal["CONTAINER", "MANAGED"], description: str = ..., accessibility: Literal["PRIVATE", "PUBLIC"] = ..., cpu: int = ..., memory: int = ..., storage: int = ..., instance_type: str | None = ..., disk_type: Literal["gp2", "gp3"] | None = ..., annotations_groups: list[OrganizationAnnotationsGroupResponse] = ..., labels_groups: list[OrganizationLabelsGroupResponse] = ..., icon_uri: str = ..., metadata: dict[str, str] = ...) -> Database: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, type: Literal["MONGODB", "MYSQL", "POSTGRESQL", "REDIS"], version: str, mode: Literal["CONTAINER", "MANAGED"], description: str = ..., accessibility: Literal["PRIVATE", "PUBLIC"] = ..., cpu: int = ..., memory: int = ..., storage: int = ..., instance_type: str | None = ..., disk_type: Literal["gp2", "gp3"] | None = ..., annotations_groups: list[OrganizationAnnotationsGroupResponse] = ..., labels_groups: list[OrganizationLabelsGroupResponse] = ..., icon_uri: str = ..., metadata: dict[str, str] = ...) -> Created[Database]: ...  # type: ignore[override]

class Job(ClonableService, Deployable, Scheduled, Stoppable, VariableOwner, Editable, Deletable):
    @property
    def environment(self) -> Reference: ...
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str | None: ...
    @property
    def cpu(self) -> int: ...
    @property
    def memory(self) -> int: ...
    @property
    def gpu(self) -> int: ...
    @property
    def ephemeral_storage_in_gib(self) -> int | None: ...
    @property
    def cpu_architecture(self) -> Literal["AMD64", "ARM64"] | None: ...
    @property
    def max_nb_restart(self) -> int: ...
    @property
    def max_duration_seconds(self) -> int | None: ...
    @property
    def auto_preview(self) -> bool: ...
    @property
    def port(self) -> int | None: ...
    @property
    def source(self) -> JobSource: ...
    @property
    def healthchecks(self) -> Healthcheck: ...
    @property
    def schedule(self) -> JobSchedule: ...
    @property
    def job_type(self) -> Literal["LIFECYCLE", "CRON"]: ...
    @property
    def auto_deploy(self) -> bool | None: ...
    @property
    def annotations_groups(self) -> list[OrganizationAnnotationsGroupResponse]: ...
    @property
    def labels_groups(self) -> list[OrganizationLabelsGroupResponse]: ...
    @property
    def icon_uri(self) -> str: ...
    @property
    def service_type(self) -> Literal["APPLICATION", "DATABASE", "CONTAINER", "JOB", "HELM", "TERRAFORM", "ARGOCD_APP"]: ...
    @property
    def addresses(self) -> list[ServiceAddress] | None: ...
    @property
    def runtime(self) -> ServiceRuntime | None: ...
    @property
    def maximum_cpu(self) -> int: ...
    @property
    def maximum_memory(self) -> int: ...
    @property
    def maximum_gpu(self) -> int: ...
    @property
    def deployment_restrictions(self) -> DeploymentRestrictionCollection: ...
    @property
    def advanced_settings(self) -> JobAdvancedSettings: ...
    def stage(self) -> DeploymentStage: ...
    def edit(self, *, name: str = ..., description: str = ..., cpu: int = ..., memory: int = ..., gpu: int = ..., ephemeral_storage_in_gib: int = ..., cpu_architecture: Literal["AMD64", "ARM64"] | None = ..., max_nb_restart: int = ..., max_duration_seconds: int = ..., auto_preview: bool = ..., port: int | None = ..., source: JobSource = ..., healthchecks: Healthcheck = ..., schedule: JobSchedule = ..., auto_deploy: bool | None = ..., annotations_groups: list[OrganizationAnnotationsGroupResponse] = ..., labels_groups: list[OrganizationLabelsGroupResponse] = ..., icon_uri: str = ..., runtime: ServiceRuntime | None = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class JobCollection(Ensurable[Job], BulkCreatable[Job]):
    def create(self, *, name: str, source: JobSource, healthchecks: Healthcheck, description: str = ..., cpu: int = ..., memory: int = ..., gpu: int = ..., ephemeral_storage_in_gib: int = ..., cpu_architecture: Literal["AMD64", "ARM64"] | None = ..., max_nb_restart: int = ..., max_duration_seconds: int = ..., auto_preview: bool = ..., port: int | None = ..., schedule: JobSchedule = ..., auto_deploy: bool | None = ..., annotations_groups: list[OrganizationAnnotationsGroupResponse] = ..., labels_groups: list[OrganizationLabelsGroupResponse] = ..., icon_uri: str = ..., runtime: ServiceRuntime | None = ..., metadata: dict[str, str] = ...) -> Job: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, source: JobSource, healthchecks: Healthcheck, description: str = ..., cpu: int = ..., memory: int = ..., gpu: int = ..., ephemeral_storage_in_gib: int = ..., cpu_architecture: Literal["AMD64", "ARM64"] | None = ..., max_nb_restart: int = ..., max_duration_seconds: int = ..., auto_preview: bool = ..., port: int | None = ..., schedule: JobSchedule = ..., auto_deploy: bool | None = ..., annotations_groups: list[OrganizationAnnotationsGroupResponse] = ..., labels_groups: list[OrganizationLabelsGroupResponse] = ..., icon_uri: str = ..., runtime: ServiceRuntime | None = ..., metadata: dict[str, str] = ...) -> Created[Job]: ...  # type: ignore[override]

class Helm(ClonableService, Deployable, Stoppable, VariableOwner, Editable, Deletable):
    @property
    def environment(self) -> Reference: ...
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str | None: ...
    @property
    def timeout_sec(self) -> int: ...
    @property
    def auto_preview(self) -> bool | None: ...
    @property
    def auto_deploy(self) -> bool: ...
    @property
    def ports(self) -> list[HelmPort]: ...
    @property
    def source(self) -> HelmSource: ...
    @property
    def arguments(self) -> list[str]: ...
    @property
    def allow_cluster_wide_resources(self) -> bool: ...
    @property
    def values_override(self) -> HelmValuesOverride: ...
    @property
    def icon_uri(self) -> str: ...
    @property
    def service_type(self) -> Literal["APPLICATION", "DATABASE", "CONTAINER", "JOB", "HELM", "TERRAFORM", "ARGOCD_APP"]: ...
    @property
    def addresses(self) -> list[ServiceAddress] | None: ...
    @property
    def blueprint_id(self) -> str | None: ...
    @property
    def custom_domains(self) -> CustomDomainCollection: ...
    @property
    def deployment_restrictions(self) -> DeploymentRestrictionCollection: ...
    @property
    def advanced_settings(self) -> HelmAdvancedSettings: ...
    def stage(self) -> DeploymentStage: ...
    def edit(self, *, name: str = ..., description: str = ..., timeout_sec: int = ..., auto_preview: bool | None = ..., auto_deploy: bool = ..., ports: list[HelmPort] = ..., source: HelmSource = ..., arguments: list[str] = ..., allow_cluster_wide_resources: bool = ..., values_override: HelmValuesOverride = ..., icon_uri: str = ..., blueprint_id: str | None = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class HelmCollection(Ensurable[Helm], BulkCreatable[Helm]):
    def create(self, *, name: str, auto_deploy: bool, source: HelmSource, arguments: list[str], values_override: HelmValuesOverride, description: str = ..., timeout_sec: int = ..., auto_preview: bool | None = ..., ports: list[HelmPort] = ..., allow_cluster_wide_resources: bool = ..., icon_uri: str = ..., blueprint_id: str | None = ..., metadata: dict[str, str] = ...) -> Helm: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, auto_deploy: bool, source: HelmSource, arguments: list[str], values_override: HelmValuesOverride, description: str = ..., timeout_sec: int = ..., auto_preview: bool | None = ..., ports: list[HelmPort] = ..., allow_cluster_wide_resources: bool = ..., icon_uri: str = ..., blueprint_id: str | None = ..., metadata: dict[str, str] = ...) -> Created[Helm]: ...  # type: ignore[override]

class Terraform(ClonableService, Deployable, VariableOwner, Editable, Deletable):
    @property
    def environment(self) -> Reference: ...
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def auto_deploy(self) -> bool: ...
    @property
    def auto_deploy_config(self) -> TerraformAutoDeployConfig: ...
    @property
    def terraform_files_source(self) -> TerraformFilesSource: ...
    @property
    def terraform_variables_source(self) -> TerraformVariablesSource: ...
    @property
    def backend(self) -> TerraformBackend: ...
    @property
    def engine(self) -> Literal["TERRAFORM", "OPEN_TOFU"]: ...
    @property
    def provider_version(self) -> TerraformProviderVersion: ...
    @property
    def timeout_sec(self) -> int: ...
    @property
    def job_resources(self) -> TerraformJobResources: ...
    @property
    def use_cluster_credentials(self) -> bool: ...
    @property
    def action_extra_arguments(self) -> dict[str, Any]: ...
    @property
    def dockerfile_fragment(self) -> DockerfileFragment | None: ...
    @property
    def blueprint_id(self) -> str | None: ...
    @property
    def icon_uri(self) -> str: ...
    @property
    def service_type(self) -> Literal["APPLICATION", "DATABASE", "CONTAINER", "JOB", "HELM", "TERRAFORM", "ARGOCD_APP"]: ...
    @property
    def addresses(self) -> list[ServiceAddress] | None: ...
    @property
    def deployment_restrictions(self) -> DeploymentRestrictionCollection: ...
    @property
    def advanced_settings(self) -> TerraformAdvancedSettings: ...
    def stage(self) -> DeploymentStage: ...
    def edit(self, *, name: str = ..., description: str = ..., auto_deploy_config: TerraformAutoDeployConfig = ..., terraform_files_source: TerraformFilesSource = ..., terraform_variables_source: TerraformVariablesSource = ..., backend: TerraformBackend = ..., engine: Literal["TERRAFORM", "OPEN_TOFU"] = ..., provider_version: TerraformProviderVersion = ..., timeout_sec: int = ..., job_resources: TerraformJobResources = ..., use_cluster_credentials: bool = ..., action_extra_arguments: dict[str, Any] = ..., dockerfile_fragment: DockerfileFragment | None = ..., blueprint_id: str | None = ..., icon_uri: str = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class TerraformCollection(Ensurable[Terraform], BulkCreatable[Terraform]):
    def create(self, *, name: str, auto_deploy_config: TerraformAutoDeployConfig, terraform_files_source: TerraformFilesSource, terraform_variables_source: TerraformVariablesSource, backend: TerraformBackend, engine: Literal["TERRAFORM", "OPEN_TOFU"], provider_version: TerraformProviderVersion, job_resources: TerraformJobResources, description: str = ..., timeout_sec: int = ..., use_cluster_credentials: bool = ..., action_extra_arguments: dict[str, Any] = ..., dockerfile_fragment: DockerfileFragment | None = ..., blueprint_id: str | None = ..., icon_uri: str = ..., metadata: dict[str, str] = ...) -> Terraform: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, auto_deploy_config: TerraformAutoDeployConfig, terraform_files_source: TerraformFilesSource, terraform_variables_source: TerraformVariablesSource, backend: TerraformBackend, engine: Literal["TERRAFORM", "OPEN_TOFU"], provider_version: TerraformProviderVersion, job_resources: TerraformJobResources, description: str = ..., timeout_sec: int = ..., use_cluster_credentials: bool = ..., action_extra_arguments: dict[str, Any] = ..., dockerfile_fragment: DockerfileFragment | None = ..., blueprint_id: str | None = ..., icon_uri: str = ..., metadata: dict[str, str] = ...) -> Created[Terraform]: ...  # type: ignore[override]

class ArgocdApp(Resource):
    @property
    def environment(self) -> Reference: ...
    @property
    def environment_id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def namespace(self) -> str: ...
    @property
    def cluster_id(self) -> str: ...
    @property
    def argocd_config_id(self) -> str: ...
    @property
    def last_synced_at(self) -> str | None: ...
    @property
    def manifest_revision(self) -> str | None: ...
    @property
    def git_repository(self) -> ApplicationGitRepository | None: ...
    @property
    def icon_uri(self) -> str: ...
    @property
    def service_type(self) -> Literal["APPLICATION", "DATABASE", "CONTAINER", "JOB", "HELM", "TERRAFORM", "ARGOCD_APP"]: ...
    @property
    def addresses(self) -> list[ServiceAddress] | None: ...

class ArgocdAppCollection(Collection[ArgocdApp]):
    pass

class AwsCredentials(Editable, Deletable):
    @property
    def name(self) -> str: ...
    @property
    def role_arn(self) -> str | None: ...
    @property
    def access_key_id(self) -> str | None: ...
    @property
    def vsphere_user(self) -> str | None: ...
    @property
    def object_type(self) -> Literal["AWS", "AWS_ROLE", "EKS_ANYWHERE_VSPHERE"]: ...
    def edit(self, *, name: str = ..., type: Literal["AWS_ROLE", "AWS_STATIC", "EKS_ANYWHERE_VSPHERE_ROLE", "EKS_ANYWHERE_VSPHERE_STATIC"] = ..., role_arn: str = ..., access_key_id: str = ..., secret_access_key: str = ..., vsphere_user: str = ..., vsphere_password: str = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class AwsCredentialsCollection(Ensurable[AwsCredentials], BulkCreatable[AwsCredentials]):
    def create(self, *, name: str, type: Literal["AWS_ROLE", "AWS_STATIC", "EKS_ANYWHERE_VSPHERE_ROLE", "EKS_ANYWHERE_VSPHERE_STATIC"] = ..., role_arn: str = ..., access_key_id: str = ..., secret_access_key: str = ..., vsphere_user: str = ..., vsphere_password: str = ..., metadata: dict[str, str] = ...) -> AwsCredentials: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, type: Literal["AWS_ROLE", "AWS_STATIC", "EKS_ANYWHERE_VSPHERE_ROLE", "EKS_ANYWHERE_VSPHERE_STATIC"] = ..., role_arn: str = ..., access_key_id: str = ..., secret_access_key: str = ..., vsphere_user: str = ..., vsphere_password: str = ..., metadata: dict[str, str] = ...) -> Created[AwsCredentials]: ...  # type: ignore[override]

class AzureCredentials(Editable, Deletable):
    @property
    def name(self) -> str: ...
    @property
    def azure_subscription_id(self) -> str: ...
    @property
    def azure_tenant_id(self) -> str: ...
    @property
    def access_key_id(self) -> str: ...
    @property
    def azure_application_id(self) -> str: ...
    @property
    def azure_application_object_id(self) -> str: ...
    @property
    def object_type(self) -> Literal["AZURE"]: ...
    def edit(self, *, name: str = ..., azure_subscription_id: str = ..., azure_tenant_id: str = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class AzureCredentialsCollection(Ensurable[AzureCredentials], BulkCreatable[AzureCredentials]):
    def create(self, *, name: str, azure_subscription_id: str, azure_tenant_id: str, metadata: dict[str, str] = ...) -> AzureCredentials: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, azure_subscription_id: str, azure_tenant_id: str, metadata: dict[str, str] = ...) -> Created[AzureCredentials]: ...  # type: ignore[override]

class GcpCredentials(Editable, Deletable):
    @property
    def name(self) -> str: ...
    @property
    def service_account_email(self) -> str | None: ...
    @property
    def workload_identity_provider_resource(self) -> str | None: ...
    @property
    def project_id(self) -> str | None: ...
    @property
    def token_lifetime_seconds(self) -> int | None: ...
    @property
    def object_type(self) -> Literal["GCP", "GCP_WORKLOAD_IDENTITY_FEDERATION"]: ...
    def edit(self, *, name: str = ..., credential_type: Literal["SERVICE_ACCOUNT_KEY", "WORKLOAD_IDENTITY_FEDERATION", "WIF"] = ..., gcp_credentials: str = ..., service_account_email: str = ..., workload_identity_provider_resource: str = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class GcpCredentialsCollection(Ensurable[GcpCredentials], BulkCreatable[GcpCredentials]):
    def create(self, *, name: str, credential_type: Literal["SERVICE_ACCOUNT_KEY", "WORKLOAD_IDENTITY_FEDERATION", "WIF"] = ..., gcp_credentials: str = ..., service_account_email: str = ..., workload_identity_provider_resource: str = ..., metadata: dict[str, str] = ...) -> GcpCredentials: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, credential_type: Literal["SERVICE_ACCOUNT_KEY", "WORKLOAD_IDENTITY_FEDERATION", "WIF"] = ..., gcp_credentials: str = ..., service_account_email: str = ..., workload_identity_provider_resource: str = ..., metadata: dict[str, str] = ...) -> Created[GcpCredentials]: ...  # type: ignore[override]

class ScalewayCredentials(Editable, Deletable):
    @property
    def name(self) -> str: ...
    @property
    def scaleway_access_key(self) -> str: ...
    @property
    def scaleway_project_id(self) -> str: ...
    @property
    def scaleway_organization_id(self) -> str: ...
    @property
    def object_type(self) -> Literal["SCW"]: ...
    def edit(self, *, name: str = ..., scaleway_access_key: str = ..., scaleway_secret_key: str = ..., scaleway_project_id: str = ..., scaleway_organization_id: str = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class ScalewayCredentialsCollection(Ensurable[ScalewayCredentials], BulkCreatable[ScalewayCredentials]):
    def create(self, *, name: str, scaleway_access_key: str, scaleway_secret_key: str, scaleway_project_id: str, scaleway_organization_id: str, metadata: dict[str, str] = ...) -> ScalewayCredentials: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, scaleway_access_key: str, scaleway_secret_key: str, scaleway_project_id: str, scaleway_organization_id: str, metadata: dict[str, str] = ...) -> Created[ScalewayCredentials]: ...  # type: ignore[override]

class OnPremiseCredentials(Editable, Deletable):
    @property
    def name(self) -> str: ...
    @property
    def object_type(self) -> Literal["OTHER"]: ...
    def edit(self, *, name: str = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class OnPremiseCredentialsCollection(Ensurable[OnPremiseCredentials], BulkCreatable[OnPremiseCredentials]):
    def create(self, *, name: str, metadata: dict[str, str] = ...) -> OnPremiseCredentials: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, metadata: dict[str, str] = ...) -> Created[OnPremiseCredentials]: ...  # type: ignore[override]

class ContainerRegistry(Editable, Deletable):
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> Literal["ECR", "SCALEWAY_CR", "DOCKER_HUB", "GITHUB_CR", "GITHUB_ENTERPRISE_CR", "GITLAB_CR", "PUBLIC_ECR", "DOCR", "GENERIC_CR", "GCP_ARTIFACT_REGISTRY", "AZURE_CR"]: ...
    @property
    def description(self) -> str: ...
    @property
    def url(self) -> str | None: ...
    @property
    def config(self) -> ContainerRegistryConfig: ...
    @property
    def cluster(self) -> ContainerRegistryCluster | None: ...
    @property
    def associated_services_count(self) -> int: ...
    def edit(self, *, name: str = ..., kind: Literal["ECR", "SCALEWAY_CR", "DOCKER_HUB", "GITHUB_CR", "GITHUB_ENTERPRISE_CR", "GITLAB_CR", "PUBLIC_ECR", "DOCR", "GENERIC_CR", "GCP_ARTIFACT_REGISTRY", "AZURE_CR"] = ..., description: str = ..., url: str = ..., config: ContainerRegistryConfig = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class ContainerRegistryCollection(Ensurable[ContainerRegistry], BulkCreatable[ContainerRegistry]):
    def create(self, *, name: str, kind: Literal["ECR", "SCALEWAY_CR", "DOCKER_HUB", "GITHUB_CR", "GITHUB_ENTERPRISE_CR", "GITLAB_CR", "PUBLIC_ECR", "DOCR", "GENERIC_CR", "GCP_ARTIFACT_REGISTRY", "AZURE_CR"], config: ContainerRegistryConfig, description: str = ..., url: str = ..., metadata: dict[str, str] = ...) -> ContainerRegistry: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, kind: Literal["ECR", "SCALEWAY_CR", "DOCKER_HUB", "GITHUB_CR", "GITHUB_ENTERPRISE_CR", "GITLAB_CR", "PUBLIC_ECR", "DOCR", "GENERIC_CR", "GCP_ARTIFACT_REGISTRY", "AZURE_CR"], config: ContainerRegistryConfig, description: str = ..., url: str = ..., metadata: dict[str, str] = ...) -> Created[ContainerRegistry]: ...  # type: ignore[override]

class HelmRepository(Editable, Deletable):
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> Literal["HTTPS", "OCI_ECR", "OCI_SCALEWAY_CR", "OCI_DOCKER_HUB", "OCI_PUBLIC_ECR", "OCI_GENERIC_CR", "OCI_GITHUB_CR", "OCI_GITLAB_CR"]: ...
    @property
    def description(self) -> str: ...
    @property
    def url(self) -> str | None: ...
    @property
    def skip_tls_verification(self) -> bool: ...
    @property
    def config(self) -> HelmRepositoryConfig: ...
    @property
    def associated_services_count(self) -> int: ...
    def edit(self, *, name: str = ..., kind: Literal["HTTPS", "OCI_ECR", "OCI_SCALEWAY_CR", "OCI_DOCKER_HUB", "OCI_PUBLIC_ECR", "OCI_GENERIC_CR", "OCI_GITHUB_CR", "OCI_GITLAB_CR"] = ..., description: str = ..., url: str = ..., skip_tls_verification: bool = ..., config: HelmRepositoryConfig = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class HelmRepositoryCollection(Ensurable[HelmRepository], BulkCreatable[HelmRepository]):
    def create(self, *, name: str, kind: Literal["HTTPS", "OCI_ECR", "OCI_SCALEWAY_CR", "OCI_DOCKER_HUB", "OCI_PUBLIC_ECR", "OCI_GENERIC_CR", "OCI_GITHUB_CR", "OCI_GITLAB_CR"], skip_tls_verification: bool, config: HelmRepositoryConfig, description: str = ..., url: str = ..., metadata: dict[str, str] = ...) -> HelmRepository: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, kind: Literal["HTTPS", "OCI_ECR", "OCI_SCALEWAY_CR", "OCI_DOCKER_HUB", "OCI_PUBLIC_ECR", "OCI_GENERIC_CR", "OCI_GITHUB_CR", "OCI_GITLAB_CR"], skip_tls_verification: bool, config: HelmRepositoryConfig, description: str = ..., url: str = ..., metadata: dict[str, str] = ...) -> Created[HelmRepository]: ...  # type: ignore[override]

class GitToken(Editable, Deletable):
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str | None: ...
    @property
    def type(self) -> Literal["BITBUCKET", "GITHUB", "GITLAB"]: ...
    @property
    def workspace(self) -> str | None: ...
    @property
    def git_api_url(self) -> str: ...
    @property
    def associated_services_count(self) -> int: ...
    def edit(self, *, name: str = ..., description: str = ..., type: Literal["BITBUCKET", "GITHUB", "GITLAB"] = ..., token: str = ..., workspace: str = ..., git_api_url: str = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class GitTokenCollection(Ensurable[GitToken], BulkCreatable[GitToken]):
    def create(self, *, name: str, type: Literal["BITBUCKET", "GITHUB", "GITLAB"], token: str, description: str = ..., workspace: str = ..., git_api_url: str = ..., metadata: dict[str, str] = ...) -> GitToken: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, type: Literal["BITBUCKET", "GITHUB", "GITLAB"], token: str, description: str = ..., workspace: str = ..., git_api_url: str = ..., metadata: dict[str, str] = ...) -> Created[GitToken]: ...  # type: ignore[override]

class OrganizationLabelsGroup(Group, Editable, Deletable):
    @property
    def name(self) -> str: ...
    @property
    def labels(self) -> list[Label]: ...
    @property
    def associated_items_count(self) -> int: ...
    def edit(self, *, name: str = ..., labels: list[Label] = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class OrganizationLabelsGroupCollection(Ensurable[OrganizationLabelsGroup], BulkCreatable[OrganizationLabelsGroup]):
    def create(self, *, name: str, labels: list[Label], metadata: dict[str, str] = ...) -> OrganizationLabelsGroup: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, labels: list[Label], metadata: dict[str, str] = ...) -> Created[OrganizationLabelsGroup]: ...  # type: ignore[override]

class OrganizationAnnotationsGroup(Group, Editable, Deletable):
    @property
    def name(self) -> str: ...
    @property
    def annotations(self) -> list[Annotation]: ...
    @property
    def scopes(self) -> list[Literal["DEPLOYMENTS", "STATEFUL_SETS", "SERVICES", "INGRESS", "GATEWAY_API_ROUTES", "HPA", "PODS", "SECRETS", "JOBS", "CRON_JOBS"]]: ...
    @property
    def associated_items_count(self) -> int: ...
    def edit(self, *, name: str = ..., annotations: list[Annotation] = ..., scopes: list[Literal["DEPLOYMENTS", "STATEFUL_SETS", "SERVICES", "INGRESS", "GATEWAY_API_ROUTES", "HPA", "PODS", "SECRETS", "JOBS", "CRON_JOBS"]] = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class OrganizationAnnotationsGroupCollection(Ensurable[OrganizationAnnotationsGroup], BulkCreatable[OrganizationAnnotationsGroup]):
    def create(self, *, name: str, annotations: list[Annotation], scopes: list[Literal["DEPLOYMENTS", "STATEFUL_SETS", "SERVICES", "INGRESS", "GATEWAY_API_ROUTES", "HPA", "PODS", "SECRETS", "JOBS", "CRON_JOBS"]], metadata: dict[str, str] = ...) -> OrganizationAnnotationsGroup: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, annotations: list[Annotation], scopes: list[Literal["DEPLOYMENTS", "STATEFUL_SETS", "SERVICES", "INGRESS", "GATEWAY_API_ROUTES", "HPA", "PODS", "SECRETS", "JOBS", "CRON_JOBS"]], metadata: dict[str, str] = ...) -> Created[OrganizationAnnotationsGroup]: ...  # type: ignore[override]

class Member(Resource):
    @property
    def name(self) -> str | None: ...
    @property
    def email(self) -> str: ...
    @property
    def role(self) -> Literal["ADMIN", "DEVELOPER", "OWNER", "VIEWER"] | None: ...
    @property
    def role_name(self) -> str | None: ...
    @property
    def role_id(self) -> str | None: ...

class MemberCollection(Findable[Member]):
    pass

class InviteMember(Deletable):
    @property
    def email(self) -> str: ...
    @property
    def role(self) -> Literal["ADMIN", "DEVELOPER", "OWNER", "VIEWER"]: ...
    @property
    def role_id(self) -> str | None: ...
    @property
    def role_name(self) -> str | None: ...
    @property
    def invitation_link(self) -> str: ...
    @property
    def invitation_status(self) -> Literal["EXPIRED", "PENDING"]: ...
    @property
    def organization_name(self) -> str | None: ...
    @property
    def inviter(self) -> str: ...

class InviteMemberCollection(Listable[InviteMember], Creatable[InviteMember]):
    def create(self, *, email: str, role: Literal["ADMIN", "DEVELOPER", "OWNER", "VIEWER"] = ..., role_id: str = ..., metadata: dict[str, str] = ...) -> InviteMember: ...  # type: ignore[override]

class OrganizationCustomRole(Editable, Deletable):
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str | None: ...
    @property
    def cluster_permissions(self) -> list[OrganizationCustomRoleClusterPermissions]: ...
    @property
    def project_permissions(self) -> list[OrganizationCustomRoleProjectPermissions]: ...
    def edit(self, *, name: str = ..., description: str = ..., cluster_permissions: list[OrganizationCustomRoleClusterPermissions] = ..., project_permissions: list[OrganizationCustomRoleProjectPermissions] = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class OrganizationCustomRoleCollection(Ensurable[OrganizationCustomRole], BulkCreatable[OrganizationCustomRole]):
    def create(self, *, name: str, description: str = ..., cluster_permissions: list[OrganizationCustomRoleClusterPermissions] = ..., project_permissions: list[OrganizationCustomRoleProjectPermissions] = ..., metadata: dict[str, str] = ...) -> OrganizationCustomRole: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, description: str = ..., cluster_permissions: list[OrganizationCustomRoleClusterPermissions] = ..., project_permissions: list[OrganizationCustomRoleProjectPermissions] = ..., metadata: dict[str, str] = ...) -> Created[OrganizationCustomRole]: ...  # type: ignore[override]

class OrganizationApiToken(Deletable):
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str | None: ...
    @property
    def role_id(self) -> str | None: ...
    @property
    def role_name(self) -> str | None: ...
    @property
    def creator_name(self) -> str | None: ...
    @property
    def expires_at(self) -> str | None: ...
    @property
    def token(self) -> str | None: ...
    @property
    def last_used_at(self) -> str | None: ...

class OrganizationApiTokenCollection(Findable[OrganizationApiToken], Creatable[OrganizationApiToken]):
    def create(self, *, name: str, description: str = ..., scope: Literal["ADMIN"] | None = ..., role_id: str | None = ..., expires_at: str | None = ..., metadata: dict[str, str] = ...) -> OrganizationApiToken: ...  # type: ignore[override]

class OrganizationPolicyApiToken(Deletable):
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str | None: ...
    @property
    def opa_policy(self) -> str: ...
    @property
    def role_id(self) -> str | None: ...
    @property
    def role_name(self) -> str | None: ...
    @property
    def creator_name(self) -> str | None: ...
    @property
    def expires_at(self) -> str | None: ...
    @property
    def user_sub(self) -> str | None: ...
    @property
    def token(self) -> str | None: ...
    @property
    def last_used_at(self) -> str | None: ...

class OrganizationPolicyApiTokenCollection(Findable[OrganizationPolicyApiToken], Creatable[OrganizationPolicyApiToken]):
    def create(self, *, name: str, opa_policy: str, description: str = ..., role_id: str | None = ..., expires_at: str | None = ..., metadata: dict[str, str] = ...) -> OrganizationPolicyApiToken: ...  # type: ignore[override]

class OrganizationWebhook(Notified, Editable, Deletable):
    @property
    def kind(self) -> Literal["STANDARD", "SLACK"]: ...
    @property
    def target_url(self) -> str: ...
    @property
    def target_secret_set(self) -> bool: ...
    @property
    def description(self) -> str | None: ...
    @property
    def enabled(self) -> bool: ...
    @property
    def events(self) -> list[Literal["DEPLOYMENT_STARTED", "DEPLOYMENT_CANCELLED", "DEPLOYMENT_FAILURE", "DEPLOYMENT_SUCCESSFUL", "SERVICE_UNHEALTHY", "SERVICE_RECOVERED"]]: ...
    @property
    def project_names_filter(self) -> list[str]: ...
    @property
    def environment_types_filter(self) -> list[Literal["DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING"]]: ...
    def edit(self, *, kind: Literal["STANDARD", "SLACK"] = ..., target_url: str = ..., target_secret: str = ..., description: str = ..., enabled: bool = ..., events: list[Literal["DEPLOYMENT_STARTED", "DEPLOYMENT_CANCELLED", "DEPLOYMENT_FAILURE", "DEPLOYMENT_SUCCESSFUL", "SERVICE_UNHEALTHY", "SERVICE_RECOVERED"]] = ..., project_names_filter: list[str] = ..., environment_types_filter: list[Literal["DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING"]] = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class OrganizationWebhookCollection(Listable[OrganizationWebhook], Creatable[OrganizationWebhook]):
    def create(self, *, kind: Literal["STANDARD", "SLACK"], target_url: str, events: list[Literal["DEPLOYMENT_STARTED", "DEPLOYMENT_CANCELLED", "DEPLOYMENT_FAILURE", "DEPLOYMENT_SUCCESSFUL", "SERVICE_UNHEALTHY", "SERVICE_RECOVERED"]], target_secret: str = ..., description: str = ..., enabled: bool = ..., project_names_filter: list[str] = ..., environment_types_filter: list[Literal["DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING"]] = ..., metadata: dict[str, str] = ...) -> OrganizationWebhook: ...  # type: ignore[override]

class CustomDomain(Editable, Deletable):
    @property
    def domain(self) -> str: ...
    @property
    def generate_certificate(self) -> bool: ...
    @property
    def use_cdn(self) -> bool: ...
    @property
    def validation_domain(self) -> str: ...
    @property
    def status(self) -> Literal["VALIDATION_PENDING"]: ...
    def edit(self, *, domain: str = ..., generate_certificate: bool = ..., use_cdn: bool = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class CustomDomainCollection(Listable[CustomDomain], Creatable[CustomDomain]):
    def create(self, *, domain: str, generate_certificate: bool, use_cdn: bool = ..., metadata: dict[str, str] = ...) -> CustomDomain: ...  # type: ignore[override]

class DeploymentRestriction(Editable, Deletable):
    @property
    def mode(self) -> Literal["EXCLUDE", "MATCH"]: ...
    @property
    def type(self) -> Literal["PATH"]: ...
    @property
    def value(self) -> str: ...
    def edit(self, *, mode: Literal["EXCLUDE", "MATCH"] = ..., type: Literal["PATH"] = ..., value: str = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class DeploymentRestrictionCollection(Listable[DeploymentRestriction], Creatable[DeploymentRestriction]):
    def create(self, *, mode: Literal["EXCLUDE", "MATCH"], type: Literal["PATH"], value: str, metadata: dict[str, str] = ...) -> DeploymentRestriction: ...  # type: ignore[override]

class ClusterAnalysis(Resource):
    @property
    def cluster_id(self) -> str: ...
    @property
    def organization_id(self) -> str: ...
    @property
    def kind(self) -> Literal["COST_RECOMMENDATION", "DEPRECATED_API_CHECK"]: ...
    @property
    def output_format(self) -> Literal["TABLE", "JSON", "CSV"]: ...
    @property
    def prometheus_url(self) -> str | None: ...
    @property
    def cmd_args(self) -> list[str]: ...
    @property
    def target_kubernetes_version(self) -> str | None: ...
    @property
    def status(self) -> Literal["PENDING", "RUNNING", "SUCCEEDED", "FAILED", "TERMINATED"]: ...
    @property
    def triggered_by(self) -> str: ...
    @property
    def error_message(self) -> str | None: ...

class ClusterAnalysisCollection(Listable[ClusterAnalysis], Creatable[ClusterAnalysis]):
    def create(self, *, kind: Literal["COST_RECOMMENDATION", "DEPRECATED_API_CHECK"], output_format: Literal["TABLE", "JSON", "CSV"], prometheus_url: str | None = ..., cmd_args: list[str] = ..., target_kubernetes_version: str | None = ..., metadata: dict[str, str] = ...) -> ClusterAnalysis: ...  # type: ignore[override]

class Backup(Deletable):
    @property
    def name(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def ttl_in_days(self) -> int | None: ...
    @property
    def status(self) -> dict[str, Any]: ...

class BackupCollection(Findable[Backup], Creatable[Backup]):
    def create(self, *, name: str, message: str, ttl_in_days: int | None = ..., metadata: dict[str, str] = ...) -> Backup: ...  # type: ignore[override]

class McpServer(Editable, Deletable):
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def url(self) -> str: ...
    @property
    def header_names(self) -> list[str]: ...
    def edit(self, *, name: str = ..., description: str = ..., url: str = ..., headers: dict[str, Any] = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class McpServerCollection(Ensurable[McpServer], BulkCreatable[McpServer]):
    def create(self, *, name: str, url: str, description: str = ..., headers: dict[str, Any] = ..., metadata: dict[str, str] = ...) -> McpServer: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, url: str, description: str = ..., headers: dict[str, Any] = ..., metadata: dict[str, str] = ...) -> Created[McpServer]: ...  # type: ignore[override]

class EnterpriseConnection(Resource):
    @property
    def connection_name(self) -> str: ...
    @property
    def default_role(self) -> str: ...
    @property
    def enforce_group_sync(self) -> bool: ...
    @property
    def group_mappings(self) -> dict[str, Any]: ...

class EnterpriseConnectionCollection(Listable[EnterpriseConnection]):
    pass

class CreditCard(Deletable):
    @property
    def expiry_month(self) -> int: ...
    @property
    def expiry_year(self) -> int: ...
    @property
    def last_digit(self) -> str: ...
    @property
    def brand(self) -> str: ...
    @property
    def is_expired(self) -> bool: ...

class CreditCardCollection(Listable[CreditCard], Creatable[CreditCard]):
    def create(self, *, number: str, cvv: str, expiry_month: int, expiry_year: int, token: str | None = ..., metadata: dict[str, str] = ...) -> CreditCard: ...  # type: ignore[override]

class ProjectDeploymentRule(Editable, Deletable):
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str | None: ...
    @property
    def mode(self) -> Literal["DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING"]: ...
    @property
    def cluster_id(self) -> str: ...
    @property
    def auto_stop(self) -> bool: ...
    @property
    def timezone(self) -> str: ...
    @property
    def start_time(self) -> str: ...
    @property
    def stop_time(self) -> str: ...
    @property
    def weekdays(self) -> list[Literal["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"]]: ...
    @property
    def wildcard(self) -> str: ...
    @property
    def priority_index(self) -> int: ...
    def edit(self, *, name: str = ..., description: str | None = ..., mode: Literal["DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING"] = ..., cluster_id: str = ..., auto_stop: bool = ..., timezone: str = ..., start_time: str = ..., stop_time: str = ..., weekdays: list[Literal["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"]] = ..., wildcard: str = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class ProjectDeploymentRuleCollection(Ensurable[ProjectDeploymentRule], BulkCreatable[ProjectDeploymentRule]):
    def create(self, *, name: str, mode: Literal["DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING"], cluster_id: str, timezone: str, start_time: str, stop_time: str, weekdays: list[Literal["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"]], description: str | None = ..., auto_stop: bool = ..., wildcard: str = ..., metadata: dict[str, str] = ...) -> ProjectDeploymentRule: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, mode: Literal["DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING"], cluster_id: str, timezone: str, start_time: str, stop_time: str, weekdays: list[Literal["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"]], description: str | None = ..., auto_stop: bool = ..., wildcard: str = ..., metadata: dict[str, str] = ...) -> Created[ProjectDeploymentRule]: ...  # type: ignore[override]

class Invoice(Resource):
    @property
    def total_in_cents(self) -> int: ...
    @property
    def total(self) -> float: ...
    @property
    def currency_code(self) -> str: ...
    @property
    def status(self) -> Literal["NOT_PAID", "PAID", "PAYMENT_DUE", "PENDING", "POSTED", "UNKNOWN", "VOIDED"]: ...
    @property
    def period_start(self) -> str | None: ...
    @property
    def period_end(self) -> str | None: ...
    @property
    def lines(self) -> list[InvoiceLine] | None: ...

class InvoiceCollection(Listable[Invoice]):
    pass

class AgenticWorkflow(VariableOwner, Editable, Deletable):
    @property
    def service_type(self) -> Literal["APPLICATION", "DATABASE", "CONTAINER", "JOB", "HELM", "TERRAFORM", "ARGOCD_APP", "AGENTIC_WORKFLOW"]: ...
    @property
    def environment(self) -> Reference: ...
    @property
    def name(self) -> str: ...
    @property
    def slug(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def webhook_ip_allowlist(self) -> list[str]: ...
    @property
    def docker_fragment(self) -> str: ...
    @property
    def enabled(self) -> bool: ...
    @property
    def mcp(self) -> str: ...
    @property
    def mcp_server_ids(self) -> list[str]: ...
    @property
    def outputs(self) -> list[AgenticWorkflowOutput]: ...
    @property
    def model(self) -> AgenticWorkflowModel: ...
    @property
    def project_repositories(self) -> list[AgenticWorkflowProjectRepository]: ...
    @property
    def agent_prompt(self) -> str: ...
    @property
    def governance(self) -> AgenticWorkflowGovernance: ...
    @property
    def resources(self) -> AgenticWorkflowResources: ...
    @property
    def webhook(self) -> AgenticWorkflowWebhook: ...
    @property
    def icon_uri(self) -> str | None: ...
    def edit(self, *, name: str = ..., description: str = ..., webhook_ip_allowlist: list[str] = ..., docker_fragment: str = ..., enabled: bool = ..., mcp: str = ..., mcp_server_ids: list[str] = ..., outputs: list[AgenticWorkflowOutput] = ..., model: AgenticWorkflowModel = ..., project_repositories: list[AgenticWorkflowProjectRepository] = ..., agent_prompt: str = ..., governance: AgenticWorkflowGovernance = ..., resources: AgenticWorkflowResources = ..., metadata: dict[str, str] | None = ...) -> Self: ...  # type: ignore[override]

class AgenticWorkflowCollection(Ensurable[AgenticWorkflow], BulkCreatable[AgenticWorkflow]):
    def create(self, *, name: str, description: str = ..., webhook_ip_allowlist: list[str] = ..., docker_fragment: str = ..., enabled: bool = ..., mcp: str = ..., mcp_server_ids: list[str] = ..., outputs: list[AgenticWorkflowOutput] = ..., model: AgenticWorkflowModel = ..., project_repositories: list[AgenticWorkflowProjectRepository] = ..., agent_prompt: str = ..., governance: AgenticWorkflowGovernance = ..., resources: AgenticWorkflowResources = ..., metadata: dict[str, str] = ...) -> AgenticWorkflow: ...  # type: ignore[override]
    def create_many(self, names: Iterable[str], *, description: str = ..., webhook_ip_allowlist: list[str] = ..., docker_fragment: str = ..., enabled: bool = ..., mcp: str = ..., mcp_server_ids: list[str] = ..., outputs: list[AgenticWorkflowOutput] = ..., model: AgenticWorkflowModel = ..., project_repositories: list[AgenticWorkflowProjectRepository] = ..., agent_prompt: str = ..., governance: AgenticWorkflowGovernance = ..., resources: AgenticWorkflowResources = ..., metadata: dict[str, str] = ...) -> Created[AgenticWorkflow]: ...  # type: ignore[override]

ApplicationAdvancedSettingsChanges = TypedDict("ApplicationAdvancedSettingsChanges", {
    "deployment.custom_domain_check_enabled": bool,
    "deployment.termination_grace_period_seconds": int,
    "deployment.affinity.node.required": dict[str, Any],
    "deployment.antiaffinity.pod": Literal["Preferred", "Requirred"],
    "deployment.topology_spread.zone": Literal["Disabled", "ScheduleAnyway", "DoNotSchedule"],
    "deployment.lifecycle.post_start_exec_command": list[str],
    "deployment.lifecycle.pre_stop_exec_command": list[str],
    "deployment.update_strategy.type": Literal["RollingUpdate", "Recreate"],
    "deployment.update_strategy.rolling_update.max_unavailable_percent": int,
    "deployment.update_strategy.rolling_update.max_surge_percent": int,
    "build.timeout_max_sec": int,
    "build.cpu_max_in_milli": int,
    "build.ram_max_in_gib": int,
    "build.disable_buildkit_cache": bool,
    "build.skip_git_submodules": bool,
    "network.ingress.proxy_body_size_mb": int,
    "network.ingress.force_ssl_redirect": bool,
    "network.ingress.enable_cors": bool,
    "network.ingress.cors_allow_origin": str,
    "network.ingress.cors_allow_methods": str,
    "network.ingress.cors_allow_headers": str,
    "network.ingress.proxy_buffer_size_kb": int,
    "network.ingress.keepalive_time_seconds": int,
    "network.ingress.keepalive_timeout_seconds": int,
    "network.ingress.send_timeout_seconds": int,
    "network.ingress.proxy_connect_timeout_seconds": int,
    "network.ingress.proxy_send_timeout_seconds": int,
    "network.ingress.proxy_read_timeout_seconds": int,
    "network.ingress.proxy_buffering": str,
    "network.ingress.whitelist_source_range": str,
    "network.ingress.denylist_source_range": str,
    "network.ingress.basic_auth_env_var": str,
    "network.ingress.enable_sticky_session": bool,
    "network.ingress.grpc_send_timeout_seconds": int,
    "network.ingress.grpc_read_timeout_seconds": int,
    "network.ingress.extra_headers": str,
    "network.gateway_api.http_request_timeout_seconds": int | None,
    "network.gateway_api.http_connection_idle_timeout_seconds": int | None,
    "network.gateway_api.retry.num_retries": int | None,
    "network.gateway_api.retry.retry_on": str | None,
    "network.gateway_api.retry.http_status_codes": str | None,
    "network.gateway_api.retry.per_try_timeout_seconds": int | None,
    "hpa.cpu.average_utilization_percent": int,
    "hpa.memory.average_utilization_percent": int | None,
    "security.service_account_name": str,
    "security.automount_service_account_token": bool,
    "security.read_only_root_filesystem": bool,
}, total=False)

class ApplicationAdvancedSettings(EditableSettings):
    def edit(self, changes: ApplicationAdvancedSettingsChanges | None = ..., /, **fields: Any) -> Self: ...  # type: ignore[override]

ContainerAdvancedSettingsChanges = TypedDict("ContainerAdvancedSettingsChanges", {
    "deployment.custom_domain_check_enabled": bool,
    "deployment.termination_grace_period_seconds": int,
    "deployment.affinity.node.required": dict[str, Any],
    "deployment.antiaffinity.pod": Literal["Preferred", "Requirred"],
    "deployment.topology_spread.zone": Literal["Disabled", "ScheduleAnyway", "DoNotSchedule"],
    "deployment.update_strategy.type": Literal["RollingUpdate", "Recreate"],
    "deployment.update_strategy.rolling_update.max_unavailable_percent": int,
    "deployment.update_strategy.rolling_update.max_surge_percent": int,
    "network.ingress.proxy_body_size_mb": int,
    "network.ingress.force_ssl_redirect": bool,
    "network.ingress.enable_cors": bool,
    "network.ingress.cors_allow_origin": str,
    "network.ingress.cors_allow_methods": str,
    "network.ingress.cors_allow_headers": str,
    "network.ingress.proxy_buffer_size_kb": int,
    "network.ingress.keepalive_time_seconds": int,
    "network.ingress.keepalive_timeout_seconds": int,
    "network.ingress.send_timeout_seconds": int,
    "network.ingress.proxy_connect_timeout_seconds": int,
    "network.ingress.proxy_send_timeout_seconds": int,
    "network.ingress.proxy_read_timeout_seconds": int,
    "network.ingress.proxy_buffering": str,
    "network.ingress.proxy_request_buffering": str,
    "network.ingress.grpc_send_timeout_seconds": int,
    "network.ingress.grpc_read_timeout_seconds": int,
    "network.ingress.whitelist_source_range": str,
    "network.ingress.denylist_source_range": str,
    "network.ingress.extra_headers": str,
    "network.gateway_api.http_request_timeout_seconds": int | None,
    "network.gateway_api.http_connection_idle_timeout_seconds": int | None,
    "network.gateway_api.retry.num_retries": int | None,
    "network.gateway_api.retry.retry_on": str | None,
    "network.gateway_api.retry.http_status_codes": str | None,
    "network.gateway_api.retry.per_try_timeout_seconds": int | None,
    "network.ingress.basic_auth_env_var": str,
    "network.ingress.enable_sticky_session": bool,
    "security.service_account_name": str,
    "hpa.cpu.average_utilization_percent": int,
    "hpa.memory.average_utilization_percent": int | None,
    "security.automount_service_account_token": bool,
    "security.read_only_root_filesystem": bool,
}, total=False)

class ContainerAdvancedSettings(EditableSettings):
    def edit(self, changes: ContainerAdvancedSettingsChanges | None = ..., /, **fields: Any) -> Self: ...  # type: ignore[override]

JobAdvancedSettingsChanges = TypedDict("JobAdvancedSettingsChanges", {
    "build.timeout_max_sec": int,
    "build.cpu_max_in_milli": int,
    "build.ram_max_in_gib": int,
    "build.disable_buildkit_cache": bool,
    "build.skip_git_submodules": bool,
    "deployment.termination_grace_period_seconds": int,
    "deployment.affinity.node.required": dict[str, Any],
    "job.delete_ttl_seconds_after_finished": int | None,
    "cronjob.concurrency_policy": str,
    "cronjob.failed_jobs_history_limit": int,
    "cronjob.success_jobs_history_limit": int,
    "security.service_account_name": str,
    "security.automount_service_account_token": bool,
    "security.read_only_root_filesystem": bool,
}, total=False)

class JobAdvancedSettings(EditableSettings):
    def edit(self, changes: JobAdvancedSettingsChanges | None = ..., /, **fields: Any) -> Self: ...  # type: ignore[override]

HelmAdvancedSettingsChanges = TypedDict("HelmAdvancedSettingsChanges", {
    "deployment.custom_domain_check_enabled": bool,
    "network.ingress.proxy_body_size_mb": int,
    "network.ingress.force_ssl_redirect": bool,
    "network.ingress.enable_cors": bool,
    "network.ingress.cors_allow_origin": str,
    "network.ingress.cors_allow_methods": str,
    "network.ingress.cors_allow_headers": str,
    "network.ingress.proxy_buffer_size_kb": int,
    "network.ingress.keepalive_time_seconds": int,
    "network.ingress.keepalive_timeout_seconds": int,
    "network.ingress.send_timeout_seconds": int,
    "network.ingress.proxy_connect_timeout_seconds": int,
    "network.ingress.proxy_send_timeout_seconds": int,
    "network.ingress.proxy_read_timeout_seconds": int,
    "network.ingress.proxy_buffering": str,
    "network.ingress.proxy_request_buffering": str,
    "network.ingress.grpc_send_timeout_seconds": int,
    "network.ingress.grpc_read_timeout_seconds": int,
    "network.ingress.whitelist_source_range": str,
    "network.ingress.denylist_source_range": str,
    "network.ingress.extra_headers": str,
    "network.ingress.basic_auth_env_var": str,
    "network.ingress.enable_sticky_session": bool,
    "network.gateway_api.http_request_timeout_seconds": int | None,
    "network.gateway_api.http_connection_idle_timeout_seconds": int | None,
    "network.gateway_api.retry.num_retries": int | None,
    "network.gateway_api.retry.retry_on": str | None,
    "network.gateway_api.retry.http_status_codes": str | None,
    "network.gateway_api.retry.per_try_timeout_seconds": int | None,
}, total=False)

class HelmAdvancedSettings(EditableSettings):
    def edit(self, changes: HelmAdvancedSettingsChanges | None = ..., /, **fields: Any) -> Self: ...  # type: ignore[override]

TerraformAdvancedSettingsChanges = TypedDict("TerraformAdvancedSettingsChanges", {
    "build.timeout_max_sec": int,
    "build.cpu_max_in_milli": int,
    "build.ram_max_in_gib": int,
    "build.ephemeral_storage_in_gib": int,
    "build.skip_git_submodules": bool,
    "deployment.termination_grace_period_seconds": int,
    "deployment.affinity.node.required": dict[str, Any],
    "security.service_account_name": str,
    "security.read_only_root_filesystem": bool,
}, total=False)

class TerraformAdvancedSettings(EditableSettings):
    def edit(self, changes: TerraformAdvancedSettingsChanges | None = ..., /, **fields: Any) -> Self: ...  # type: ignore[override]

ClusterAdvancedSettingsChanges = TypedDict("ClusterAdvancedSettingsChanges", {
    "aws.cloudwatch.eks_logs_retention_days": int,
    "aws.vpc.enable_s3_flow_logs": bool,
    "aws.vpc.flow_logs_retention_days": int,
    "aws.vpc.enable_nat_gateway_secondary_eip": bool,
    "loki.log_retention_in_week": int,
    "loki.deployment_mode": Literal["single_binary", "simple_scalable"],
    "loki.single_binary.cpu_request_m": int,
    "loki.single_binary.cpu_limit_m": int,
    "loki.single_binary.memory_request_mib": int,
    "loki.single_binary.memory_limit_mib": int,
    "loki.write.cpu_request_m": int,
    "loki.write.cpu_limit_m": int,
    "loki.write.memory_request_mib": int,
    "loki.write.memory_limit_mib": int,
    "loki.read.cpu_request_m": int,
    "loki.read.cpu_limit_m": int,
    "loki.read.memory_request_mib": int,
    "loki.read.memory_limit_mib": int,
    "loki.backend.cpu_request_m": int,
    "loki.backend.cpu_limit_m": int,
    "loki.backend.memory_request_mib": int,
    "loki.backend.memory_limit_mib": int,
    "registry.image_retention_time": int,
    "cloud_provider.container_registry.tags": dict[str, Any],
    "aws.eks.enable_alb_controller": bool,
    "aws.eks.enable_efs_addon": bool,
    "aws.eks.efs.throughput_mode": Literal["bursting", "elastic", "provisioned"],
    "aws.eks.efs.performance_mode": Literal["generalPurpose", "maxIO"],
    "aws.eks.efs.transition_to_ia": Literal["AFTER_1_DAY", "AFTER_7_DAYS", "AFTER_14_DAYS", "AFTER_30_DAYS", "AFTER_60_DAYS", "AFTER_90_DAYS", ""],
    "load_balancer.size": str,
    "database.postgresql.deny_any_access": bool,
    "database.postgresql.allowed_cidrs": list[str],
    "database.mysql.deny_any_access": bool,
    "database.mysql.allowed_cidrs": list[str],
    "database.mongodb.deny_any_access": bool,
    "database.mongodb.allowed_cidrs": list[str],
    "database.redis.deny_any_access": bool,
    "database.redis.allowed_cidrs": list[str],
    "aws.iam.admin_group": str,
    "aws.eks.ec2.metadata_imds": Literal["optional", "required"],
    "aws.eks.ec2.ami": str,
    "pleco.resources_ttl": int,
    "registry.mirroring_mode": Literal["Cluster", "Service"],
    "nginx.vcpu.request_in_milli_cpu": int,
    "nginx.vcpu.limit_in_milli_cpu": int,
    "nginx.memory.request_in_mib": int,
    "nginx.memory.limit_in_mib": int,
    "envoy.gateway_api.http_request_timeout_seconds": int | None,
    "envoy.gateway_api.http_connection_idle_timeout_seconds": int | None,
    "envoy.gateway_api.retry.num_retries": int | None,
    "envoy.gateway_api.retry.retry_on": str | None,
    "envoy.gateway_api.retry.http_status_codes": str | None,
    "envoy.gateway_api.retry.per_try_timeout_seconds": int | None,
    "nginx.hpa.cpu_utilization_percentage_threshold": int,
    "nginx.hpa.min_number_instances": int,
    "nginx.hpa.max_number_instances": int,
    "storageclass.fast_ssd": str,
    "{brand}.static_ip_mode": bool,
    "k8s.api.allowed_public_access_cidrs": list[str],
}, total=False)

class ClusterAdvancedSettings(EditableSettings):
    def edit(self, changes: ClusterAdvancedSettingsChanges | None = ..., /, **fields: Any) -> Self: ...  # type: ignore[override]

class Network(EditableSettings):
    @property
    def sticky_session(self) -> bool: ...
    def edit(self, changes: dict[str, Any] | None = ..., /, *, sticky_session: bool = ...) -> Self: ...  # type: ignore[override]

class ClusterRoutingTable(EditableSettings):
    @property
    def results(self) -> list[ClusterRoute]: ...
    def edit(self, changes: dict[str, Any] | None = ..., /, *, routes: list[ClusterRoute] = ...) -> Self: ...  # type: ignore[override]

class BillingInfo(EditableSettings):
    @property
    def first_name(self) -> str | None: ...
    @property
    def last_name(self) -> str | None: ...
    @property
    def email(self) -> str | None: ...
    @property
    def address(self) -> str | None: ...
    @property
    def city(self) -> str | None: ...
    @property
    def zip(self) -> str | None: ...
    @property
    def state(self) -> str | None: ...
    @property
    def country_code(self) -> str | None: ...
    @property
    def company(self) -> str | None: ...
    @property
    def vat_number(self) -> str | None: ...
    def edit(self, changes: dict[str, Any] | None = ..., /, *, first_name: str | None = ..., last_name: str | None = ..., email: str | None = ..., address: str | None = ..., city: str | None = ..., zip: str | None = ..., state: str | None = ..., country_code: str | None = ..., company: str | None = ..., vat_number: str | None = ...) -> Self: ...  # type: ignore[override]

class OrganizationOnboarding(Settings):
    @property
    def status(self) -> Literal["IN_PROGRESS", "DISMISSED", "COMPLETED"]: ...

class ClusterDnsProviderSettings(EditableSettings):
    @property
    def dns_provider(self) -> ClusterDnsProvider: ...
    def edit(self, changes: dict[str, Any] | None = ..., /, *, dns_provider: ClusterDnsProvider = ...) -> Self: ...  # type: ignore[override]

__all__ = ["AgenticWorkflow", "AgenticWorkflowCollection", "AgenticWorkflowGovernance", "AgenticWorkflowHeader", "AgenticWorkflowModel", "AgenticWorkflowOutput", "AgenticWorkflowProjectRepository", "AgenticWorkflowResources", "AgenticWorkflowWebhook", "AlertingConfig", "Annotation", "Application", "ApplicationAdvancedSettings", "ApplicationAdvancedSettingsChanges", "ApplicationCollection", "ApplicationGitRepository", "ArgocdApp", "ArgocdAppCollection", "AutoscalingPolicy", "AwsCredentials", "AwsCredentialsCollection", "AzureCredentials", "AzureCredentialsCollection", "Backup", "BackupCollection", "BillingInfo", "CloudWatchExportConfig", "Cluster", "ClusterAdvancedSettings", "ClusterAdvancedSettingsChanges", "ClusterAnalysis", "ClusterAnalysisCollection", "ClusterCloudProviderInfo", "ClusterCollection", "ClusterDnsProvider", "ClusterDnsProviderSettings", "ClusterEksAnywhereGitRepository", "ClusterFeature", "ClusterFeatureAwsExistingVpc", "ClusterFeatureGcpExistingVpc", "ClusterFeatureKarpenterParameters", "ClusterFeatureNatGatewayParameters", "ClusterFeatureNatGatewayType", "ClusterFeatureValue", "ClusterInfrastructureCertManagerChartParameters", "ClusterInfrastructureChartsParameters", "ClusterInfrastructureEksAnywhereBackupParameters", "ClusterInfrastructureEksAnywhereBackupS3Parameters", "ClusterInfrastructureEksAnywhereParameters", "ClusterInfrastructureMetalLbChartParameters", "ClusterInfrastructureNginxChartParameters", "ClusterKeda", "ClusterLabelsGroup", "ClusterRoute", "ClusterRoutingTable", "Container", "ContainerAdvancedSettings", "ContainerAdvancedSettingsChanges", "ContainerCollection", "ContainerRegistry", "ContainerRegistryCluster", "ContainerRegistryCollection", "ContainerRegistryConfig", "ContainerRegistryProviderDetailsResponse", "ContainerSource", "CredentialsReference", "CreditCard", "CreditCardCollection", "CustomDomain", "CustomDomainCollection", "Database", "DatabaseCollection", "DeploymentRestriction", "DeploymentRestrictionCollection", "DeploymentStage", "DeploymentStageCollection", "DeploymentStageServiceResponse", "DockerfileFragment", "EksExternalSecrets", "EnterpriseConnection", "EnterpriseConnectionCollection", "Environment", "EnvironmentCloudProvider", "EnvironmentCollection", "GcpCredentials", "GcpCredentialsCollection", "GitRepository", "GitToken", "GitTokenCollection", "GkeExternalSecrets", "Healthcheck", "Helm", "HelmAdvancedSettings", "HelmAdvancedSettingsChanges", "HelmCollection", "HelmPort", "HelmRepository", "HelmRepositoryCollection", "HelmRepositoryConfig", "HelmSource", "HelmSourceGitResponse", "HelmSourceRepositoryDetails", "HelmSourceRepositoryRequest", "HelmSourceRepositoryResponse", "HelmValuesFile", "HelmValuesGit", "HelmValuesOverride", "HelmValuesOverrideFile", "HelmValuesRaw", "InfrastructureOutputs", "InternalNetworkMonitoring", "InviteMember", "InviteMemberCollection", "Invoice", "InvoiceCollection", "InvoiceLine", "Job", "JobAdvancedSettings", "JobAdvancedSettingsChanges", "JobCollection", "JobCron", "JobEvent", "JobSchedule", "JobSource", "JobSourceDockerResponse", "KarpenterCronjobNodePoolOverride", "KarpenterDefaultNodePoolOverride", "KarpenterGpuNodePoolOverride", "KarpenterNodePool", "KarpenterNodePoolConsolidation", "KarpenterNodePoolLimits", "KarpenterNodePoolRequirement", "KarpenterStableNodePoolOverride", "KedaScaler", "KedaTriggerAuthentication", "KubernetesSelector", "Label", "McpServer", "McpServerCollection", "Member", "MemberCollection", "MetricsConfiguration", "MetricsParameters", "Network", "OnPremiseCredentials", "OnPremiseCredentialsCollection", "Organization", "OrganizationAnnotationsGroup", "OrganizationAnnotationsGroupCollection", "OrganizationAnnotationsGroupResponse", "OrganizationApiToken", "OrganizationApiTokenCollection", "OrganizationCollection", "OrganizationCustomRole", "OrganizationCustomRoleClusterPermissions", "OrganizationCustomRoleCollection", "OrganizationCustomRoleEnvironmentPermission", "OrganizationCustomRoleProjectPermissions", "OrganizationLabelsGroup", "OrganizationLabelsGroupCollection", "OrganizationLabelsGroupResponse", "OrganizationOnboarding", "OrganizationPlan", "OrganizationPolicyApiToken", "OrganizationPolicyApiTokenCollection", "OrganizationWebhook", "OrganizationWebhookCollection", "Probe", "ProbeExec", "ProbeGrpc", "ProbeHttp", "ProbeTcp", "ProbeType", "Project", "ProjectCollection", "ProjectDeploymentRule", "ProjectDeploymentRuleCollection", "Route53StaticCredentials", "RuntimeBuild", "RuntimeDevice", "RuntimeExtraHost", "RuntimeMount", "RuntimePublishedPort", "RuntimeUlimit", "ScalewayCredentials", "ScalewayCredentialsCollection", "SecretManagerAccess", "SecretManagerAuthentication", "SecretManagerEndpoint", "ServiceAddress", "ServicePort", "ServiceRuntime", "ServiceStorage", "Terraform", "TerraformAdvancedSettings", "TerraformAdvancedSettingsChanges", "TerraformAutoDeployConfig", "TerraformBackend", "TerraformBackendBlueprint", "TerraformCollection", "TerraformFilesSource", "TerraformFilesSourceGit", "TerraformJobResources", "TerraformProviderVersion", "TerraformVarKeyValue", "TerraformVariablesSource"]
