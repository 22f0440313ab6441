// Questions about the workloads of a service: Kubernetes services, Terraform resources, manifests, domains, jobs.
#pragma once

#include <string_view>

#include "external_systems/shapes/logs_questions.h"
#include "external_systems/shapes/services_questions.h"
#include "model/field.h"

namespace orlop::question_shapes {

inline constexpr Field workload_input_fields[] = {
    service_organization,
    uuid("environment_id", "ID of the environment of the service.").required(),
    service_id,
    text("family", "Family of the service, such as `helm`.").required(),
    text("name", "Name of the service.").required(),
};
inline constexpr Shape workload_input = {.fields = workload_input_fields};

// ---- Helm
inline constexpr Field kubernetes_metadata_fields[] = {text("name", "Name of the Kubernetes service.")};
inline constexpr Shape kubernetes_metadata = {.name = "KubernetesMetadata", .fields = kubernetes_metadata_fields};
inline constexpr Field kubernetes_port_fields[] = {
    text("name", "Name of the port."),
    integer("port", "Number of the port.").required(),
};
inline constexpr Shape kubernetes_port = {.name = "KubernetesServicePort", .fields = kubernetes_port_fields};
inline constexpr Field kubernetes_selector_fields[] = {
    text("key", "Key of the label.").required(),
    text("value", "Value of the label.").required(),
};
inline constexpr Shape kubernetes_selector = {.name = "KubernetesSelector", .fields = kubernetes_selector_fields};
inline constexpr Field kubernetes_spec_fields[] = {
    text("type", "Type of the Kubernetes service, such as `ClusterIP`."),
    list_of("ports", kubernetes_port, "Ports of the Kubernetes service."),
    list_of("selectors", kubernetes_selector, "Labels of the pods that the Kubernetes service leads to."),
};
inline constexpr Shape kubernetes_spec = {.name = "KubernetesServiceSpec", .fields = kubernetes_spec_fields};
inline constexpr Field kubernetes_service_fields[] = {
    object("metadata", kubernetes_metadata, "Metadata of the Kubernetes service.").required(),
    object("service_spec", kubernetes_spec, "Specification of the Kubernetes service.").required(),
};
inline constexpr Shape kubernetes_service = {.name = "KubernetesService", .fields = kubernetes_service_fields};
inline constexpr Field kubernetes_services =
    list_of("answer", kubernetes_service, "Kubernetes services that the chart has created.");

// ---- Terraform
inline constexpr std::string_view terraform_resource_modes[] = {"managed", "data"};
inline constexpr Field terraform_resource_fields[] = {
    uuid("id", "ID of the resource.").required(),
    text("resource_type", "Type of the resource, such as `aws_s3_bucket`.").required(),
    text("name", "Name of the resource in the Terraform files.").required(),
    text("address", "Address of the resource, such as `aws_s3_bucket.logs`.").required(),
    text("provider", "Terraform provider of the resource.").required(),
    enumeration("mode", terraform_resource_modes,
                "`managed`: Terraform creates the resource. `data`: Terraform reads it.")
        .required(),
    open_object("attributes", "Attributes of the resource, without secrets.").required(),
    date_time("extracted_at", "Time at which the resource was read from the state.").required(),
};
inline constexpr Shape terraform_resource = {.name = "TerraformResourceResponse", .fields = terraform_resource_fields};
inline constexpr Field terraform_resources = list_of("answer", terraform_resource, "Resources of the Terraform state.");

// ---- Argo CD
inline constexpr Field managed_resource_fields[] = {
    text("kind", "Kind of the Kubernetes object."),
    text("name", "Name of the Kubernetes object."),
    text("namespace", "Kubernetes namespace of the object."),
    text("targetState", "Manifest of the object as the repository has it."),
    text("liveState", "Manifest of the object as the cluster has it."),
};
inline constexpr Shape managed_resource = {.name = "ArgocdManagedResource", .fields = managed_resource_fields};
inline constexpr Field manifest_metadata_fields[] = {
    list_of("managed_resources", managed_resource, "Kubernetes objects of the application.")};
inline constexpr Shape manifest_metadata = {.fields = manifest_metadata_fields};
inline constexpr Field manifest_fields[] = {
    text("manifest_revision", "Revision of the manifest. Null: unknown.").nullable(),
    object("manifest_metadata", manifest_metadata, "Content of the manifest.").required(),
};
inline constexpr Shape manifest = {.name = "ArgocdAppManifestResponse", .fields = manifest_fields};
inline constexpr Field manifest_answer = object("answer", manifest, "Manifest of the application.").required();

// ---- Domains
inline constexpr Field domain_to_check_fields[] = {
    text("domain", "Custom domain of the service.").required(),
    text("validation_domain", "Domain name that the CNAME record of `domain` must point to.").required(),
    boolean("use_cdn", "True if the domain is served through a CDN.").required(),
};
inline constexpr Shape domain_to_check = {.fields = domain_to_check_fields};
inline constexpr Field domains_input_fields[] = {
    service_organization,
    service_id,
    list_of("domains", domain_to_check, "Custom domains of the service, at least one.").required(),
};
inline constexpr Shape domains_input = {.fields = domains_input_fields};
inline constexpr std::string_view domain_statuses[] = {"RESOLVES_TO_IP", "MATCHES_LOAD_BALANCER_HOST",
                                                       "DOMAIN_NOT_CONFIGURED", "DOMAIN_LINKED_TO_WRONG_HOST",
                                                       "GENERIC_FAILURE"};
inline constexpr Field checked_domain_fields[] = {
    text("domain_name", "Custom domain of the service.").required(),
    enumeration("status", domain_statuses, "Result of the check of the domain's DNS records.").required(),
    text("error_details", "Description of what is wrong. Null: nothing is.").nullable(),
};
inline constexpr Shape checked_domain = {.name = "CheckedCustomDomainResponse", .fields = checked_domain_fields};
inline constexpr Field checked_domains =
    list_of("answer", checked_domain, "Result of the check for each of the domains.");

// ---- Jobs
inline constexpr Field failed_jobs_input_fields[] = {
    service_organization,
    uuid("environment_id", "ID of the environment.").required(),
    list_of("job_ids", FieldKind::id, "IDs of the jobs whose failed runs are deleted.").required(),
};
inline constexpr Shape failed_jobs_input = {.fields = failed_jobs_input_fields};
inline constexpr Field cleaned_jobs =
    list_of("answer", FieldKind::text, "Names of the Kubernetes jobs that were deleted.");

}  // namespace orlop::question_shapes
