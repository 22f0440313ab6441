// Maps a destination of an Argo CD server to a cluster of the platform.
#include "model/family.h"

namespace orlop::families::argocd_mapping {
namespace {

constexpr Field fields[] = {
    parent_id("agent_cluster_id", "ID of the cluster on which the Argo CD server runs."),
    text("argocd_cluster_url", "URL of the Kubernetes API of the destination, as Argo CD has it.")
        .required()
        .immutable()
        .at_least(1)
        .at_most(2048),
    reference("cluster_id", "cluster", "ID of the cluster that the destination is. The mapping is deleted with it.")
        .required()
        .on_delete(OnDelete::cascade),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 84,
    .name = "argocd_mapping",
    .schema = "ArgoCdDestinationMapping",
    .segment = "argoCdDestinationClusterMapping",
    .id_name = "argoCdDestinationClusterMappingId",
    .about = "A mapping says which cluster of the platform a destination of an Argo CD server is.",
    .parent = "cluster",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .sample = R"({"argocd_cluster_url": "https://kubernetes.default.svc", "cluster_id": "{cluster}"})",
};

}  // namespace orlop::families::argocd_mapping
