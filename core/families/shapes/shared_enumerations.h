// Enumerations that several families share, as the interface spells them.
#pragma once

#include <string_view>

#include "model/enumerations.h"

namespace orlop::shapes {

inline constexpr std::string_view service_kinds[] = {"APPLICATION", "DATABASE",  "CONTAINER", "JOB",
                                                     "HELM",        "TERRAFORM", "ARGOCD_APP"};
inline constexpr std::string_view git_providers[] = {"BITBUCKET", "GITHUB", "GITLAB"};
inline constexpr std::string_view cpu_architectures[] = {"AMD64", "ARM64"};

}  // namespace orlop::shapes
