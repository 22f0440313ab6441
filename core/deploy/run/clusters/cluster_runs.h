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
  // `woken`: where environments go that may wait for the cluster.
  ClusterRuns(const Settings& settings, InFlight& in_flight, std::vector<Id>& woken)
      : settings_(settings), in_flight_(in_flight), woken_(woken) {}

  // Recovery: takes up a step that was running. Writes nothing.
  Result<void> resume(Unit& unit, const Machine& cluster);

  // The cluster has something new: an operation to begin, or a cancel.
  Result<void> wake(Unit& unit, const Id& cluster);
  // Where steps are limited: the cluster's turn has come.
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
  // Deletions that waited for it go on.
  Result<void> come_to_rest(Unit& unit, const Record& cluster);
  // The cluster has come to rest: requests that waited for it begin, or end without it.
  Result<void> wake_environments(Unit& unit, const Id& cluster);

  const Settings& settings_;
  InFlight& in_flight_;
  std::vector<Id>& woken_;
};

}  // namespace orlop
