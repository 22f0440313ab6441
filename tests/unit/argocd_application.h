// Creates an application of an Argo CD server: external systems name it, and a synchronization makes its service.
#pragma once

#include <string>
#include <string_view>

#include "wire/json.h"

namespace orlop::tests {

// The answer to the question list_argocd_applications.
inline constexpr std::string_view argocd_applications =
    R"([{"name": "gitops", "project": "argo", "namespace": "argo", "argocd_cluster_url": "https:)"
    R"(//kubernetes.default.svc", "health": "HEALTHY", "sync_status": "SYNCED",
         "last_synced_at": "2026-01-01T00:00:00Z", "manifest_revision": "4e1f", "git_repository": {"url": "https:)"
    R"(//github.com/acme/manifests.git", "branch": "main", "root_path": "/"}}])";

// Returns the id of the application; "" if there is none. `ask(method, path, body)` returns the body of the reply,
// `work()` ticks the engine.
template <typename Ask, typename Work>
std::string make_argocd_app(const std::string& organization, const std::string& cluster, const Ask& ask,
                            const Work& work) {
  ask("POST", "/cluster/" + cluster + "/argoCdConfig",
      R"({"argocd_url": "https://argocd.example.com", "argocd_token": "secret"})");
  ask("POST", "/organization/" + organization + "/argoCdDestinationClusterMapping",
      R"({"agent_cluster_id": ")" + cluster +
          R"(", "argocd_cluster_url": "https://kubernetes.default.svc", "cluster_id": ")" + cluster + "\"}");
  work();
  const auto listed = parse_stored(ask("GET", "/cluster/" + cluster + "/argocdApps/associatedServices", ""));
  const Value* results = listed && listed->is_object() ? listed->find("results") : nullptr;
  return results == nullptr || results->items().empty()
             ? ""
             : std::string(results->items().front().text_or("service_id", ""));
}

}  // namespace orlop::tests
