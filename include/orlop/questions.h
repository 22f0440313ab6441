// The questions of orlop_external_systems (ports.h): their names, the members of their input, a JSON object, and their answer. Generated from
// core/external_systems/questions.def: do not edit. docs/reference/external-systems.md describes each member.
#ifndef ORLOP_QUESTIONS_H
#define ORLOP_QUESTIONS_H

// Read the events of the webhook by which a git repository informs the platform of pushes and pull requests.
// Input: `provider` (text, required), `url` (text, required), `token` (text).
// Answer: list of texts or null. Events that the repository's webhook of the platform is configured for, in the
// provider's spelling, such as `push`. Null: the repository has no such webhook.
// If it is not answered: the status of the webhook is `UNABLE_TO_VERIFY`.
#define ORLOP_QUESTION_FIND_WEBHOOK "find_webhook"

// List the accounts at git providers that are connected to an organization, or to the caller.
// Input: `organization_id` (UUID or null), `caller` (text, required).
// Answer: list of objects. Accounts at git providers that are connected. Members: `id` (text), `name` (text, required),
// `owner` (text, required), `use_bot` (boolean).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_GIT_ACCOUNTS "list_git_accounts"

// List the repositories of a git provider that the credentials can read, with their default branches, which services
// without a branch are deployed from.
// Input: `organization_id` (UUID or null), `caller` (text, required), `provider` (text, required), `token` (text).
// Answer: list of objects. Repositories that the credentials can read. Members: `id` (text, required), `name` (text,
// required), `url` (text, required), `default_branch` (text), `is_private` (boolean).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_REPOSITORIES "list_repositories"

// List the branches of a git repository.
// Input: `organization_id` (UUID or null), `caller` (text, required), `provider` (text, required), `token` (text),
// `repository` (text).
// Answer: list of objects. Branches of the repository. Members: `name` (text, required).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_BRANCHES "list_branches"

// List the commits of the branch that a service is built from.
// Input: `organization_id` (UUID, required), `service_id` (UUID, required), `provider` (text, required), `url` (text,
// required), `branch` (text), `root_path` (text), `token` (text), `start_id` (text), `git_commit_id` (text).
// Answer: list of objects. Commits of the branch, the newest first. Members: `created_at` (RFC 3339 time, required),
// `git_commit_id` (text, required), `tag` (text, required), `message` (text, required), `author_name` (text, required),
// `author_avatar_url` (text), `commit_page_url` (text).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_COMMITS "list_commits"

// List the authors of the commits of the branch that a service is built from.
// Input: `organization_id` (UUID, required), `service_id` (UUID, required), `provider` (text, required), `url` (text,
// required), `branch` (text), `token` (text).
// Answer: list of objects. Authors of the commits of the branch. Members: `first_name` (text), `last_name` (text),
// `email` (text), `profile_picture_url` (URI).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_CONTRIBUTORS "list_contributors"

// List the images of a container registry with their tags.
// Input: `organization_id` (UUID, required), `registry` (object, required), `image_name` (text), `search` (text).
// Answer: list of objects. Images of the registry with their tags. Members: `image_name` (text), `versions` (list of
// texts).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_IMAGES "list_images"

// List the charts of a helm repository with their versions.
// Input: `organization_id` (UUID, required), `repository` (object, required), `chart_name` (text).
// Answer: list of objects. Charts of the repository with their versions. Members: `chart_name` (text), `versions` (list
// of texts).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_CHARTS "list_charts"

// Find out whether a container registry has an image with a tag.
// Input: `organization_id` (UUID, required), `registry` (object, required), `image_name` (text, required), `tag` (text,
// required).
// Answer: boolean. True if the registry has the image with this tag. False: the operation answers 400.
// If it is not answered: 501.
#define ORLOP_QUESTION_HAS_IMAGE "has_image"

// Find out which of several files a branch of a git repository does not have.
// Input: `organization_id` (UUID, required), `provider` (text, required), `url` (text, required), `branch` (text),
// `root_path` (text), `token` (text), `files` (list of texts, required).
// Answer: list of texts. Those of the paths at which the repository has no file. Not empty: the operation answers 400.
// If it is not answered: 501.
#define ORLOP_QUESTION_FIND_MISSING_FILES "find_missing_files"

