#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/sort_unique.h"
#include "deploy/plan/expand.h"
#include "deploy/request/cluster_gate.h"
#include "deploy/request/deployment_request.h"
#include "deploy/request/holds.h"
#include "deploy/request/queuing.h"
#include "deploy/request/request_gate.h"
#include "deploy/request/request_parts.h"
#include "deploy/request/rollback_order.h"
#include "deploy/request/versions_to_deploy.h"
#include "deploy/run/repair/repair.h"
#include "lifecycle/action.h"
#include "model/plan_flag.h"
#include "records/bulk_jobs/job_parts.h"
#include "records/write_record.h"
#include "store/partition.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// Services of an order, grouped by what happens to them now.
struct Sorted {
  std::vector<Machine> moving;     // go to *_QUEUED now
  std::vector<Machine> untouched;  // only their record has to be deleted
  std::vector<Machine> busy;       // belong to a request that has not ended; queued when this request begins
};

Result<RequestBody> body_of(const Order& order) {
  RequestBody body;
  body.environment = order.environment;
  body.action = order.action;
  body.origin = order.origin;
  body.triggered_by = order.author;
  body.whole_environment = order.whole_environment;
  if (!order.whole_environment) body.services = order.services;
  sort_unique(body.services);
  body.forced = order.forced;
  if (!order.overrides.empty()) {
    ORLOP_TRY(overrides, parse_json(order.overrides));
    if (!overrides.is_object()) return make_error(ErrorCode::invalid, "the overrides must be an object by service id");
    body.overrides = std::move(overrides);
  }
  return body;
}

// Reports whether a job of this kind lies below the record or refers to it.
Result<bool> has_job(Unit& unit, RecordRange::By by, const Id& record, JobKind kind) {
  RecordRange range;
  range.by = by;
  range.key = record;
  range.family = bulk_job_number;
  range.fields = RecordRange::Fields::no_text;
  ORLOP_TRY(jobs, unit.records(range));
  for (const Record& job : jobs) {
    ORLOP_TRY(machine, unit.machine(job.id));
    if (machine && static_cast<JobKind>(machine->state) == kind) return true;
  }
  return false;
}

// Refuses requests for an environment that a clone is still filling, and the deletion of one that is being cloned.
Result<void> require_whole(Unit& unit, const Record& environment, const RequestBody& body) {
  ORLOP_TRY(is_filled, has_job(unit, RecordRange::By::parent, environment.id, JobKind::copy));
  if (is_filled) {
    return make_error(ErrorCode::conflict, "environment \"" + name_of(environment) +
                                               "\" is still being filled by the clone; try again once it is complete");
  }
  if (body.action != Action::remove || !body.whole_environment) return {};
  ORLOP_TRY(is_cloned, has_job(unit, RecordRange::By::reference, environment.id, JobKind::copy));
  if (!is_cloned) return {};
  return make_error(ErrorCode::conflict,
                    "environment \"" + name_of(environment) + "\" is being cloned; delete it once the clone is made");
}

Result<void> require_all_named(const RequestBody& body, const std::vector<Machine>& services) {
  if (body.whole_environment || services.size() == body.services.size()) return {};
  for (const Id& id : body.services) {
    if (!std::ranges::binary_search(services, id, {}, &Machine::id)) return not_found("service", id);
  }
  return {};
}

Result<void> refuse(Unit& unit, const Machine& service, Action action) {
  ORLOP_TRY(record, unit.record(service.id));
  return make_error(ErrorCode::conflict, refusal_of(service, action, record ? name_of(*record) : to_text(service.id)));
}

