#include <array>
#include <cstddef>

#include "deploy/request.h"

namespace orlop {
namespace {

// Kubernetes, oldest first; a cluster is upgraded one version at a time.
constexpr std::array<std::string_view, 8> versions = {"1.26", "1.27", "1.28", "1.29", "1.30", "1.31", "1.32", "1.33"};
constexpr std::string_view version_of_new_clusters = "1.32";

}  // namespace

std::string_view next_cluster_version(std::string_view version) {
  for (std::size_t at = 0; at + 1 < versions.size(); ++at) {
    if (versions[at] == version) return versions[at + 1];
  }
  return {};
}

std::string_view default_cluster_version() { return version_of_new_clusters; }

}  // namespace orlop
