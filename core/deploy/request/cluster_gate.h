// Whether an environment's cluster can take a deployment: services are deployed only to a cluster that is there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "ops/unit.h"

namespace orlop {

enum class ClusterGate : std::uint8_t {
  open = 1,    // the cluster is DEPLOYED or RESTARTED, or the engine does not ask
  wait = 2,    // it is on its way there
  closed = 3,  // it is not, and will not be before somebody asks for it
};

struct ClusterReadiness {
  ClusterGate gate = ClusterGate::open;
  std::string reason;  // of a closed gate: a sentence for a person, with the cluster's state
};

// Pure: by the cluster's state, of a dry run by the state before it.
ClusterGate gate_of(const Machine& cluster);

// Of the cluster of this environment; always open where Settings::require_cluster is off.
Result<ClusterReadiness> cluster_readiness(Unit& unit, const Record& environment);

// The environments that run on the cluster, without their texts, ascending by id.
Result<std::vector<Record>> environments_on(Unit& unit, const Id& cluster);

}  // namespace orlop
