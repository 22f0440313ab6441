// A running request in memory: its plan and the state of each part. Everything in it follows from the stored machines.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/options/settings.h"
#include "base/result.h"
#include "deploy/request/request_parts.h"
#include "deploy/run/runner.h"
#include "deploy/run/steps/step_turns.h"
#include "unit/unit.h"

namespace orlop {

struct JobOutputs {
  std::uint32_t part = 0;
  std::string text;  // a JSON object
};

struct Run {
  Id environment;
  Id request;
  Id organization;
  Action action = Action::none;
  ForcedEvent forced = ForcedEvent::none;
  std::optional<CancelMode> cancel;
  Value overrides;                  // by service id
  std::vector<JobOutputs> outputs;  // ascending by part
  std::vector<Id> subjects;         // by part
  Runner runner;
  std::vector<Decision> pending;       // of the runner's beginning; not yet executed
  std::vector<Decision> waiting = {};  // starts that wait for their turn, where steps are limited (step_turns.h)
  bool is_cancel_due = false;          // it was taken up again between the cancel and the tick that takes it
  StepScope scope = {};                // of its steps
  // What the request's record says, and its revision, as this engine began it; nullptr: it is read. An edit since, such
  // as a cancel, has another revision.
  std::unique_ptr<RequestBody> begun = nullptr;
  std::uint64_t begun_revision = 0;
  std::optional<bool> is_large = {};  // StepVariables::is_large, as it was at the first step; nothing: there was none

  // What the request changes of the service for this deployment; nullptr: nothing.
  const Value* overrides_of(const Id& service) const {
    return overrides.members().empty() ? nullptr : overrides.find(to_text(service));
  }
  void add_outputs(std::uint32_t part, std::string text);
  // The outputs of all jobs of earlier stages together; null if there are none.
  Value outputs_before(std::uint32_t part) const;
};

// The run of a request whose services are these rows, ascending by id; each part stands where its row says. The runner
// has not begun. Errors: storage_corrupt.
Result<Run> make_run(const StoredRequest& request, const std::vector<Machine>& services, const Settings& settings);

// The step that a row says is running, as the driver gets it. `record` is the subject's.
Step step_of(const Machine& machine, const Id& organization, std::string name, std::string configuration);

// How long a step may take once it has begun: a job's own bound if it has one, else that of the settings.
Result<Duration> bound_of(const Record& record, StepKind kind, const Settings& settings);

// How often a failed run of the job is tried again.
Result<std::uint32_t> restarts_of(const Record& job);

}  // namespace orlop