// Read what a Dockerfile of a git repository declares.
// Input: `organization_id` (UUID, required), `provider` (text, required), `url` (text, required), `branch` (text),
// `root_path` (text), `token` (text), `dockerfile_path` (text, required).
// Answer: object or null. Declarations of the Dockerfile. Null: the repository has no file at this path, and the
// operation answers 400. Members: `arg` (list of texts), `repositories` (list of texts).
// If it is not answered: 501.
#define ORLOP_QUESTION_READ_DOCKERFILE "read_dockerfile"

// Create the webhook by which a git repository informs the platform, or correct its events.
// Input: `provider` (text, required), `url` (text, required), `token` (text).
// Answer: list of texts or null. Events that the repository's webhook of the platform is configured for, in the
// provider's spelling, such as `push`. Null: the repository has no such webhook.
// If it is not answered: 501.
#define ORLOP_QUESTION_SYNC_WEBHOOK "sync_webhook"

// List the directories of a git repository.
// Input: `organization_id` (UUID, required), `provider` (text, required), `url` (text, required), `branch` (text),
// `root_path` (text), `token` (text).
// Answer: list of texts. Paths of the directories, relative to the root path.
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_DIRECTORIES "list_directories"

// Read the default values of a Helm chart.
// Input: `organization_id` (UUID, required), `git_repository` (object or null), `repository` (object or null),
// `chart_name` (text), `chart_version` (text).
// Answer: text. Default values of the chart: the content of its `values.yaml`.
// If it is not answered: 501.
#define ORLOP_QUESTION_READ_CHART_VALUES "read_chart_values"

// List the variables that the Terraform files of a git repository declare.
// Input: `organization_id` (UUID, required), `provider` (text, required), `url` (text, required), `branch` (text),
// `root_path` (text), `token` (text).
// Answer: list of objects. Variables that the files declare. Members: `key` (text, required), `sensitive` (boolean,
// required), `nullable` (boolean), `default` (text or null), `source` (text, required), `description` (text or null).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_TERRAFORM_VARIABLES "list_terraform_variables"

// List the `.tfvars` files of a git repository with their values.
// Input: `organization_id` (UUID, required), `provider` (text, required), `url` (text, required), `branch` (text),
// `root_path` (text), `token` (text), `paths` (list of texts or null).
// Answer: list of objects. Files with their values. Members: `source` (text, required), `variables` (object, required).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_TFVARS_FILES "list_tfvars_files"

// List the versions of Terraform and OpenTofu that services can use.
// Input: .
// Answer: list of objects. Versions of both engines. Members: `engine` (text, required), `version` (text, required).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_TERRAFORM_VERSIONS "list_terraform_versions"

// List the last lines of the log of a service.
// Input: `organization_id` (UUID, required), `environment_id` (UUID, required), `service_id` (UUID, required), `family`
// (text, required), `name` (text, required).
// Answer: list of objects. Last lines of the log, the oldest first. Members: `id` (UUID, required), `created_at` (RFC
// 3339 time, required), `message` (text, required), `pod_name` (text), `version` (text).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_SERVICE_LOGS "list_service_logs"

// List the Kubernetes services that the chart of a Helm service has created.
// Input: `organization_id` (UUID, required), `environment_id` (UUID, required), `service_id` (UUID, required), `family`
// (text, required), `name` (text, required).
// Answer: list of objects. Kubernetes services that the chart has created. Members: `metadata` (object, required),
// `service_spec` (object, required).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_KUBERNETES_SERVICES "list_kubernetes_services"

// List the resources in the state of a Terraform service.
// Input: `organization_id` (UUID, required), `environment_id` (UUID, required), `service_id` (UUID, required), `family`
// (text, required), `name` (text, required).
// Answer: list of objects. Resources of the Terraform state. Members: `id` (UUID, required), `resource_type` (text,
// required), `name` (text, required), `address` (text, required), `provider` (text, required), `mode` (text, required),
// `attributes` (object, required), `extracted_at` (RFC 3339 time, required).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_TERRAFORM_RESOURCES "list_terraform_resources"

