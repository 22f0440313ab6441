// Running tasks. A task is one step that runs once: there is no queue and no plan. Changes are written into the unit;
// calls of the driver wait in InFlight.
#pragma once

#include <string>
#include <vector>

#include "base/id.h"
#include "base/options/settings.h"
#include "base/result.h"
#include "deploy/driver/step_variables.h"
#include "deploy/run/state_transition.h"
#include "deploy/run/steps/in_flight.h"
#include "deploy/run/steps/step_report.h"
#include "unit/unit.h"

namespace orlop {

class TaskRuns {
 public:
  TaskRuns(const Settings& settings, InFlight& in_flight) : settings_(settings), in_flight_(in_flight) {}

  // Recovery: continues a step that was running. Writes nothing.
  Result<void> resume(Unit& unit, const Machine& task);

  // Begins the step of a new task, or asks the driver to cancel the step if that was requested.
  Result<void> wake(Unit& unit, const Id& task);
  // If the number of parallel steps is limited: begins the step when its turn comes.
  Result<void> take_turn(Unit& unit, const Id& task) { return begin(unit, task); }
  Result<void> report(Unit& unit, const Report& report, const StepPlace& place);
  Result<void> expire(Unit& unit, const Id& step, const StepPlace& place);

 private:
  Result<void> begin(Unit& unit, const Id& task);
  Result<StepScope> scope_of(Unit& unit, const Record& task);
  void cancel(const Machine& task);
  Result<Duration> bound_for(Unit& unit, const Record& task);
  // `remarks` gets sentences on the configuration for the step's log.
  Result<std::string> configuration_for(Unit& unit, const Machine& task, const Record& record, SecretValues& secrets,
                                        std::vector<std::string>& remarks);
  Result<std::string> configuration_of_run(Unit& unit, const Record& run, bool is_read, SecretValues& secrets,
                                           std::vector<std::string>& remarks);
  Result<Step> step_for(Unit& unit, const Machine& task, const Record& record, std::vector<std::string>& remarks);
  void apply(const Id& step, StateTransition& task, StepResult result);

  const Settings& settings_;
  InFlight& in_flight_;
  SharedVariables shared_variables_;
};

}  // namespace orlop
