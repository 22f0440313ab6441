// Enumerations of families that responses of operations repeat, as the interface spells them.
#pragma once

#include <string_view>

namespace orlop::shapes {

inline constexpr std::string_view cloud_vendors[] = {"AWS",  "SCW",     "GCP",    "DO",  "AZURE",     "OVH",
                                                     "CIVO", "HETZNER", "ORACLE", "IBM", "ON_PREMISE"};
inline constexpr std::string_view environment_modes[] = {"DEVELOPMENT", "PREVIEW", "PRODUCTION", "STAGING"};
inline constexpr std::string_view job_types[] = {"LIFECYCLE", "CRON"};
inline constexpr std::string_view registry_kinds[] = {
    "ECR",       "SCALEWAY_CR", "DOCKER_HUB", "GITHUB_CR",  "GITHUB_ENTERPRISE_CR",
    "GITLAB_CR", "PUBLIC_ECR",  "DOCR",       "GENERIC_CR", "GCP_ARTIFACT_REGISTRY",
    "AZURE_CR"};
inline constexpr std::string_view helm_repository_kinds[] = {"HTTPS",          "OCI_ECR",        "OCI_SCALEWAY_CR",
                                                             "OCI_DOCKER_HUB", "OCI_PUBLIC_ECR", "OCI_GENERIC_CR",
                                                             "OCI_GITHUB_CR",  "OCI_GITLAB_CR"};

}  // namespace orlop::shapes
