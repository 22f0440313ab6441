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
  std::vector<Decision> pending;       // of the runner's beginning, not executed yet
  std::vector<Decision> waiting = {};  // starts that wait for their turn, where steps are limited (step_turns.h)
  bool is_cancel_due = false;          // recovered between the cancel and the tick that takes it
  StepScope scope = {};                // of its steps
  // Body and revision of the request's record as this engine began it; null if it has to be read. An edit since, such
  // as a cancel, has another revision.
  std::unique_ptr<RequestBody> begun = nullptr;
  std::uint64_t begun_revision = 0;
  std::optional<bool> is_large = {};  // StepVariables::is_large as of the first step; nullopt before it

  // Returns the request's overrides of the service; null if none.
  const Value* overrides_of(const Id& service) const {
    return overrides.members().empty() ? nullptr : overrides.find(to_text(service));
  }
  void add_outputs(std::uint32_t part, std::string text);
  // Returns the merged outputs of all jobs of earlier stages; a null value if there are none.
  Value outputs_before(std::uint32_t part) const;
};

// Makes the run of a request with these services, ascending by id; the progress of each part comes from its row. The
// runner has not begun. Errors: storage_corrupt.
Result<Run> make_run(const StoredRequest& request, const std::vector<Machine>& services, const Settings& settings);

// Returns the running step of a row, as the driver gets it.
Step step_of(const Machine& machine, const Id& organization, std::string name, std::string configuration);

// Returns how long a step may take from its beginning: a job's own bound if it has one, else that of the settings.
Result<Duration> bound_of(const Record& record, StepKind kind, const Settings& settings);

// Returns how often a failed run of the job is restarted.
Result<std::uint32_t> restarts_of(const Record& job);

}  // namespace orlop
