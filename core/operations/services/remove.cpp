#include "operations/services/remove.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/brand.h"
#include "deploy/request/request.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "ops/verbs.h"
#include "operations/services/deploy_body.h"
#include "operations/services/service_kind.h"
#include "operations/environments/stage_list.h"
#include "operations/services/subject.h"

namespace orlop {
namespace {

bool is_untouched_service(const Machine& machine) {
  return static_cast<ServiceState>(machine.state) == ServiceState::ready &&
         static_cast<Freshness>(machine.freshness) == Freshness::never_deployed;
}

bool is_untouched_cluster(const Machine& machine) {
  return static_cast<ClusterState>(machine.state) == ClusterState::ready &&
         static_cast<Freshness>(machine.freshness) == Freshness::never_deployed;
}

// True if nothing of the environment runs, and nothing is about to.
Result<bool> is_at_rest(Unit& unit, const Id& environment) {
  ORLOP_TRY(machines, unit.machines(environment));
  return std::ranges::all_of(machines, [](const Machine& machine) {
    const Family* family = find_family(machine.family);
    return family != nullptr && is_service(*family) ? is_untouched_service(machine) : !machine.active;
  });
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
  return invalid_field("deleteMode", "must be DEFAULT, " + both + " or " + forget + ", not \"" + std::string(mode) + "\"");
}

// The environments linked to a cluster go at once; one of them that is being deployed refuses.
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

}  // namespace

Result<Answer> remove_service(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  if (query_flag(call, "skipReconcile")) {
    ORLOP_CHECK(remove_tree(unit, subject.record));
    return Answer{204, {}};
  }
  Order order;
  order.environment = subject.record.parent;
  order.action = Action::remove;
  order.services.push_back(subject.record.id);
  order.author = std::string(call.author);
  set_overrides(order, subject.record.id, overrides_of_removal(call));
  if (query_flag(call, "resources_only")) {
    // The service stays, so there is nothing to do for one that has no resources.
    if (is_untouched_service(subject.machine)) return Answer{204, {}};
    order.action = Action::uninstall;
  }
  if (auto placed = enqueue(unit, order); !placed) return std::move(placed).error();
  return Answer{204, {}};
}

Result<Answer> remove_cluster(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(deletion, deletion_of(unit, call));
  ORLOP_TRY(environments, linked_environments(unit, subject.record.id));
  if (deletion == ClusterDeletion::unlinked_only && !environments.empty()) {
    const std::string others = environments.size() > 1 ? " and " + std::to_string(environments.size() - 1) + " more" : "";
    return make_error(ErrorCode::conflict, "the cluster carries environment \"" + name_of(environments.front()) + "\"" + others +
                                               "; delete them first, or say so by deleteMode");
  }
  ORLOP_CHECK(forget_environments(unit, environments));
  const bool is_immediate =
      deletion == ClusterDeletion::forget || query_flag(call, "skipReconcile") || is_untouched_cluster(subject.machine);
  if (is_immediate) {
    ORLOP_CHECK(remove_tree(unit, subject.record));
  } else {
    ORLOP_CHECK(place_cluster(unit, subject.record.id, Action::remove, call.author));
  }
  return Answer{204, {}};
}

Result<Answer> remove_environment(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(at_rest, is_at_rest(unit, subject.record.id));
  if (at_rest || query_flag(call, "skipReconcile")) {
    ORLOP_CHECK(remove_tree(unit, subject.record));
    return Answer{204, {}};
  }
  Order order;
  order.environment = subject.record.id;
  order.action = Action::remove;
  order.whole_environment = true;
  order.author = std::string(call.author);
  if (auto placed = enqueue(unit, order); !placed) return std::move(placed).error();
  return Answer{204, {}};
}

Result<Answer> remove_stage(Unit& unit, const Call& call) {
  ORLOP_TRY(stage, require(unit, stage_family(), call.ids.back()));
  ORLOP_TRY(machines, unit.machines(stage.parent));
  const auto held = std::ranges::count(machines, stage.id, &Machine::stage);
  if (held > 0) {
    return invalid_field("deploymentStageId",
                         "must be a stage that is empty of services; this one holds " + std::to_string(held));
  }
  ORLOP_CHECK(remove_tree(unit, stage));
  ORLOP_TRY(stages, stages_of(unit, stage.parent));
  renumber(unit, stages);
  return Answer{204, {}};
}

namespace {

constexpr Field skip_reconcile = boolean("skipReconcile", "Whether what runs is left alone, and only the record goes.");
constexpr Field plain_query[] = {skip_reconcile};
constexpr std::string_view terraform_actions[] = {"SKIP_DESTROY"};
constexpr Field terraform_query[] = {
    skip_reconcile,
    boolean("resources_only", "Whether what terraform made goes, and the service stays."),
    enumeration("force_terraform_action", terraform_actions, "What becomes of what terraform made."),
};
constexpr Field cluster_query[] = {
    text("deleteMode", "What becomes of the cluster, and of the environments that it carries."),
    skip_reconcile,
};

}  // namespace

std::span<const Field> remove_service_query(const Family& family) {
  const ServiceKindNames* enum_values = names_of_kind(family);
  return enum_values != nullptr && enum_values->kind == ServiceKind::terraform ? std::span<const Field>(terraform_query) : plain_query;
}

std::span<const Field> remove_cluster_query() { return cluster_query; }
std::span<const Field> remove_environment_query() { return plain_query; }

}  // namespace orlop