Result<Sorted> sort_services(Unit& unit, const RequestBody& body, const std::vector<Machine>& open,
                             std::vector<Machine> services) {
  Sorted sorted;
  auto kept = services.begin();  // end of the moving ones, compacted in place: usually all move, and rows are large
  for (Machine& service : services) {
    const bool is_busy = std::ranges::find(open, service.request, &Machine::id) != open.end();
    if (!is_busy && is_transient(static_cast<ServiceState>(service.state))) {
      ORLOP_TRY(released, release_service(unit, std::move(service)));
      service = std::move(released);
    }
    if (is_busy) {
      sorted.busy.push_back(std::move(service));
    } else if (body.action == Action::remove && is_untouched(service)) {
      sorted.untouched.push_back(std::move(service));
    } else if (can_begin(service, body.action)) {
      if (std::to_address(kept) != &service) *kept = std::move(service);
      ++kept;
    } else if (!body.whole_environment) {
      if (auto refused = refuse(unit, service, body.action); !refused) return std::move(refused).error();
    }
  }
  services.erase(kept, services.end());
  sorted.moving = std::move(services);
  return sorted;
}

Result<void> remove_records(Unit& unit, const std::vector<Machine>& services) {
  for (const Machine& service : services) {
    ORLOP_TRY(record, unit.record(service.id));
    if (record) ORLOP_CHECK(remove_tree(unit, *record));
  }
  return {};
}

Result<StoredRequest> new_request(Unit& unit, const Record& environment, RequestBody body, std::int32_t number) {
  ORLOP_TRY(machine, unit.machine(environment.id));
  StoredRequest request;
  body.id = unit.make_id();
  body.created_at = unit.now();
  body.execution_id = make_execution_id(body.id, unit.now());
  request.record.id = body.id;
  request.record.family = deployment_request_number;
  request.record.parent = environment.id;
  request.record.organization = environment.organization;
  request.machine.id = body.id;
  request.machine.family = deployment_request_number;
  request.machine.owner = environment.id;
  request.machine.partition = partition_of(environment.organization);
  request.machine.state = static_cast<std::uint8_t>(RequestState::waiting);
  request.machine.action = static_cast<std::uint8_t>(body.action);
  request.machine.number = number;
  request.machine.plan_flags = machine ? machine->plan_flags & static_cast<std::uint32_t>(held_flag) : 0;
  request.machine.active = true;
  request.machine.changed_at = unit.now();
  request.body = std::move(body);
  return request;
}

constexpr std::size_t listed_max = 200;  // ids in a list, which each merged order writes again; more are in rows

void merge_into(RequestBody& waiting, const RequestBody& order) {
  waiting.whole_environment = waiting.whole_environment || order.whole_environment;
  std::vector<Id> together;
  std::ranges::set_union(waiting.services, order.services, std::back_inserter(together));
  waiting.has_rows = !waiting.whole_environment && (waiting.has_rows || together.size() > listed_max);
  waiting.services = waiting.whole_environment || waiting.has_rows ? std::vector<Id>() : std::move(together);
  for (const Member& entry : order.overrides.members()) waiting.overrides.set(entry.name, entry.value);
}

bool share_a_version(const RequestBody& request, const RequestBody& order) {
  return std::ranges::any_of(order.overrides.members(),
                             [&](const Member& entry) { return request.overrides.find(entry.name) != nullptr; });
}

// Returns the waiting request into which the order is merged; nullopt if none. A request before one that deploys a
// service of the order at a version is excluded: the version of the order is newer.
Result<std::optional<StoredRequest>> mergeable(Unit& unit, const RequestBody& order, const std::vector<Machine>& open) {
  std::optional<StoredRequest> found;
  for (const Machine& machine : open) {
    if (request_state(machine) != RequestState::waiting) continue;
    const bool is_like = static_cast<Action>(machine.action) == order.action;
    if (!is_like && (!found || order.overrides.members().empty())) continue;
    ORLOP_TRY(waiting, stored_request(unit, machine));
    // A roll-back is never merged with a deployment of what is wanted: the later one of both must be executed last.
    if (is_like && rolls_back(waiting.body) != rolls_back(order)) {
      found.reset();
      continue;
    }
    if (found && share_a_version(waiting.body, order)) found.reset();
    const bool takes_in =
        is_like && waiting.body.triggered_by == order.triggered_by && waiting.body.forced == order.forced;
    if (takes_in && !found) found = std::move(waiting);
  }
  return found;
}