// Read the manifest of an Argo CD application.
// Input: `organization_id` (UUID, required), `environment_id` (UUID, required), `service_id` (UUID, required), `family`
// (text, required), `name` (text, required).
// Answer: object. Manifest of the application. Members: `manifest_revision` (text or null), `manifest_metadata`
// (object, required).
// If it is not answered: 501.
#define ORLOP_QUESTION_READ_MANIFEST "read_manifest"

// Check the DNS records of the custom domains of a service.
// Input: `organization_id` (UUID, required), `service_id` (UUID, required), `domains` (list of objects, required).
// Answer: list of objects. Result of the check for each of the domains. Members: `domain_name` (text, required),
// `status` (text, required), `error_details` (text or null).
// If it is not answered: 501.
#define ORLOP_QUESTION_CHECK_DOMAINS "check_domains"

// Delete the Kubernetes jobs of failed runs of jobs.
// Input: `organization_id` (UUID, required), `environment_id` (UUID, required), `job_ids` (list of UUIDs, required).
// Answer: list of texts. Names of the Kubernetes jobs that were deleted.
// If it is not answered: 501.
#define ORLOP_QUESTION_CLEAN_FAILED_JOBS "clean_failed_jobs"

// List the log lines of the last change of a cluster.
// Input: `organization_id` (UUID, required), `cluster_id` (UUID, required).
// Answer: list of objects. Lines of the log of the cluster's last change, the oldest first. Members: `type` (text),
// `timestamp` (RFC 3339 time), `step` (text), `message` (object), `error` (object), `details` (object).
// If it is not answered: the log is what the feed has of the cluster's last change.
#define ORLOP_QUESTION_LIST_CLUSTER_LOGS "list_cluster_logs"

// Query the log store of a cluster.
// Input: `organization_id` (UUID, required), `cluster_id` (UUID, required), `parameters` (object, required).
// Answer: text. Response of the store as text, usually JSON.
// If it is not answered: 501.
#define ORLOP_QUESTION_QUERY_CLUSTER_LOGS "query_cluster_logs"

// Query the metrics store of a cluster.
// Input: `organization_id` (UUID, required), `cluster_id` (UUID, required), `parameters` (object, required).
// Answer: text. Response of the store as text, usually JSON.
// If it is not answered: 501.
#define ORLOP_QUESTION_QUERY_CLUSTER_METRICS "query_cluster_metrics"

// List the Kubernetes events of a cluster.
// Input: `organization_id` (UUID, required), `cluster_id` (UUID, required), `parameters` (object, required).
// Answer: list of objects. Kubernetes events of the range, the oldest first. Members: `created_at` (RFC 3339 time),
// `kind` (text), `namespace` (text), `name` (text), `reason` (text), `message` (text), `type` (text),
// `reporting_component` (text), `count` (integer), `first_occurrence` (RFC 3339 time), `last_occurrence` (RFC 3339
// time).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_KUBERNETES_EVENTS "list_kubernetes_events"

// Find out whether workloads can be deployed to a cluster.
// Input: `organization_id` (UUID, required), `cluster_id` (UUID, required).
// Answer: boolean. True if workloads can be deployed to the cluster.
// If it is not answered: a cluster is ready if it is `DEPLOYED` or `RESTARTED`.
#define ORLOP_QUESTION_IS_CLUSTER_READY "is_cluster_ready"

// Get a bearer token for the Kubernetes API of a cluster.
// Input: `organization_id` (UUID, required), `cluster_id` (UUID, required), `read_only` (boolean, required).
// Answer: object. Token for the Kubernetes API of the cluster. Members: `token` (text, required), `expires_at` (RFC
// 3339 time, required).
// If it is not answered: 501.
#define ORLOP_QUESTION_GET_CLUSTER_TOKEN "get_cluster_token"

// Get the JSON web token with which an EKS Anywhere cluster registers.
// Input: `organization_id` (UUID, required), `cluster_id` (UUID, required).
// Answer: text. JSON web token with which the cluster registers at the platform.
// If it is not answered: 501.
#define ORLOP_QUESTION_GET_EKS_ANYWHERE_JWT "get_eks_anywhere_jwt"

