// The schedule by which the applications of an Argo CD server become services.
#include "model/family.h"

namespace orlop::families::argocd_sync {

extern const Family family;
constexpr Family family = {
    .number = 1031,
    .name = "argocd_sync",
    .schema = "ArgoCdSyncRecord",
    .about =
        "The synchronization with the Argo CD server of a cluster. It lies below the configuration of the server and "
        "goes with it.",
    .parent = "argocd_config",
    .verbs = 0,
    .name_scope = NameScope::none,
    .machine = MachineKind::schedule,
    .is_internal = true,
    .has_events = false,
    .is_cloned = false,
    .sample = "{}",
};

}  // namespace orlop::families::argocd_sync
