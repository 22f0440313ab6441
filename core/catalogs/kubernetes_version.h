// Versions of Kubernetes that clusters are created with and upgraded to. `given` is the host's catalog in ascending
// order; if it is empty, the built-in catalog applies.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace orlop {

// Returns the version of new clusters: the last but one, so that an upgrade remains. Lives as long as `given`.
std::string_view first_kubernetes_version(std::span<const std::string> given);

// Returns the version to which a cluster of this version is upgraded; empty if there is none. For a version that is not
// in the catalog, it is the first one that is newer by its numbers.
std::string_view next_kubernetes_version(std::span<const std::string> given, std::string_view version);

}  // namespace orlop