// List the names of the secrets that a secret manager holds.
// Input: `organization_id` (UUID, required), `cluster_id` (UUID, required), `access` (object, required), `name_prefix`
// (text).
// Answer: list of texts. Names of the secrets.
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_SECRETS "list_secrets"

// Connect an installation of the GitHub app with an organization.
// Input: `organization_id` (UUID, required), `installation_id` (text), `code` (text), `force` (boolean, required).
// Answer: text. Reason for which it was not done; the operation answers 400 with it. Empty: it is done.
// If it is not answered: 501.
#define ORLOP_QUESTION_CONNECT_GITHUB "connect_github"

// Disconnect the installation of the GitHub app from an organization.
// Input: `organization_id` (UUID, required), `installation_id` (text), `code` (text), `force` (boolean, required).
// Answer: text. Reason for which it was not done; the operation answers 400 with it. Empty: it is done.
// If it is not answered: 501.
#define ORLOP_QUESTION_DISCONNECT_GITHUB "disconnect_github"

// Check the connection to an Argo CD server.
// Input: `organization_id` (UUID, required), `cluster_id` (UUID, required), `url` (text, required), `token` (text,
// required).
// Answer: object. Result of the check of the connection. Members: `status` (text, required), `app_count` (integer),
// `reason` (text).
// If it is not answered: 501.
#define ORLOP_QUESTION_CHECK_ARGOCD "check_argocd"

// Send a test message to an alert receiver.
// Input: `organization_id` (UUID, required), `receiver` (object, required), `message` (text).
// Answer: text. Reason for which it was not done; the operation answers 400 with it. Empty: it is done.
// If it is not answered: 501.
#define ORLOP_QUESTION_SEND_TEST_ALERT "send_test_alert"

// List the regions of a cloud provider.
// Input: `cloud_provider` (text, required), `region` (text).
// Answer: list of objects. Regions of the cloud provider. Members: `name` (text, required), `country_code` (text,
// required), `country` (text, required), `city` (text, required), `arm_supported` (boolean), `zones` (list of texts).
// If it is not answered: the built-in catalog of regions.
#define ORLOP_QUESTION_LIST_REGIONS "list_regions"

// List the instance types of a cloud provider that the nodes of clusters can have.
// Input: `cloud_provider` (text, required), `region` (text).
// Answer: list of objects. Instance types of the cloud provider. Members: `type` (text, required), `name` (text,
// required), `cpu` (integer, required), `ram_in_gb` (integer, required), `bandwidth_in_gbps` (text, required),
// `bandwidth_guarantee` (text, required), `architecture` (text), `gpu_info` (object), `attributes` (object).
// If it is not answered: the built-in catalog of instance types.
#define ORLOP_QUESTION_LIST_INSTANCE_TYPES "list_instance_types"

// List the database engines that a cloud provider offers as a managed service.
// Input: `cloud_provider` (text, required), `region` (text).
// Answer: list of objects. Database engines of the managed service. Members: `name` (text, required).
// If it is not answered: the database engines of the built-in catalog.
#define ORLOP_QUESTION_LIST_MANAGED_DATABASE_TYPES "list_managed_database_types"

// List the instance types that managed databases of a cloud provider can have in a region.
// Input: `cloud_provider` (text, required), `region` (text, required), `engine` (text, required).
// Answer: list of objects. Instance types of the managed service. Members: `name` (text, required).
// If it is not answered: the built-in catalog of instance types.
#define ORLOP_QUESTION_LIST_DATABASE_INSTANCE_TYPES "list_database_instance_types"

// List the versions of a database engine that databases can have.
// Input: `organization_id` (UUID, required), `cluster_id` (UUID or null), `engine` (text, required), `mode` (text,
// required).
// Answer: list of texts. Versions, such as `16`, in ascending order.
// If it is not answered: the built-in catalog of versions.
#define ORLOP_QUESTION_LIST_DATABASE_VERSIONS "list_database_versions"

// Identify the person that a token authenticates, such as the JWT of an identity provider. Asked for tokens that the
// engine did not issue.
// Input: `token` (text, required), `at` (RFC 3339 time, required).
// Answer: object or null. The person. Null: the token is not valid, and the request is refused with 401. Members:
// `subject` (text, required), `email` (text), `name` (text), `enterprise_connection` (object or null).
// If it is not answered: tokens of people are refused with 401.
#define ORLOP_QUESTION_AUTHENTICATE "authenticate"

