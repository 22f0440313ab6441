// Beginning of a request.
#include <algorithm>
#include <utility>

#include "base/sort_unique.h"
#include "deploy/plan/expand.h"
#include "deploy/request/cluster_gate.h"
#include "deploy/request/holds.h"
#include "deploy/request/queuing.h"
#include "deploy/run/environments/environment_runs.h"
#include "model/registry.h"
#include "records/write_record.h"
#include "store/sort.h"
#include "unit/deletions.h"
#include "unit/unique_name.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::size_t planned_entry_size = 200;  // bytes of a usual entry

bool is_moved(const Machine& service, const RequestBody& body) {
  return service.request == body.id && is_transient(static_cast<ServiceState>(service.state));
}

// Adds the services that follow by their rows to the list.
Result<void> list_following(Unit& unit, StoredRequest& request) {
  RequestBody& body = request.body;
  if (!std::exchange(body.has_following_rows, false)) return {};
  ORLOP_CHECK(unit.visit_machines(body.environment, 0, [&](const Machine& machine) {
    if (machine.number == request.machine.number && machine.id != body.id) body.following.push_back(machine.id);
  }));
  sort_unique(body.following);
  return {};
}

// Returns the following services, ascending by id; not those that the request moves already, nor those that were
// deleted or moved to another environment.
Result<std::vector<Machine>> services_following(Unit& unit, const RequestBody& body) {
  std::vector<Machine> services;
  ORLOP_CHECK(unit.load(body.following));
  for (const Id& id : body.following) {
    ORLOP_TRY(service, unit.machine(id));
    if (service && service->owner == body.environment && !is_moved(*service, body)) services.push_back(*service);
  }
  return services;
}

Result<void> remove_record(Unit& unit, const Id& service) {
  ORLOP_TRY(record, unit.record(service));
  return record ? remove_tree(unit, *record) : Result<void>();
}

}  // namespace

// Returns the history entries of services that are deleted by the end.
Result<std::string> EnvironmentRuns::planned_of(Unit& unit, const std::vector<Machine>& services) {
  if (services.empty()) return std::string();
  ORLOP_CHECK(load_rows(unit, services));
  Writer planned(services.size() * planned_entry_size);
  planned.begin_list();
  for (const Machine& service : services) {
    ORLOP_TRY(record, unit.record(service.id));
    const Family* family = find_family(service.family);
    planned.begin_object().field("id", service.id).field("name", record ? name_of(*record) : std::string());
    planned.field("service_type", family == nullptr ? std::string_view() : family->service_kind);
    planned.field("stage_id", service.stage)
        .field("stage_order", static_cast<std::int64_t>(service.stage_order))
        .end_object();
  }
  planned.end_list();
  return std::move(planned).take();
}

// Ascending by id.
Result<std::vector<Machine>> EnvironmentRuns::services_queued(Unit& unit, const RequestBody& body) {
  ORLOP_TRY(moved, services_moved(unit, body, last_count_));
  last_count_ = moved.size();
  std::erase_if(moved, [](const Machine& service) { return !is_transient(static_cast<ServiceState>(service.state)); });
  return std::move(moved);
}

// Queues the services that another request held when this one was made; it was decided then that they are included.
Result<EnvironmentRuns::Included> EnvironmentRuns::queue_following(Unit& unit, const StoredRequest& request,
                                                                   std::vector<Machine> queued) {
  const RequestBody& body = request.body;
  if (body.following.empty()) return Included{std::move(queued), Id{}};
  ORLOP_TRY(services, services_following(unit, body));
  Included taken;
  std::vector<Machine> added;
  for (const Machine& service : services) {
    if (body.action == Action::remove && is_untouched(service)) {
      if (!body.whole_environment) ORLOP_CHECK(remove_record(unit, service.id));
    } else if (can_begin(service, body.action)) {
      enqueue_service(unit, request.record.organization, service, body);
      ORLOP_TRY(machine, unit.machine(service.id));
      if (machine && is_moved(*machine, body)) added.push_back(*machine);
    } else {
      taken.refused = service.id;
    }
  }
  ORLOP_TRY(is_captured, capture(unit, added, SIZE_MAX));
  (void)is_captured;
  taken.services = std::move(queued);
  taken.services.insert(taken.services.end(), std::make_move_iterator(added.begin()),
                        std::make_move_iterator(added.end()));
  sort_by_id(taken.services);
  return taken;
}

// Prepares the services of a large request in parts, before it begins. Returns false if the next tick, or the one after
// the job, has to continue. `queued` gets the services that the request has queued.
Result<bool> EnvironmentRuns::prepare(Unit& unit, StoredRequest& request, std::vector<Machine>& queued) {
  if (request.body.following.size() > queued_at_once_max) {
    begin_queuing(unit, request, std::exchange(request.body.following, {}));
    put_request(unit, StoredRequest(request));
    return false;
  }
  ORLOP_TRY(is_large, has_many_services(unit, request.body));
  if (is_large) return prepare_large(unit, request, queued);
  ORLOP_TRY(services, services_queued(unit, request.body));
  queued = std::move(services);
  ORLOP_TRY(is_captured, capture(unit, queued, services_by_tick));
  if (!is_captured) {
    again_.push_back(request.body.environment);
    return false;
  }
  if (request.body.action != Action::remove) return true;
  ORLOP_TRY(planned, planned_of(unit, queued));
  request.body.planned = std::move(planned);
  return true;
}

