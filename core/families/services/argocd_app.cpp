// An application that ArgoCD manages on the cluster. A synchronization with the ArgoCD server creates its record
// (endpoints/integrations/argocd_sync_schedule.cpp).
#include "families/shapes/services/git_repository.h"
#include "families/shapes/services/service.h"

namespace orlop::families::argocd_app {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    service_environment,
    parent_id("environment_id", "ID of the environment that contains the application."),
    text("name",
         "Name of the ArgoCD application, unique among the ArgoCD applications of the environment without regard to "
         "case.")
        .unique_name()
        .read_only()
        .always_present(),
    text("namespace", "Kubernetes namespace of the ArgoCD application.").read_only().always_present(),
    reference("cluster_id", "cluster", "ID of the cluster on which the application runs.").read_only().always_present(),
    reference("argocd_config_id", "argocd_config",
              "ID of the configuration of the ArgoCD server that manages the application.")
        .read_only()
        .always_present()
        .on_delete(OnDelete::cascade),
    date_time("last_synced_at", "Time of the last successful synchronization by ArgoCD. Null: never synchronized.")
        .nullable()
        .read_only(),
    text("manifest_revision", "Revision of the manifests that ArgoCD synchronized last. Null: never synchronized.")
        .nullable()
        .read_only(),
    object("git_repository", git_repository, "Git repository that contains the Kubernetes manifests. Null: none known.")
        .nullable()
        .read_only(),
    service_icon.read_only(),
    service_type,
    service_addresses,
};

void complete(Value& record, ValidationContext& context) {
  complete_service(record, "ARGOCD_APP", "argocd", context);
  Value* repository = record.find("git_repository");
  if (repository != nullptr && repository->is_object())
    complete_git_repository(*repository, before(context, {"git_repository"}), context);
}

std::uint32_t plan_flags(const Value& record) {
  const auto always = static_cast<std::uint32_t>(PlanFlag::stoppable);
  return record.has("git_repository") ? always | PlanFlag::has_git : always;
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 16,
    .name = "argocd_app",
    .schema = "ArgocdApp",
    .segment = "argocdApp",
    .id_name = "argocdAppId",
    .service_kind = "ARGOCD_APP",
    .about =
        "An ArgoCD application is a service that ArgoCD manages on the cluster. It appears, changes and disappears "
        "with the "
        "synchronization of the cluster's ArgoCD server; the API can read it but not create, edit or delete it.",
    .parent = "environment",
    .fields = fields,
    .verbs = static_cast<std::uint8_t>(Verb::read),
    .machine = MachineKind::service,
    .is_cloned = false,
    .complete = complete,
    .plan_flags = plan_flags,
};

}  // namespace orlop::families::argocd_app
