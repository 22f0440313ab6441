#include "deploy/request/queuing.h"
#include "deploy/request/holds.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/flat_map.h"
#include "deploy/plan/expand.h"
#include "deploy/run/repair/repair.h"
#include "model/plan_flag.h"
#include "records/bulk_jobs/part_bound.h"
#include "records/service_count.h"
#include "records/write_record.h"
#include "wire/json.h"

namespace orlop {
namespace {

// Positions of an environment's stages, each read once.
class StageOrders {
 public:
  explicit StageOrders(Unit& unit) : unit_(unit) {}
  Result<std::int32_t> of(const Id& stage) {
    if (const std::int32_t* const known = orders_.find(stage)) return *known;
    ORLOP_TRY(record, unit_.record(stage));
    std::int32_t order = 0;
    if (record) {
      ORLOP_TRY(given, parse_stored_member(record->body, "deployment_order"));
      if (given.type() == Value::Type::integer) order = static_cast<std::int32_t>(given.as_integer());
    }
    orders_.add(stage, order);
    return order;
  }

 private:
  Unit& unit_;
  FlatMap<Id, std::int32_t> orders_;
};

Result<bool> is_captured(StageOrders& orders, const Machine& service) {
  ORLOP_TRY(order, orders.of(service.stage));
  return service.stage_order == order && service.planned_flags == service.plan_flags;
}

Result<void> queue(Unit& unit, const StoredRequest& request, StageOrders& orders, Machine&& service) {
  ORLOP_TRY(order, orders.of(service.stage));
  service.stage_order = order;
  service.planned_flags = service.plan_flags;
  enqueue_service(unit, request.record.organization, std::move(service), request.body, is_held(request.machine));
  return {};
}

// Reports whether a service is in a transient state although no unfinished request moves it.
Result<bool> belongs_to_none(Unit& unit, const Machine& service) {
  if (!is_transient(static_cast<ServiceState>(service.state))) return false;
  ORLOP_TRY(request, unit.machine(service.request));
  return !request || !is_unfinished(*request);
}

// Queues a service of a selection. Its state may have changed since the request was made, so it is checked again.
Result<void> queue_named(Unit& unit, StoredRequest& request, StageOrders& orders, Machine&& service) {
  const RequestBody& body = request.body;
  if (body.action == Action::remove && is_untouched(service)) {
    ORLOP_TRY(record, unit.record(service.id));
    return record ? remove_tree(unit, *record) : Result<void>();
  }
  if (!can_begin(service, body.action)) {
    // Kept for the reason of a request that could do nothing; one service is enough.
    if (body.following.empty()) request.body.following.push_back(service.id);
    return {};
  }
  return queue(unit, request, orders, std::move(service));
}

// Queues a service of a whole environment; leaves out services that the request excludes or that refuse the action.
Result<void> queue_of_all(Unit& unit, StoredRequest& request, StageOrders& orders, Machine&& service) {
  const RequestBody& body = request.body;
  if (!is_meant(service, body)) return {};
  ORLOP_TRY(is_stuck, belongs_to_none(unit, service));
  if (is_stuck) {
    ORLOP_TRY(released, release_service(unit, std::move(service)));
    service = std::move(released);
  }
  if (!can_begin(service, body.action)) return {};
  // A service with nothing to delete is removed with the environment.
  if (body.action == Action::remove && is_untouched(service)) return {};
  return queue(unit, request, orders, std::move(service));
}

// `service`: its row before this part.
Result<void> queue_one(Unit& unit, StoredRequest& request, StageOrders& orders, Machine&& service) {
  if (unit.has_put_machine(service.id)) {
    ORLOP_TRY(now, unit.machine(service.id));
    if (!now) return {};
    service = *now;
  }
  if (service.owner != request.body.environment || service.request == request.body.id) return {};
  return request.body.whole_environment ? queue_of_all(unit, request, orders, std::move(service))
                                        : queue_named(unit, request, orders, std::move(service));
}

// Services read at once: few enough to stay in the processor's caches until they are queued.
constexpr std::size_t read_at_once = 250;

void end_queuing(Unit& unit, StoredRequest& request) {
  request.machine.state = static_cast<std::uint8_t>(RequestState::waiting);
  request.machine.progress = 0;
  request.body.queuing.clear();
  unit.wake(request.body.environment, request.machine.partition);
}

}  // namespace

bool is_meant(const Machine& service, const RequestBody& body) {
  return has_event(service, body.forced) && (!body.whole_environment || is_included(service, body.action));
}

Result<std::vector<Id>> service_ids(Unit& unit, const Id& environment, bool (*is_wanted)(FamilyNumber)) {
  ORLOP_TRY(counts, unit.counts({.keys = {&environment, 1}, .enough = 1}));  // families present
  std::vector<Id> ids;
  for (const RecordCount& count : counts) {
    if (!is_wanted(count.family)) continue;
    const RecordRange range = {.key = environment, .family = count.family, .fields = RecordRange::Fields::place};
    ORLOP_CHECK(unit.visit(range, [&ids](const Record& record) { return ids.push_back(record.id), true; }));
  }
  std::ranges::sort(ids);
  return ids;
}

Result<bool> has_many_services(Unit& unit, const Id& environment) {
  return has_more_services(unit, {&environment, 1}, queued_at_once_max);
}

Result<bool> has_many_services(Unit& unit, const RequestBody& body) {
  if (body.whole_environment || body.has_rows) return has_many_services(unit, body.environment);
  return body.services.size() > queued_at_once_max;
}

Result<void> queue_now(Unit& unit, const StoredRequest& request, std::vector<Machine> services) {
  unit.expect_machines(services.size() + 1);  // and the request
  StageOrders orders(unit);
  for (Machine& service : services) ORLOP_CHECK(queue(unit, request, orders, std::move(service)));
  unit.wake(request.body.environment, request.machine.partition);
  return {};
}

void begin_queuing(Unit& unit, StoredRequest& request, std::vector<Id> services) {
  request.machine.state = static_cast<std::uint8_t>(RequestState::queuing);
  request.machine.progress = 0;
  request.body.queuing = std::move(services);
  unit.begin_job({.id = request.machine.id, .partition = request.machine.partition});
  unit.wait_for(request.machine.id);
}

Result<bool> queue_part(Unit& unit, const Machine& machine, QueuedBefore& before) {
  if (request_state(machine) != RequestState::queuing) return true;
  const bool is_known =
      before.request && before.request->machine.id == machine.id && before.revision == machine.revision;
  if (!is_known) {
    ORLOP_TRY(stored, stored_request(unit, machine));
    before.request = std::move(stored);
  }
  StoredRequest& request = *before.request;
  request.machine = machine;
  unit.set_author(request.body.triggered_by);
  const std::size_t following = request.body.following.size();
  const std::vector<Id>& all = request.body.queuing;
  const std::size_t begin = std::min<std::size_t>(machine.progress, all.size());
  const std::span<const Id> ids = std::span(all).subspan(begin, std::min(queued_by_commit, all.size() - begin));
  unit.expect_machines(ids.size() + 1);  // and the request
  StageOrders orders(unit);
  PartBound bound(unit);
  std::size_t queued = 0;
  while (queued < ids.size() && !bound.is_reached()) {
    const std::size_t end = std::min(queued + read_at_once, ids.size());
    ORLOP_TRY(services, unit.machines_of(ids.subspan(queued, end - queued)));
    for (auto service = services.begin(); queued < end && !bound.is_reached(); ++queued) {
      if (service == services.end() || service->id != ids[queued]) continue;  // it was deleted
      ORLOP_CHECK(queue_one(unit, request, orders, std::move(*service++)));
    }
  }
  request.machine.progress = begin + queued;
  before.revision = machine.revision + 1;
  const bool is_done = request.machine.progress == all.size();
  if (is_done) end_queuing(unit, request);
  if (is_done || following != request.body.following.size()) {
    put_request(unit, StoredRequest(request));
    ++request.record.revision;
  } else {
    unit.put(request.machine);
  }
  return is_done;
}

Result<void> require_queued(Unit& unit, const std::vector<Machine>& requests) {
  const auto queuing = std::ranges::find(requests, RequestState::queuing, request_state);
  if (queuing == requests.end()) return {};
  unit.wait_for(queuing->id);
  return make_error(ErrorCode::conflict,
                    "the services of deployment request " + to_text(queuing->id) + " are being queued; try again");
}

Result<std::vector<Id>> not_captured(Unit& unit, const std::vector<Machine>& services, std::size_t limit) {
  StageOrders orders(unit);
  std::vector<Id> found;
  for (const Machine& service : services) {
    if (found.size() == limit) break;
    ORLOP_TRY(is_done, is_captured(orders, service));
    if (!is_done) found.push_back(service.id);
  }
  return found;
}

Result<void> capture(Unit& unit, const std::vector<Id>& services) {
  std::vector<Machine> rows;
  for (const Id& id : services) {
    ORLOP_TRY(row, unit.machine(id));
    if (row) rows.push_back(*row);
  }
  ORLOP_TRY(is_done, capture(unit, rows, SIZE_MAX));
  (void)is_done;
  return {};
}

Result<bool> capture(Unit& unit, std::vector<Machine>& services, std::size_t limit) {
  StageOrders orders(unit);
  for (Machine& service : services) {
    ORLOP_TRY(is_done, is_captured(orders, service));
    if (is_done) continue;
    ORLOP_TRY(order, orders.of(service.stage));
    if (limit-- == 0) return false;
    service.stage_order = order;
    service.planned_flags = service.plan_flags;
    unit.put(service);
  }
  return true;
}

}  // namespace orlop
