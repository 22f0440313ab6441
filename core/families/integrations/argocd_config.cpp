// The Argo CD server of a cluster.
#include "families/shapes/rule_functions.h"
#include "model/family.h"

namespace orlop::families::argocd_config {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    parent_id("cluster_id", "ID of the cluster on which the Argo CD server runs."),
    text("argocd_url", "URL of the Argo CD server, which begins with `https://` or `http://`.")
        .required()
        .at_most(2048),
    text("argocd_token", "API token of the Argo CD server. Never returned.").required().secret().at_least(1),
};

void check(const Value& record, ValidationContext&, Violations& violations) {
  const std::string_view url = record.text_or("argocd_url", "");
  if (!url.starts_with("https://") && !url.starts_with("http://"))
    refuse(violations, "argocd_url", "must begin with https:// or http://, not " + quoted(url));
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 78,
    .name = "argocd_config",
    .schema = "ArgoCdConfig",
    .segment = "argoCdConfig",
    .id_name = "argoCdConfigId",
    .about =
        "The configuration of the Argo CD server of a cluster, from which the applications of other clusters can be "
        "deployed too.",
    .parent = "cluster",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .sample = R"({"argocd_url": "https://argocd.example.com", "argocd_token": "secret"})",
    .check = check,
};

}  // namespace orlop::families::argocd_config
