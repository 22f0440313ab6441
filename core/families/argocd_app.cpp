// An application that a GitOps controller of the cluster keeps in step; the engine records it, nobody creates it here.
#include "families/shapes/git_repository.h"
#include "families/shapes/service.h"

namespace orlop::families {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    service_environment,
    parent_id("environment_id", "The environment it runs in."),
    text("name", "Its name, different from that of every other such application of the environment.").unique_name().read_only(),
    text("namespace", "The namespace it lives in.").read_only(),
    reference("cluster_id", "cluster", "The cluster it runs on.").read_only(),
    date_time("last_synced_at", "When the controller brought it in step last; null for never.").nullable().read_only(),
    text("manifest_revision", "The revision that it is in step with; null if it never was.").nullable().read_only(),
    object("git_repository", git_repository, "The repository that holds its manifests; null if it has none.")
        .nullable()
        .read_only(),
    service_icon.read_only(),
    service_type,
};

void complete(Value& record, ValidationContext& context) { complete_service(record, "ARGOCD_APP", "argocd", context); }

std::uint32_t plan_flags(const Value& record) {
  const auto always = static_cast<std::uint32_t>(PlanFlag::stoppable);
  return record.has("git_repository") ? always | PlanFlag::has_git : always;
}

}  // namespace

extern const Family argocd_app;
constexpr Family argocd_app = {
    .number = 16,
    .name = "argocd_app",
    .schema = "ArgocdApp",
    .segment = "argocdApp",
    .id_name = "argocdAppId",
    .service_kind = "ARGOCD_APP",
    .about =
        "An application that a GitOps controller of the cluster keeps in step; the engine records it, nobody creates it here.",
    .parent = "environment",
    .fields = fields,
    .verbs = static_cast<std::uint8_t>(Verb::read),
    .machine = MachineKind::service,
    .complete = complete,
    .plan_flags = plan_flags,
};

}  // namespace orlop::families