// Evaluate the policy of an API token, such as one of Open Policy Agent, for a request.
// Input: `policy` (text, required), `method` (text, required), `path` (text, required), `token` (text, required),
// `role` (text, required), `organization_id` (UUID, required).
// Answer: boolean. True if the policy allows the request.
// If it is not answered: a token that is bound to a policy is refused everything with 403.
#define ORLOP_QUESTION_EVALUATE_POLICY "evaluate_policy"

// Allow or deny a change, or a deployment, before it is made. Asked about requests that would be accepted, before each
// of them, and outside of any transaction; an answer cannot alter the request.
// Input: `operation` (text, required), `method` (text, required), `path` (text, required), `organization_id` (UUID or
// null), `caller` (object, required), `resource` (object or null), `body` (JSON or null), `deployment` (object or
// null).
// Answer: object. Decision of the external systems about the change. Members: `allowed` (boolean, required), `reason`
// (text).
// If it is not answered: every change is admitted.
#define ORLOP_QUESTION_ADMIT "admit"

// Send a message about an alert rule that fires, or that has ended, to an alert receiver.
// Input: `organization_id` (UUID, required), `rule` (object, required), `receiver` (object, required), `is_resolved`
// (boolean, required), `starts_at` (RFC 3339 time, required).
// Answer: text. Reason for which it was not done; the operation answers 400 with it. Empty: it is done.
// If it is not answered: an alert rule that fires stays in the state `PENDING_NOTIFICATION`.
#define ORLOP_QUESTION_SEND_ALERT "send_alert"

// Check the syntax of a PromQL query before an alert rule is stored with it, for instance by a Prometheus server.
// Input: `organization_id` (UUID, required), `query` (text, required).
// Answer: text. Reason for which the query is not PromQL; the operation answers 400 with it. Empty: it is.
// If it is not answered: brackets and quotation marks are checked, and the rest shows when the rule is evaluated.
#define ORLOP_QUESTION_CHECK_PROMQL "check_promql"

// List the commits of the git repository that holds the configuration of an EKS Anywhere cluster, the newest first.
// Input: `organization_id` (UUID, required), `cluster_id` (UUID, required).
// Answer: list of objects. Commits of the repository, the newest first. Members: `created_at` (RFC 3339 time,
// required), `git_commit_id` (text, required), `tag` (text, required), `message` (text, required), `author_name` (text,
// required), `author_avatar_url` (text), `commit_page_url` (text).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_EKS_ANYWHERE_COMMITS "list_eks_anywhere_commits"

// Get the state of the platform's operator in a cluster.
// Input: `organization_id` (UUID, required), `cluster_id` (UUID, required).
// Answer: object. State of the operator. Members: `operator_connected` (boolean, required), `last_heartbeat` (RFC 3339
// time or null), `operator_version` (text or null), `controller_version` (text or null), `request_schema_version` (text
// or null), `desired_image_version` (text or null), `desired_chart_version` (text or null), `status` (text, required),
// `reported_chart_version` (text or null), `reported_identity` (object).
// If it is not answered: 501.
#define ORLOP_QUESTION_GET_OPERATOR_STATUS "get_operator_status"

// Get the Helm chart and the values that install the platform's operator in a cluster.
// Input: `organization_id` (UUID, required), `cluster_id` (UUID, required).
// Answer: object. Settings with which the operator is installed. Members: `chart_repository` (text, required),
// `chart_name` (text, required), `chart_version` (text, required), `chart_reference` (text, required), `namespace`
// (text, required), `release_name` (text, required), `values` (object, required), `values_yaml` (text, required),
// `helm_command` (text, required).
// If it is not answered: 501.
#define ORLOP_QUESTION_GET_OPERATOR_BOOTSTRAP "get_operator_bootstrap"

// Attach the operator that runs in a cluster to the platform.
// Input: `organization_id` (UUID, required), `cluster_id` (UUID, required).
// Answer: text. Reason for which it was not done; the operation answers 400 with it. Empty: it is done.
// If it is not answered: 501.
#define ORLOP_QUESTION_ATTACH_OPERATOR "attach_operator"

