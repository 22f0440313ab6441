// Running actions of clusters. A cluster has no queue and no stages: one action is one step. Changes are written into
// the unit; calls of the driver wait in InFlight.
#pragma once

#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/options/settings.h"
#include "base/result.h"
#include "deploy/driver/secret_values.h"
#include "deploy/run/state_transition.h"
#include "deploy/run/steps/in_flight.h"
#include "deploy/run/steps/step_report.h"
#include "unit/unit.h"

namespace orlop {

class ClusterRuns {
 public:
  // `woken` gets the environments that may wait for the cluster.
  ClusterRuns(const Settings& settings, InFlight& in_flight, std::vector<Id>& woken)
      : settings_(settings), in_flight_(in_flight), woken_(woken) {}

  // Recovery: continues a step that was running. Writes nothing.
  Result<void> resume(Unit& unit, const Machine& cluster);

  // Begins a new operation of the cluster, or asks the driver to cancel.
  Result<void> wake(Unit& unit, const Id& cluster);
  // If the number of parallel steps is limited: begins the operation when its turn comes.
  Result<void> take_turn(Unit& unit, const Id& cluster);
  Result<void> report(Unit& unit, const Report& report, const StepPlace& place);
  Result<void> expire(Unit& unit, const Id& step, const StepPlace& place);

 private:
  Result<Step> configured_step(Unit& unit, const Machine& cluster, const Record& record);
  Result<std::string> configuration_for(Unit& unit, const Machine& cluster, const Record& record,
                                        SecretValues& secrets);
  Result<void> start(Unit& unit, Machine cluster, const Record& record);
  Result<void> apply(Unit& unit, const Id& step, StateTransition& cluster, Record record, StepResult result,
                     std::string_view outputs);
  // Continues deletions that waited for the cluster, and wakes its environments.
  Result<void> come_to_rest(Unit& unit, const Record& cluster);
  // Wakes environments whose requests waited for the cluster: they begin, or end without it.
  Result<void> wake_environments(Unit& unit, const Id& cluster);

  const Settings& settings_;
  InFlight& in_flight_;
  std::vector<Id>& woken_;
};

}  // namespace orlop