Result<StoredRequest> request_for(Unit& unit, const Record& environment, RequestBody body,
                                  const std::vector<Machine>& all, const std::vector<Machine>& open) {
  ORLOP_TRY(waiting, mergeable(unit, body, open));
  if (waiting) {
    merge_into(waiting->body, body);
    return std::move(*waiting);
  }
  ORLOP_TRY(request, new_request(unit, environment, std::move(body), all.empty() ? 1 : all.back().number + 1));
  ORLOP_TRY(waits, must_wait(unit, environment, request.body.action, request.body.id));
  if (waits) request.machine.plan_flags |= static_cast<std::uint32_t>(held_flag);
  Writer detail;
  detail.begin_object()
      .field("action", to_string(request.body.action))
      .field("triggered_by", request.body.triggered_by);
  detail.field("origin", request.body.origin);
  if (request.body.action == Action::uninstall) detail.field("uninstall", true);
  detail.end_object();
  emit_request(unit, request, EventKind::request_queued, row_of(request.body.action).queued, std::move(detail).take());
  return std::move(request);
}

// Adds the busy services that the request does not hold yet to those that follow it. A service's row can name one
// request; the many services of a single order are written to the list once.
void add_following(Unit& unit, StoredRequest& request, std::vector<Machine> busy, const std::vector<Machine>& open) {
  RequestBody& body = request.body;
  const std::int32_t number = request.machine.number;
  const std::size_t listed = body.following.size();
  const bool is_long = busy.size() > listed_max;
  for (Machine& service : busy) {
    if (service.request == body.id || (body.has_following_rows && service.number == number)) continue;
    if (std::binary_search(body.following.begin(), body.following.begin() + static_cast<std::ptrdiff_t>(listed),
                           service.id))
      continue;
    if (listed < listed_max || is_long || std::ranges::find(open, service.number, &Machine::number) != open.end()) {
      body.following.push_back(service.id);
    } else {
      service.number = number;
      unit.put(std::move(service));
      body.has_following_rows = true;
    }
  }
  if (body.following.size() != listed) sort_unique(body.following);
}

bool leaves_nothing(const RequestBody& body, const Sorted& sorted, std::size_t open_count) {
  if (!sorted.moving.empty() || !sorted.busy.empty()) return false;
  // They are removed in several commits.
  if (sorted.untouched.size() > queued_at_once_max && !body.whole_environment) return false;
  if (!body.whole_environment) return true;
  return body.action == Action::remove && open_count == 0;
}

// Returns the services that later commits queue or remove.
std::vector<Id> ids_of(const Sorted& sorted, bool is_whole) {
  std::vector<Id> ids;
  for (const Machine& service : sorted.moving) ids.push_back(service.id);
  if (!is_whole) {
    for (const Machine& service : sorted.untouched) ids.push_back(service.id);
  }
  std::ranges::sort(ids);
  return ids;
}

constexpr std::size_t looked_at_max = 200;  // services read to find one that can begin

// Returns all services of the environment if the job of the request shall decide about each: the request is for a whole
// environment with many services, no other request is open, and one of the first services can begin. Else empty: the
// request's own commit reads all of them.
Result<std::vector<Id>> left_to_job(Unit& unit, const RequestBody& body, const std::vector<Machine>& open) {
  if (!body.whole_environment || !open.empty()) return std::vector<Id>();
  ORLOP_TRY(has_many, has_many_services(unit, body));
  if (!has_many) return std::vector<Id>();
  ORLOP_TRY(services, service_ids(unit, body.environment));
  for (std::size_t at = 0; at < std::min(services.size(), looked_at_max); ++at) {
    ORLOP_TRY(service, unit.machine(services[at]));
    const bool can_go = service && is_meant(*service, body) && can_begin(*service, body.action);
    if (can_go && (body.action != Action::remove || !is_untouched(*service))) return std::move(services);
  }
  return std::vector<Id>();
}