// Begin an update of the platform's operator in a cluster.
// Input: `organization_id` (UUID, required), `cluster_id` (UUID, required), `chart_version` (text, required),
// `image_version` (text or null).
// Answer: object. Update that has begun. Members: `execution_id` (text, required), `image_version` (text, required),
// `chart_version` (text, required).
// If it is not answered: 501.
#define ORLOP_QUESTION_UPDATE_OPERATOR "update_operator"

// Get the catalogue of blueprints that an organization can use.
// Input: `organization_id` (UUID, required).
// Answer: object. Catalogue of blueprints that the organization can use. Members: `version` (text, required),
// `generatedAt` (RFC 3339 time, required), `blueprints` (list of objects, required).
// If it is not answered: 501.
#define ORLOP_QUESTION_GET_BLUEPRINT_CATALOG "get_blueprint_catalog"

// Get the variables and the engine of a blueprint.
// Input: `organization_id` (UUID, required), `environment_id` (UUID, required), `provider` (text, required),
// `service_family` (text, required), `service_version` (text, required).
// Answer: object. Variables and engine of the blueprint. Members: `results` (list of objects, required), `engine`
// (object).
// If it is not answered: 501.
#define ORLOP_QUESTION_GET_BLUEPRINT_MANIFEST "get_blueprint_manifest"

// Get the README of a blueprint.
// Input: `organization_id` (UUID, required), `provider` (text, required), `service_family` (text, required),
// `service_version` (text, required).
// Answer: object. README of the blueprint. Members: `content` (text, required), `repository_url` (URI, required).
// If it is not answered: 501.
#define ORLOP_QUESTION_GET_BLUEPRINT_README "get_blueprint_readme"

// List the templates of lifecycle jobs for a cloud provider.
// Input: `organization_id` (UUID, required), `environment_id` (UUID, required), `cloud_provider` (text, required).
// Answer: list of objects. Templates of lifecycle jobs for the cloud provider. Members: `id` (UUID, required), `name`
// (text, required), `description` (text, required), `sourceUrl` (URI, required), `cloud_provider` (text, required),
// `events` (list of objects, required), `max_duration_in_sec` (integer, required), `resources` (object, required),
// `variables` (list of objects, required), `dockerfile` (text, required).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_LIFECYCLE_TEMPLATES "list_lifecycle_templates"

// Create a report of the builds of a deployment, which can be downloaded.
// Input: `organization_id` (UUID, required), `environment_id` (UUID, required), `execution_id` (text, required),
// `report_expiration_in_seconds` (integer, required).
// Answer: object. Address of the report. Members: `report_url` (URI), `delete_report_url` (URI).
// If it is not answered: 501.
#define ORLOP_QUESTION_MAKE_BUILD_USAGE_REPORT "make_build_usage_report"

// Create a report of the usage of an organization, which can be downloaded.
// Input: `organization_id` (UUID, required), `from` (RFC 3339 time, required), `to` (RFC 3339 time, required),
// `report_expiration_in_seconds` (integer, required).
// Answer: object. Address of the report. Members: `report_url` (URI), `delete_report_url` (URI).
// If it is not answered: 501.
#define ORLOP_QUESTION_MAKE_BILLING_USAGE_REPORT "make_billing_usage_report"

// List the clusters that an Argo CD server deploys to, with the number of applications on each.
// Input: `organization_id` (UUID, required), `cluster_id` (UUID, required), `url` (text, required), `token` (text,
// required).
// Answer: list of objects. Destinations of the Argo CD server. Members: `argocd_cluster_url` (text, required),
// `argocd_cluster_name` (text, required), `applications_count` (integer, required).
// If it is not answered: only the destinations that are mapped to clusters are listed.
#define ORLOP_QUESTION_LIST_ARGOCD_CLUSTERS "list_argocd_clusters"

// Charge an invoice to the credit card of an organization.
// Input: `organization_id` (UUID, required), `invoice_id` (UUID, required), `total_in_cents` (integer, required),
// `currency_code` (text, required), `card_token` (text, required).
// Answer: text. Reason for which the payment was refused. Empty: it is made.
// If it is not answered: the invoice is `PAYMENT_DUE`.
#define ORLOP_QUESTION_CHARGE_INVOICE "charge_invoice"