// Uses services that were read ahead, so that no other writer waits for the read.
Result<bool> EnvironmentRuns::prepare_large(Unit& unit, StoredRequest& request, std::vector<Machine>& queued) {
  const auto found = ahead_.find(request.body.id);
  // An order that was merged into the request since has changed its services.
  if (found == ahead_.end() || !found->second.begin || found->second.begin->revision != request.machine.revision) {
    read_with_next_tick(request.body);
    return false;
  }
  AheadOfBegin ahead = std::move(*found->second.begin);
  ahead_.erase(found);
  if (!ahead.outdated.empty()) {
    ORLOP_CHECK(capture(unit, ahead.outdated));
    read_with_next_tick(request.body);
    return false;
  }
  queued = std::move(ahead.queued);
  request.body.planned = std::move(ahead.planned);
  return true;
}

Result<EnvironmentRuns::AheadOfBegin> EnvironmentRuns::read_begin(Unit& unit, const StoredRequest& request) {
  const RequestBody& body = request.body;
  AheadOfBegin ahead;
  ahead.revision = request.machine.revision;
  ORLOP_TRY(queued, services_queued(unit, body));
  ORLOP_TRY(outdated, not_captured(unit, queued, services_by_tick));
  if (body.action == Action::remove && outdated.empty()) {
    ORLOP_TRY(planned, planned_of(unit, queued));
    ahead.planned = std::move(planned);
  }
  ahead.queued = std::move(queued);
  ahead.outdated = std::move(outdated);
  return ahead;
}

Result<void> EnvironmentRuns::begin(Unit& unit, StoredRequest&& request) {
  std::vector<Machine> queued;
  ORLOP_TRY(is_prepared, prepare(unit, request, queued));
  if (!is_prepared) return {};
  request.machine.state = static_cast<std::uint8_t>(RequestState::running);
  request.machine.changed_at = unit.now();
  request.body.started_at = unit.now();
  emit_request(unit, request, EventKind::request_started, row_of(request.body.action).running);
  ORLOP_TRY(taken, queue_following(unit, request, std::move(queued)));
  if (request.body.action == Action::remove && !request.body.following.empty()) {
    std::vector<Machine> followed = taken.services;
    std::erase_if(followed, [&](const Machine& service) {
      return !std::ranges::binary_search(request.body.following, service.id);
    });
    ORLOP_TRY(planned, planned_of(unit, followed));
    add_planned(request.body, planned);
  }
  ORLOP_TRY(environment, unit.machine(request.body.environment));
  if (environment) {
    Machine following = *environment;
    following.request = request.body.id;
    following.action = request.machine.action;
    unit.put(std::move(following));
  }
  if (taken.services.empty() && !taken.refused.is_nil()) return end_refused(unit, std::move(request), taken.refused);
  put_request(unit, StoredRequest(request));
  ORLOP_TRY(run, make_run(request, taken.services, settings_));
  // A record that this unit has made, too, counts both writes as one revision.
  ORLOP_TRY(put, unit.record(run.request));
  if (put) {
    run.begun_revision = put->revision;
    run.begun = std::make_unique<RequestBody>(std::move(request.body));
  }
  return attach(unit, std::move(run), taken.services, Asked::already);
}

Result<void> EnvironmentRuns::attach(Unit& unit, Run run, const std::vector<Machine>& services, Asked asked) {
  in_flight_.turns().forget(run.environment);
  ORLOP_TRY(scope, scope_of(unit, run));
  run.scope = scope;
  if (asked == Asked::again) ORLOP_CHECK(load_again(unit, run, services));
  const std::vector<Part>& parts = run.runner.plan().parts;
  for (std::uint32_t part = 0; part < parts.size(); ++part) {
    const Machine& service = services[parts[part].service];
    if (service.step.is_nil()) continue;
    if (asked == Asked::again) ORLOP_CHECK(ask_again(unit, run, part, service));
    follow_step(run, part, service);
  }
  const Id environment = run.environment;
  run.runner.begin(run.pending);
  runs_[environment] = std::make_unique<Run>(std::move(run));
  return asked == Asked::already ? carry_out_pending(unit, environment) : Result<void>();
}

// Loads the configurations of the steps that the driver is given again, with one read for all services.
Result<void> EnvironmentRuns::load_again(Unit& unit, const Run& run, std::span<const Machine> services) {
  if (!unit.stored().reads_in_batches()) return {};
  ORLOP_CHECK(load_with_releases(unit, run.subjects));
  std::vector<Id> with_step;
  for (const Machine& service : services) {
    if (!service.step.is_nil()) with_step.push_back(service.id);
  }
  return load_configurations(unit, with_step);
}

