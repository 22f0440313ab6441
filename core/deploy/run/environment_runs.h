// Running requests of environments: starts the next one, executes the runner's decisions, processes reports and deadlines, ends requests. Changes are written into the
// unit; calls of the driver wait in InFlight.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "base/options/settings.h"
#include "deploy/run/in_flight.h"
#include "deploy/run/state_transition.h"
#include "deploy/run/run.h"
#include "deploy/run/step_report.h"
#include "ops/unit/unit.h"

namespace orlop {

class EnvironmentRuns {
 public:
  // `woken`: where environments go that have new work in this very tick.
  EnvironmentRuns(const Settings& settings, InFlight& in_flight, std::vector<Id>& woken)
      : settings_(settings), in_flight_(in_flight), woken_(woken) {}

  void forget() { runs_.clear(); }
  // Takes up a request that was running when memory was lost: its steps are handed to the driver again. Writes nothing; what there is
  // to decide waits for wake().
  Result<void> resume(Unit& unit, const Machine& request);

  // The environment has something new: a request to begin, or a cancel.
  Result<void> wake(Unit& unit, const Id& environment);
  Result<void> report(Unit& unit, const Report& report, const StepPlace& place);
  Result<void> expire(Unit& unit, const Id& step, const StepPlace& place);
  // The driver's word on a workload.
  Result<void> running_state(Unit& unit, const Id& service, RunningState running);

 private:
  // Whether the driver has to be asked for the steps that run.
  enum class Asked : std::uint8_t { already, again };

  struct Included {
    std::vector<Machine> services;  // that the request has moved, ascending by id
    Id refused;                     // one that could not go; nil: none
  };

  Result<void> begin(Unit& unit, StoredRequest request);
  Result<Included> queue_following(Unit& unit, const StoredRequest& request);
  Result<void> end_refused(Unit& unit, StoredRequest request, const Id& refused);
  Result<void> begin_on_cluster(Unit& unit, StoredRequest request);
  Result<void> end_without_cluster(Unit& unit, StoredRequest request, std::string reason);
  Result<void> attach(Unit& unit, Run run, const std::vector<Machine>& services, Asked asked);
  Result<void> ask_again(Unit& unit, const Run& run, std::uint32_t part, const Machine& service);
  Result<void> take_cancel(Unit& unit, const Id& environment, const Machine& request);

  // Ids by value: what they were taken from may go with the run.
  Result<void> apply(Unit& unit, const Id& step, const StepPlace& place, StateTransition& service, StepResult result);
  Result<void> carry_out(Unit& unit, Id environment, std::vector<Decision> decisions);
  Result<void> carry_out_pending(Unit& unit, Id environment);
  Result<Step> configured_step(Unit& unit, const Run& run, std::uint32_t part, const Machine& service, const Record& record);
  Result<bool> start(Unit& unit, Run& run, std::uint32_t part, StepKind kind);
  Result<void> abandon(Unit& unit, const Run& run, std::uint32_t part);
  // The run that a step belongs to; nullptr: it has ended. Another engine on the same store may have ended it.
  Run* run_of(const StepPlace& place);
  Result<void> forget_step(Unit& unit, const Id& step, const StepPlace& place);
  Result<void> finish_deleted(Unit& unit, StateTransition& service);
  Result<void> end(Unit& unit, Id environment);

  const Settings& settings_;
  InFlight& in_flight_;
  std::vector<Id>& woken_;
  std::unordered_map<Id, Run> runs_;  // by environment
};

}  // namespace orlop