// Get the URL at which an invoice can be downloaded as a PDF file.
// Input: `organization_id` (UUID, required), `invoice` (object, required), `billing_info` (object, required).
// Answer: object. Address of the file. Members: `url` (URI, required).
// If it is not answered: 501.
#define ORLOP_QUESTION_GET_INVOICE_LINK "get_invoice_link"

// Send all invoices of an organization to its billing address.
// Input: `organization_id` (UUID, required), `email` (text, required), `invoice_ids` (list of UUIDs, required).
// Answer: text. Reason for which it was not done; the operation answers 400 with it. Empty: it is done.
// If it is not answered: 501.
#define ORLOP_QUESTION_SEND_INVOICES "send_invoices"

// List the clusters of all organizations in which the platform's operator runs, with its versions.
// Input: .
// Answer: list of objects. Clusters with an operator. Members: `organization_id` (UUID, required), `cluster_id` (UUID,
// required), `cluster_name` (text, required), `cluster_kind` (text, required), `attached` (boolean, required),
// `connected` (boolean, required), `last_heartbeat` (RFC 3339 time or null), `desired_image_version` (text or null),
// `reported_image_version` (text or null), `desired_chart_version` (text or null), `reported_chart_version` (text or
// null), `status` (text, required).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_OPERATOR_FLEET "list_operator_fleet"

// Get the Helm values with which the platform's charts are installed on a cluster that the customer manages.
// Input: `organization_id` (UUID, required), `cluster_id` (UUID, required).
// Answer: text. Helm values as YAML.
// If it is not answered: values made from the cluster's record.
#define ORLOP_QUESTION_GET_INSTALLATION_VALUES "get_installation_values"

// List the platform templates: layers of components that can be installed on clusters.
// Input: `organization_id` (UUID, required).
// Answer: list of objects. Templates that the organization can use. Members: `key` (text, required), `version` (text,
// required), `status` (text, required), `description` (text or null), `layers` (list of objects, required).
// If it is not answered: 501.
#define ORLOP_QUESTION_LIST_PLATFORM_TEMPLATES "list_platform_templates"

// Find a blueprint by its tag: the repository that holds it, its variables and its engine.
// Input: `organization_id` (UUID, required), `environment_id` (UUID, required), `tag` (text, required).
// Answer: object or null. The blueprint of the tag. Null: no blueprint has it. Members: `catalog_url` (URI, required),
// `repository_url` (URI, required), `branch` (text), `root_path` (text), `latest_tag` (text, required),
// `new_major_versions` (list of objects), `variables` (list of objects, required), `engine` (object, required).
// If it is not answered: 501.
#define ORLOP_QUESTION_FIND_BLUEPRINT "find_blueprint"

// Read the values of external secrets from a secret manager, for a step that is about to be started. The values are
// given to the driver only, and stored nowhere. While the question fails, the step is put off.
// Input: `organization_id` (UUID, required), `service_id` (UUID, required), `secret_manager_access_id` (UUID,
// required), `names` (list of texts, required).
// Answer: object. Values of the secrets, texts by name. A step whose secret is missing fails.
// If it is not answered: the driver is given the name of the secret.
#define ORLOP_QUESTION_RESOLVE_SECRETS "resolve_secrets"

// List the applications of an Argo CD server with their destination, health and synchronization. Asked in each
// synchronization, every three minutes.
// Input: `organization_id` (UUID, required), `cluster_id` (UUID, required), `url` (text, required), `token` (text,
// required).
// Answer: list of objects. Applications of the Argo CD server, at most 10000. Members: `name` (text, required),
// `project` (text), `namespace` (text, required), `argocd_cluster_url` (text, required), `health` (text),
// `health_message` (text), `sync_status` (text), `last_synced_at` (RFC 3339 time or null), `manifest_revision` (text or
// null), `git_repository` (object or null).
// If it is not answered: no application appears; the configuration says so.
#define ORLOP_QUESTION_LIST_ARGOCD_APPLICATIONS "list_argocd_applications"

#endif