Result<void> EnvironmentRuns::ask_again(Unit& unit, Run& run, std::uint32_t part, const Machine& service) {
  ORLOP_TRY(record, unit.record(service.id));
  if (!record) return {};
  Step step = step_of(service, record->organization, name_of(*record), {});
  if (step.kind == StepKind::execute) {
    ORLOP_TRY(restarts, restarts_of(*record));
    step.restarts_max = restarts;
  }
  std::vector<std::string> said;  // already in the log
  const StepTexts texts = texts_of(run, service);
  if (texts.configuration) ORLOP_CHECK(configure_step(unit, run, part, texts, step, *record, said));
  step.resumed = true;
  step.reported_at = service.timing.reported_at;
  step.canceling_since = service.timing.canceled_at;
  in_flight_.ask_start(std::move(step));
  return {};
}

Result<void> EnvironmentRuns::wake(Unit& unit, const Id& environment) {
  ORLOP_TRY(requests, request_machines(unit, environment));
  if (requests.empty()) forget(environment);
  ORLOP_TRY(are_released, release_canceled(unit, environment, requests));
  if (Run* const run = find_run(environment)) {
    ORLOP_TRY(request, unit.machine(run->request));
    if (request && is_unfinished(*request)) {
      if (request_state(*request) == RequestState::canceling) {
        ORLOP_TRY(is_taken, take_cancel(unit, *run, *request));
        if (is_taken) return {};
      }
      return carry_out_pending(unit, environment);
    }
    // The environment was removed, or another engine on the same store has ended the request.
    runs_.erase(environment);
  }
  const auto next = std::ranges::find(requests, RequestState::waiting, request_state);
  if (next == requests.end() || !are_released || in_flight_.is_withheld(next->partition)) return {};
  ORLOP_TRY(is_overtaken, is_overtaken_by_deletion(unit, *next));
  if (is_held(*next) && !is_overtaken) return {};
  ORLOP_TRY(request, stored_request(unit, std::move(*next)));
  if (is_overtaken) return cancel_waiting(unit, std::move(request));
  ORLOP_CHECK(list_following(unit, request));
  return request.body.action == Action::deploy ? begin_on_cluster(unit, std::move(request))
                                               : begin(unit, std::move(request));
}

// In an environment that is being deleted only its deletion begins.
Result<bool> EnvironmentRuns::is_overtaken_by_deletion(Unit& unit, const Machine& request) {
  const bool deletes = static_cast<Action>(request.action) == Action::remove;
  return deletes ? Result<bool>(false) : is_being_deleted(unit, request.owner);
}

Result<void> EnvironmentRuns::cancel_waiting(Unit& unit, StoredRequest&& request) {
  request.body.cancel = CancelMode::interruptible;
  request.machine.state = static_cast<std::uint8_t>(RequestState::canceling);
  request.machine.changed_at = unit.now();
  put_request(unit, StoredRequest(request));
  return release(unit, std::move(request));
}

// Data that was read ahead is read again when it is needed.
void EnvironmentRuns::drop(PartitionSet partitions) {
  runs_.erase_if([&](const auto& entry) { return partitions.contains(partition_of(entry.second->organization)); });
  ahead_.clear();
  wanted_.clear();
}

// Drops the data read ahead for an environment that is gone.
void EnvironmentRuns::forget(const Id& environment) {
  std::erase_if(ahead_, [&](const auto& entry) { return entry.second.environment == environment; });
}

// Ends the requests that were canceled before they began. Returns false if there is one: then the next request of the
// environment does not begin.
Result<bool> EnvironmentRuns::release_canceled(Unit& unit, const Id& environment,
                                               const std::vector<Machine>& requests) {
  const Run* const running = find_run(environment);
  bool are_released = true;
  for (const Machine& request : requests) {
    const bool is_run = running != nullptr && running->request == request.id;
    if (is_run || request_state(request) != RequestState::canceling) continue;
    ORLOP_TRY(stored, stored_request(unit, request));
    if (stored.body.started_at) continue;
    are_released = false;
    ORLOP_CHECK(release(unit, std::move(stored)));
  }
  return are_released;
}

// Begins a deploy with services once its cluster is deployed; the cluster wakes its environments when its action ends.
Result<void> EnvironmentRuns::begin_on_cluster(Unit& unit, StoredRequest&& request) {
  ORLOP_TRY(environment, unit.record(request.body.environment));
  if (!environment) return {};
  if (!request.body.reason.empty())
    return end_without_cluster(unit, std::move(request), std::string(request.body.reason));
  ORLOP_TRY(readiness, cluster_readiness(unit, *environment));
  if (readiness.gate == ClusterGate::open) return begin(unit, std::move(request));
  ORLOP_TRY(queued, services_moved(unit, request.body));
  ORLOP_TRY(following, services_following(unit, request.body));
  const bool has_work =
      std::ranges::any_of(queued, [&](const Machine& service) { return is_moved(service, request.body); }) ||
      std::ranges::any_of(following, [&](const Machine& service) { return can_begin(service, request.body.action); });
  if (!has_work) return begin(unit, std::move(request));
  if (readiness.gate == ClusterGate::wait) return {};
  return end_without_cluster(unit, std::move(request), std::move(readiness.reason));
}

}  // namespace orlop
