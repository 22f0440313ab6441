// Decides whether an environment's cluster allows a deployment: services are deployed only to a deployed cluster.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "unit/unit.h"

namespace orlop {

enum class ClusterGate : std::uint8_t {
  open = 1,    // the cluster is DEPLOYED or RESTARTED, or Settings::require_cluster is off
  wait = 2,    // the cluster is being deployed or restarted
  closed = 3,  // any other state
};

struct ClusterReadiness {
  ClusterGate gate = ClusterGate::open;
  std::string reason;  // one sentence with the cluster's state if the gate is closed, else empty
};

// Pure function of the cluster's state; during a dry run, of the state before it.
ClusterGate gate_of(const Machine& cluster);

// Returns the readiness of the environment's cluster; always open if Settings::require_cluster is off.
Result<ClusterReadiness> cluster_readiness(Unit& unit, const Record& environment);

// Returns the environments on the cluster, without their bodies, ascending by id.
Result<std::vector<Record>> environments_on(Unit& unit, const Id& cluster);

}  // namespace orlop
