// The versions of Kubernetes that clusters are made with and upgraded to, in their order.
#pragma once

#include <string_view>

namespace orlop {

inline constexpr std::string_view kubernetes_versions[] = {"1.26", "1.27", "1.28", "1.29", "1.30", "1.31", "1.32", "1.33"};
// What a new cluster is made with: all but the newest, which clusters are upgraded to.
inline constexpr std::string_view first_kubernetes_version = kubernetes_versions[6];

// The version that a cluster of this version is upgraded to; "" if there is none.
constexpr std::string_view next_kubernetes_version(std::string_view version) {
  bool is_found = false;
  for (const std::string_view known : kubernetes_versions) {
    if (is_found) return known;
    is_found = known == version;
  }
  return {};
}

}  // namespace orlop
