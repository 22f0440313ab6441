// Enumerations that several families share, as the interface spells them.
#pragma once

#include <string_view>

namespace orlop::shapes {

inline constexpr std::string_view cloud_vendors[] = {"AWS",  "SCW",     "GCP",    "DO",  "AZURE",     "OVH",
                                                     "CIVO", "HETZNER", "ORACLE", "IBM", "ON_PREMISE"};
inline constexpr std::string_view service_kinds[] = {"APPLICATION", "DATABASE",  "CONTAINER", "JOB",
                                                     "HELM",        "TERRAFORM", "ARGOCD_APP"};
inline constexpr std::string_view git_providers[] = {"BITBUCKET", "GITHUB", "GITLAB"};
inline constexpr std::string_view environment_modes[] = {"DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING"};
inline constexpr std::string_view cpu_architectures[] = {"AMD64", "ARM64"};
inline constexpr std::string_view registry_kinds[] = {
    "ECR",        "SCALEWAY_CR",           "DOCKER_HUB", "GITHUB_CR", "GITHUB_ENTERPRISE_CR", "GITLAB_CR", "PUBLIC_ECR", "DOCR",
    "GENERIC_CR", "GCP_ARTIFACT_REGISTRY", "AZURE_CR"};

}  // namespace orlop::shapes
