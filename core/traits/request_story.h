// A deployment request with its stages and services: what the queue and the history tell of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "base/result.h"
#include "lifecycle/state.h"
#include "ops/unit.h"
#include "traits/requests.h"
#include "traits/status.h"
#include "wire/writer.h"

namespace orlop {

struct ServiceStory {
  Id id;
  std::string name;
  std::string kind;  // "DATABASE"
  std::string icon;
  ServiceState state = ServiceState::ready;
  std::string reason;  // why it failed; "" if it did not
  std::optional<Instant> started_at;
  std::optional<Instant> ended_at;
};

struct StageStory {
  std::string name;
  std::vector<ServiceStory> services;
};

struct RequestStory {
  RequestBody body;
  RequestState state = RequestState::waiting;
  ServiceState shown = ServiceState::ready;  // the environment's state under it
  std::vector<StageStory> stages;            // those that it concerns, in the order of deployment
};

// Names of an environment's stages, for stories told after a stage was renamed or deleted.
using StageNames = std::unordered_map<Id, std::string>;

// Reads stories of one environment. Lives no longer than what it was made from.
class StoryReader {
 public:
  static Result<StoryReader> open(Unit& unit, const EnvironmentView& view);
  Result<RequestStory> read(const Machine& request) const;

 private:
  StoryReader(Unit& unit, const EnvironmentView& view) : unit_(unit), view_(view) {}
  Result<std::vector<StageStory>> stages_told(std::string_view stages) const;
  Result<std::vector<StageStory>> stages_now(const Machine& request) const;

  Unit& unit_;
  const EnvironmentView& view_;
  std::vector<Id> order_;
  StageNames names_;
};

// DEPLOY, DELETE, RESTART, STOP, UNINSTALL or UNKNOWN.
std::string_view trigger_word(Action action);
// Of a request: QUEUED, ONGOING, SUCCESS, ERROR, CANCELED or CANCELING.
std::string_view request_status_word(const RequestStory& story);
// Of a service in a request, and of a stage: QUEUED, ONGOING, DONE, ERROR, SKIPPED or CANCELED.
std::string_view stage_status_word(ServiceState state);
std::string_view stage_status_word(const std::vector<ServiceState>& services);

// "PT2M13S".
std::string duration_text(Duration duration);
// {"created_at", "updated_at", "triggered_by", "origin"}
void write_auditing(Writer& out, const RequestBody& body);

}  // namespace orlop
