#include "endpoints/environments/parts/request_answers.h"

#include <algorithm>
#include <utility>

#include "base/family_number.h"
#include "records/variables/reach.h"
#include "unit/operation.h"

namespace orlop {
namespace {

Result<WaitingRequest> read_waiting(Unit& unit, const Machine& request) {
  ORLOP_TRY(body, body_of_request(unit, request.id));
  WaitingRequest waiting{.body = std::move(body), .following = {}};
  waiting.following.insert(waiting.body.following.begin(), waiting.body.following.end());
  waiting.following.insert(waiting.body.queuing.begin(), waiting.body.queuing.end());
  return waiting;
}

}  // namespace

const Machine* RequestsView::current() const {
  const auto found = std::ranges::find_if(
      machines, [](const Machine& request) { return state_of_request(request) != RequestState::ended; });
  if (found != machines.end()) return &*found;
  return machines.empty() ? nullptr : &machines.back();
}

const WaitingRequest* RequestsView::find_waiting(const Id& request) const {
  const auto found = std::ranges::find(waiting, request, [](const WaitingRequest& held) { return held.body.id; });
  return found == waiting.end() ? nullptr : &*found;
}

bool RequestsView::concerns(const Machine& request, const Machine& service) const {
  if (service.request == request.id) return true;
  const WaitingRequest* const found = find_waiting(request.id);
  if (found == nullptr) return false;
  return found->following.contains(service.id) || (found->body.has_following_rows && service.number == request.number);
}

std::int64_t RequestsView::count_unfinished(const Machine& service) const {
  return std::ranges::count_if(machines, [&](const Machine& request) {
    return state_of_request(request) != RequestState::ended && concerns(request, service);
  });
}

Result<RequestsView> view_requests(Unit& unit, const Id& environment) {
  RequestsView view;
  view.environment = environment;
  ORLOP_TRY(machines, request_machines(unit, environment));
  for (const Machine& request : machines) {
    if (!is_waiting(request)) continue;
    ORLOP_TRY(waiting, read_waiting(unit, request));
    view.waiting.push_back(std::move(waiting));
  }
  view.machines = std::move(machines);
  ORLOP_TRY(mark, pending_mark(unit, environment));
  view.pending_mark = mark;
  return view;
}

Result<Machine> require_request(Unit& unit, const Id& id) {
  ORLOP_TRY(machine, unit.machine(id));
  if (!machine || machine->family != deployment_request_number) return not_found("deployment request", id);
  return *machine;
}

Result<RequestBody> body_of_request(Unit& unit, const Id& id) {
  ORLOP_TRY(record, unit.record(id));
  if (!record) return not_found("deployment request", id);
  return parse_request(record->body);
}

}  // namespace orlop