Result<void> require_open_gate(Unit& unit, const Record& environment, Action action) {
  if (action != Action::deploy) return {};
  ORLOP_TRY(readiness, cluster_readiness(unit, environment));
  if (readiness.gate != ClusterGate::closed) return {};
  return make_error(ErrorCode::conflict, std::move(readiness.reason));
}

Result<Id> enqueue_all(Unit& unit, const Record& environment, RequestBody body, const std::vector<Machine>& all,
                       std::vector<Id> services) {
  ORLOP_CHECK(require_open_gate(unit, environment, body.action));
  ORLOP_TRY(request, request_for(unit, environment, std::move(body), all, {}));
  begin_queuing(unit, request, std::move(services));
  const Id id = request.body.id;
  put_request(unit, std::move(request));
  return id;
}

Error nothing_can_go(Action action) {
  return make_error(ErrorCode::conflict,
                    "no service of the environment is in a state from which it can take the action " +
                        std::string(to_string(action)));
}

}  // namespace

Result<Id> enqueue(Unit& unit, const Order& order) {
  ORLOP_TRY(environment, unit.record(order.environment));
  if (!environment) return not_found("environment", order.environment);
  ORLOP_TRY(body, body_of(order));
  ORLOP_CHECK(require_whole(unit, *environment, body));
  ORLOP_TRY(all, request_machines(unit, order.environment));
  ORLOP_CHECK(require_queued(unit, all));
  std::vector<Machine> open;
  std::ranges::copy_if(all, std::back_inserter(open), is_unfinished);
  if (unit.settings().busy == BusyPolicy::reject && !open.empty()) {
    return make_error(ErrorCode::conflict,
                      "a deployment of this environment runs or waits; wait for its end or cancel it");
  }
  ORLOP_CHECK(take_versions(unit, body));
  ORLOP_TRY(left, left_to_job(unit, body, open));
  if (!left.empty()) return enqueue_all(unit, *environment, std::move(body), all, std::move(left));
  ORLOP_TRY(services, services_named(unit, body));
  ORLOP_CHECK(require_all_named(body, services));
  std::erase_if(services, [&](const Machine& service) { return !is_meant(service, body); });
  const std::size_t named = services.size();
  ORLOP_TRY(sorted, sort_services(unit, body, open, std::move(services)));
  const bool is_large =
      sorted.moving.size() + (body.whole_environment ? 0 : sorted.untouched.size()) > queued_at_once_max;
  if (!body.whole_environment && !is_large) ORLOP_CHECK(remove_records(unit, sorted.untouched));
  if (leaves_nothing(body, sorted, open.size())) {
    if (body.whole_environment) ORLOP_CHECK(remove_tree(unit, *environment));
    return Id{};
  }
  const bool is_impossible = named > 0 && sorted.untouched.empty() && sorted.moving.empty() && sorted.busy.empty();
  if (is_impossible) return nothing_can_go(body.action);
  const bool has_work = !sorted.moving.empty() || !sorted.busy.empty();
  if (has_work) ORLOP_CHECK(require_open_gate(unit, *environment, body.action));
  ORLOP_TRY(request, request_for(unit, *environment, std::move(body), all, open));
  add_following(unit, request, std::move(sorted.busy), open);
  if (is_large) {
    begin_queuing(unit, request, ids_of(sorted, request.body.whole_environment));
  } else {
    ORLOP_CHECK(queue_now(unit, request, std::move(sorted.moving)));
  }
  const Id id = request.body.id;
  put_request(unit, std::move(request));
  return id;
}

}  // namespace orlop
