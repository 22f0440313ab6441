// Deployment request with its stages and services: an entry of the queue and of the history.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "base/result.h"
#include "endpoints/environments/parts/request_answers.h"
#include "endpoints/services/parts/service_status.h"
#include "lifecycle/state.h"
#include "unit/unit.h"
#include "wire/writer.h"

namespace orlop {

struct ServiceEntry {
  Id id;
  std::string name;
  std::string kind;  // "DATABASE"
  std::string icon;
  ServiceState state = ServiceState::ready;
  std::string reason;  // reason of a failure; else ""
  // Members of the service's record that say what was deployed (deploy/request/deployed_members.h); null: not known.
  Value deployed;
  std::optional<Instant> started_at;
  std::optional<Instant> ended_at;
};

struct StageEntry {
  std::string name;
  std::vector<ServiceEntry> services;
};

struct RequestEntry {
  RequestBody body;
  RequestState state = RequestState::waiting;
  ServiceState shown = ServiceState::ready;  // state of the environment during the request
  std::vector<StageEntry> stages;            // stages of the request, in the order of deployment
};

// Names of an environment's stages, for history entries of stages that were renamed or deleted since.
using StageNames = std::unordered_map<Id, std::string>;

// Reads the history of one environment. The view must outlive it.
class HistoryReader {
 public:
  // `service`: reads only its entries; nil: all.
  static Result<HistoryReader> open(Unit& unit, const EnvironmentView& view, const Id& service = {});
  Result<RequestEntry> read(const Machine& request);

 private:
  HistoryReader(Unit& unit, const EnvironmentView& view, const Id& service)
      : unit_(unit), view_(view), service_(service) {}
  bool is_wanted(const Id& service) const { return service_.is_nil() || service == service_; }
  bool names(std::string_view stages) const;
  Result<void> add_stored(std::string_view stages, std::vector<StageEntry>& entries, Id& last) const;
  Result<std::vector<StageEntry>> stored_stages(const RequestBody& body) const;
  Result<std::vector<StageEntry>> stages_now(const RequestBody& body, const Machine& request);

  Unit& unit_;
  const EnvironmentView& view_;
  Id service_;
  std::optional<std::vector<Machine>> services_;  // nullopt until first used
  std::vector<Id> order_;
  StageNames names_;
};

// Returns DEPLOY, DELETE, RESTART, STOP, UNINSTALL or UNKNOWN.
std::string_view trigger_name(Action action);
// Returns the status of a request: QUEUED, ONGOING, SUCCESS, ERROR, CANCELED or CANCELING.
std::string_view request_status_name(const RequestEntry& entry);
// Return the status of a service in a request, and of a stage: QUEUED, ONGOING, DONE, ERROR, SKIPPED or CANCELED.
std::string_view stage_status_name(ServiceState state);
std::string_view stage_status_name(const std::vector<ServiceState>& services);

// "PT2M13S".
std::string duration_text(Duration duration);
// Writes {"created_at", "updated_at", "triggered_by", "origin"}.
void write_auditing(Writer& out, const RequestBody& body);

}  // namespace orlop
