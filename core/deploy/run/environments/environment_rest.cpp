// Ends of requests: of a run, of a canceled request that has not begun, of a deploy whose cluster is not deployed. A
// tick handles a part of a large request.
#include <algorithm>
#include <utility>

#include "base/deployment_history_number.h"
#include "deploy/plan/expand.h"
#include "deploy/request/queuing.h"
#include "deploy/request/rollback_order.h"
#include "deploy/run/environments/environment_runs.h"
#include "lifecycle/action.h"
#include "records/write_record.h"
#include "unit/unique_name.h"

namespace orlop {
namespace {

ServiceState status_of(RunOutcome outcome, Action action) {
  switch (outcome) {
    case RunOutcome::failed: return row_of(action).failed;
    case RunOutcome::build_failed: return ServiceState::build_error;
    case RunOutcome::canceled: return ServiceState::canceled;
    case RunOutcome::succeeded: break;
  }
  switch (action) {
    case Action::restart: return ServiceState::restarted;
    case Action::stop: return ServiceState::stopped;
    case Action::remove: return ServiceState::deleted;
    case Action::none:
    case Action::uninstall: return ServiceState::ready;
    case Action::deploy:
    case Action::dry_run:
    case Action::upgrade: return ServiceState::deployed;
  }
  return ServiceState::ready;
}

// One tick stores one part: large requests that end at the same time take turns.
bool has_stored_history(Unit& unit) {
  return std::ranges::any_of(unit.changes().records,
                             [](const RecordWrite& write) { return write.record.family == deployment_history_number; });
}

}  // namespace

// Returns the services to move with this tick; nullopt if those of a large request have to be read first.
Result<std::optional<std::vector<Id>>> EnvironmentRuns::next_to_rest(Unit& unit, const StoredRequest& request) {
  ORLOP_TRY(is_large, has_many_services(unit, request.body));
  std::vector<Id> moving;
  if (!is_large) {
    ORLOP_TRY(services, services_moved(unit, request.body));
    for (const Machine& service : services) moving.push_back(service.id);
    return std::optional(std::move(moving));
  }
  std::optional<std::vector<Id>>& left =
      ahead_.try_emplace(request.body.id, Ahead{.environment = request.body.environment}).first->second.moving;
  if (!left) {
    wanted_.push_back(request.body.id);
    return std::optional<std::vector<Id>>();
  }
  const std::size_t count = std::min(left->size(), services_by_tick);
  moving.assign(left->begin(), left->begin() + static_cast<std::ptrdiff_t>(count));
  return std::optional(std::move(moving));
}

Result<EnvironmentRuns::Rested> EnvironmentRuns::bring_to_rest(Unit& unit, const StoredRequest& request,
                                                               ServiceEvent event, std::string_view reason) {
  ORLOP_TRY(next, next_to_rest(unit, request));
  if (!next) return Rested{false, true};
  ORLOP_CHECK(unit.load(*next));
  for (const Id& id : *next) {
    ORLOP_TRY(service, unit.machine(id));
    if (!service || service->request != request.body.id || !is_transient(static_cast<ServiceState>(service->state)))
      continue;
    StateTransition transition(unit, request.record.organization, *service);
    if (!reason.empty()) transition.edit_detail().reason = reason;
    if (!transition.move(event)) continue;
    const bool is_outdated = event == ServiceEvent::failed &&
                             static_cast<Freshness>(transition.machine().freshness) == Freshness::up_to_date;
    if (is_outdated) transition.set_freshness(Freshness::out_of_date);
    std::move(transition).put();
  }
  const auto ahead = ahead_.find(request.body.id);
  if (ahead == ahead_.end() || !ahead->second.moving) return Rested{true, false};
  std::vector<Id>& left = *ahead->second.moving;
  left.erase(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(next->size()));
  return Rested{left.empty(), true};
}

Result<void> EnvironmentRuns::release(Unit& unit, StoredRequest&& request) {
  ORLOP_TRY(rested, bring_to_rest(unit, request, ServiceEvent::cancel_requested, {}));
  return end_when(unit, rested, std::move(request), ServiceState::canceled);
}

// Gives the services the reason. It is stored with the first part, so that a later deployment of the cluster has no
// effect.
Result<void> EnvironmentRuns::end_without_cluster(Unit& unit, StoredRequest&& request, std::string reason) {
  ORLOP_TRY(rested, bring_to_rest(unit, request, ServiceEvent::failed, reason));
  const bool is_new = request.body.reason.empty();
  request.body.reason = std::move(reason);
  if (is_new) put_request(unit, StoredRequest(request));
  return end_when(unit, rested, std::move(request), ServiceState::deployment_error);
}

Result<void> EnvironmentRuns::end_when(Unit& unit, const Rested& rested, StoredRequest&& request, ServiceState status) {
  const Id environment = request.body.environment;
  if (!rested.is_complete) {
    again_.push_back(environment);
    return {};
  }
  ORLOP_TRY(is_ended, finish_request(unit, std::move(request), status, rested.is_large));
  if (is_ended) woken_.push_back(environment);
  return {};
}

void EnvironmentRuns::read_with_next_tick(const RequestBody& request) {
  ahead_.try_emplace(request.id, Ahead{.environment = request.environment});
  wanted_.push_back(request.id);
  again_.push_back(request.environment);
}

// Ends the request. Returns false if its long history has to be read before the next tick, or is stored in part.
Result<bool> EnvironmentRuns::finish_request(Unit& unit, StoredRequest&& request, ServiceState status, bool is_large) {
  if (!is_large) {
    ORLOP_CHECK(end_request(unit, std::move(request), status));
    return true;
  }
  const Id id = request.body.id;
  const auto ahead = ahead_.find(id);
  if (ahead == ahead_.end() || !ahead->second.history) {
    read_with_next_tick(request.body);
    return false;
  }
  RequestHistory& history = *ahead->second.history;
  if (has_stored_history(unit) || history.parts.size() > 1) {
    ORLOP_TRY(is_stored,
              has_stored_history(unit) ? Result<bool>(true) : store_history_part(unit, request.record, history));
    if (is_stored) again_.push_back(request.body.environment);
    else read_with_next_tick(request.body);
    return false;
  }
  ORLOP_CHECK(end_request(unit, std::move(request), status, std::move(history)));
  ahead_.erase(id);
  return true;
}

Result<void> EnvironmentRuns::read_ahead(Unit& unit) {
  for (const Id& id : std::exchange(wanted_, {})) {
    ORLOP_TRY(machine, unit.machine(id));
    if (!machine || !is_unfinished(*machine)) {
      ahead_.erase(id);
      continue;
    }
    ORLOP_TRY(request, stored_request(unit, *machine));
    Ahead& ahead = ahead_[id];
    ahead.environment = request.body.environment;
    if (request_state(request.machine) == RequestState::waiting && request.body.reason.empty()) {
      ORLOP_TRY(begin, read_begin(unit, request));
      ahead.begin = std::move(begin);
    } else if (!request.body.started_at && !ahead.moving) {
      ORLOP_TRY(moved, services_queued(unit, request.body));
      ahead.moving.emplace();
      for (const Machine& service : moved) ahead.moving->push_back(service.id);
    } else {
      const Run* const run = find_run(request.body.environment);
      ORLOP_TRY(history, RequestHistory::of(unit, request.body, run == nullptr ? 0 : run->subjects.size()));
      ahead.history = std::move(history);
    }
  }
  return {};
}

// Ends a request of which no service allows the action any more.
Result<void> EnvironmentRuns::end_refused(Unit& unit, StoredRequest&& request, const Id& refused) {
  ORLOP_TRY(service, unit.machine(refused));
  ORLOP_TRY(record, unit.record(refused));
  if (service && record) request.body.reason = refusal_of(*service, request.body.action, name_of(*record));
  woken_.push_back(request.body.environment);
  const ServiceState status = row_of(request.body.action).failed;
  return end_request(unit, std::move(request), status);
}

Result<StoredRequest> EnvironmentRuns::request_of(Unit& unit, Run& run, Machine machine) {
  if (const auto begun = std::exchange(run.begun, nullptr)) {
    ORLOP_TRY(record, unit.record(machine.id));
    if (record && record->revision == run.begun_revision)
      return StoredRequest{std::move(machine), *record, std::move(*begun)};
  }
  return stored_request(unit, std::move(machine));
}

Result<void> EnvironmentRuns::end(Unit& unit, Id environment) {
  Run& run = *find_run(environment);
  const RunOutcome outcome = run.runner.outcome();
  const Id id = run.request;
  // Another engine on the same store may have ended the request.
  ORLOP_TRY(machine, unit.machine(id));
  if (!machine || !is_unfinished(*machine)) {
    ahead_.erase(id);
    runs_.erase(environment);
    woken_.push_back(environment);
    return {};
  }
  ORLOP_TRY(request, request_of(unit, run, *machine));
  // A cancel since the last tick counts, although no service was left to cancel.
  const bool is_canceled = request_state(request.machine) == RequestState::canceling;
  const ServiceState status = status_of(is_canceled ? RunOutcome::canceled : outcome, request.body.action);
  const bool takes_environment =
      request.body.whole_environment && request.body.action == Action::remove && status == ServiceState::deleted;
  const bool is_large = run.subjects.size() > services_by_tick || planned_count(request.body) > services_by_tick;
  std::optional<RequestBody> failed;
  if (status == ServiceState::deployment_error || status == ServiceState::build_error) failed = request.body;
  ORLOP_TRY(is_ended, finish_request(unit, std::move(request), status, is_large));
  if (!is_ended) return {};
  runs_.erase(environment);
  woken_.push_back(environment);
  if (failed) ORLOP_CHECK(roll_back_failed(unit, *failed));
  if (!takes_environment) return {};
  ORLOP_TRY(record, unit.record(environment));
  if (!record) return {};
  const auto removed = remove_tree(unit, *record);
  // On a conflict (a record outside refers to one inside, or a service was added meanwhile) the environment stays,
  // without its deleted services.
  if (!removed && removed.error().code != ErrorCode::conflict) return removed.error();
  return {};
}

}  // namespace orlop
