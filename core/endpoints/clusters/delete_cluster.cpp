// Deletion of a cluster and of the environments on it.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "access/permission.h"
#include "base/brand.h"
#include "deploy/request/deployment_request.h"
#include "endpoints/operation_set.h"
#include "endpoints/organizations/parts/tree_deletion.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "records/write_record.h"
#include "unit/operation.h"
#include "unit/unique_name.h"

namespace orlop::operation_sets::clusters::delete_cluster {
namespace {

bool is_untouched(const Machine& machine) {
  return static_cast<ClusterState>(machine.state) == ClusterState::ready &&
         static_cast<Freshness>(machine.freshness) == Freshness::never_deployed;
}

Result<std::vector<Record>> linked_environments(Unit& unit, const Id& cluster) {
  RecordRange range;
  range.by = RecordRange::By::reference;
  range.key = cluster;
  range.family = find_family("environment")->number;
  return unit.records(range);
}

enum class ClusterDeletion : std::uint8_t { unlinked_only, with_environments, forget };

Result<ClusterDeletion> deletion_of(Unit& unit, const Call& call) {
  const std::string both = branded(branded_names::delete_cluster_and_config, unit.settings().brand);
  const std::string forget = branded(branded_names::delete_config, unit.settings().brand);
  const std::string_view mode = query_text(call, "deleteMode");
  if (mode.empty() || mode == "DEFAULT") return ClusterDeletion::unlinked_only;
  if (mode == both) return ClusterDeletion::with_environments;
  if (mode == forget) return ClusterDeletion::forget;
  return invalid_field("deleteMode",
                       "must be DEFAULT, " + both + " or " + forget + ", not \"" + std::string(mode) + "\"");
}

// Removes the environments linked to a cluster at once; error conflict if one of them is being deployed.
Result<void> forget_environments(Unit& unit, const std::vector<Record>& environments) {
  for (const Record& environment : environments) {
    ORLOP_TRY(machines, unit.machines(environment.id));
    const bool is_busy = std::ranges::any_of(machines, [](const Machine& machine) { return machine.active; });
    if (is_busy) {
      return make_error(ErrorCode::conflict,
                        "environment \"" + name_of(environment) +
                            "\" of this cluster is being deployed; cancel the deployment or wait for its end");
    }
    ORLOP_CHECK(remove_tree(unit, environment));
  }
  return {};
}

// A role may manage a cluster but not the environments on it.
Result<void> require_permission(Unit& unit, const Call& call, const std::vector<Record>& environments) {
  Permissions permissions(unit, *call.caller);
  for (const Record& environment : environments) ORLOP_CHECK(permissions.require(environment, Level::manage));
  return {};
}

// deleteMode: DEFAULT (conflict while an environment is linked), DELETE_CLUSTER_AND_{BRAND}_CONFIG (deletes the linked
// environments too), DELETE_{BRAND}_CONFIG (removes the records of the cluster and the linked environments; the cluster
// itself stays).
Result<Answer> remove_cluster(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(deletion, deletion_of(unit, call));
  ORLOP_TRY(environments, linked_environments(unit, subject.record.id));
  if (deletion == ClusterDeletion::unlinked_only && !environments.empty()) {
    const std::string others =
        environments.size() > 1 ? " and " + std::to_string(environments.size() - 1) + " more" : "";
    return make_error(ErrorCode::conflict, "the cluster carries environment \"" + name_of(environments.front()) + "\"" +
                                               others + "; delete them first, or say so by deleteMode");
  }
  ORLOP_CHECK(require_permission(unit, call, environments));
  const bool forgets = deletion == ClusterDeletion::forget || query_flag(call, "skipReconcile");
  if (!environments.empty() && !forgets) {
    environments.push_back(std::move(subject.record));
    ORLOP_CHECK(delete_trees(unit, environments));
    return Answer{204, {}};
  }
  ORLOP_CHECK(forget_environments(unit, environments));
  if (forgets || is_untouched(subject.machine)) {
    ORLOP_CHECK(remove_tree(unit, subject.record));
  } else {
    ORLOP_CHECK(place_cluster(unit, subject.record.id, Action::remove, call.author));
  }
  return Answer{204, {}};
}

constexpr Field cluster_query[] = {
    text("deleteMode",
         "Scope of the deletion. `DEFAULT`: the cluster; refused with 409 while environments use it. The two other "
         "values name "
         "the platform and delete the environments too: with the cluster, or only as configuration without touching "
         "the cluster."),
    boolean("skipReconcile", "Delete only the stored configuration and keep the deployed resources. Default: false."),
};

constexpr ReplacedVerb replaced[] = {{.verb = Verb::remove, .handle = remove_cluster, .query = cluster_query}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("cluster"),
    .replaced = replaced,
};

}  // namespace orlop::operation_sets::clusters::delete_cluster
