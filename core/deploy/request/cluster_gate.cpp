#include "deploy/request/cluster_gate.h"

#include <utility>

#include "lifecycle/state.h"
#include "model/registry.h"
#include "unit/unique_name.h"
#include "unit/unit.h"
#include "wire/json.h"

namespace orlop {
namespace {

ClusterReadiness closed(std::string reason) { return {ClusterGate::closed, std::move(reason)}; }

}  // namespace

ClusterGate gate_of(const Machine& cluster) {
  switch (static_cast<ClusterState>(cluster.state)) {
    case ClusterState::deployed:
    case ClusterState::restarted: return ClusterGate::open;
    case ClusterState::deployment_queued:
    case ClusterState::building:
    case ClusterState::deploying:
    case ClusterState::restart_queued:
    case ClusterState::restarting: return ClusterGate::wait;
    case ClusterState::dry_run: {
      const auto before = static_cast<ClusterState>(cluster.origin_state);
      const bool was_there = before == ClusterState::deployed || before == ClusterState::restarted;
      return was_there ? ClusterGate::wait : ClusterGate::closed;
    }
    case ClusterState::ready:
    case ClusterState::queued:
    case ClusterState::stopped:
    case ClusterState::deleted:
    case ClusterState::canceled:
    case ClusterState::canceling:
    case ClusterState::stop_queued:
    case ClusterState::stopping:
    case ClusterState::delete_queued:
    case ClusterState::deleting:
    case ClusterState::build_error:
    case ClusterState::deployment_error:
    case ClusterState::restart_error:
    case ClusterState::stop_error:
    case ClusterState::delete_error:
    case ClusterState::invalid_credentials: break;
  }
  return ClusterGate::closed;
}

Result<ClusterReadiness> cluster_readiness(Unit& unit, const Record& environment) {
  if (!unit.settings().require_cluster) return ClusterReadiness{};
  ORLOP_TRY(given, parse_stored_member(environment.body, "cluster_id"));
  const Id id = given.is_text() ? parse_id(given.as_text()).value_or(Id{}) : Id{};
  ORLOP_TRY(machine, unit.machine(id));
  ORLOP_TRY(record, unit.record(id));
  if (!machine || !record) return closed("the environment's cluster is not there any more");
  const ClusterGate gate = gate_of(*machine);
  if (gate != ClusterGate::closed) return ClusterReadiness{gate, {}};
  return closed("cluster \"" + name_of(*record) + "\" is " +
                std::string(to_string(static_cast<ClusterState>(machine->state))) +
                "; services are deployed only to a cluster that is DEPLOYED or RESTARTED, deploy the cluster first");
}

Result<std::vector<Record>> environments_on(Unit& unit, const Id& cluster) {
  const Family* environment = find_family("environment");
  if (environment == nullptr) return std::vector<Record>();
  RecordRange range;
  range.by = RecordRange::By::reference;
  range.key = cluster;
  range.family = environment->number;
  range.fields = RecordRange::Fields::no_text;
  return unit.records(range);
}

}  // namespace orlop
