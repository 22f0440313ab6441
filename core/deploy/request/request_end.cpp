// The end of a request: its result, timings and history.
#include <algorithm>
#include <string>
#include <utility>

#include "deploy/request/request_history.h"
#include "deploy/request/request_parts.h"
#include "unit/deletions.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::size_t history_kept_min = 20;  // requests; a lower setting has no effect

Result<void> forget_oldest(Unit& unit, const Id& environment) {
  ORLOP_TRY(requests, request_machines(unit, environment));
  std::erase_if(requests, is_unfinished);
  const std::size_t kept = std::max<std::size_t>(unit.settings().history_kept, history_kept_min);
  for (std::size_t at = 0; at + kept < requests.size(); ++at) {
    ORLOP_CHECK(erase_history(unit, requests[at].id));
    unit.erase(requests[at].id);
  }
  return {};
}

std::string told_at_end(const RequestBody& body) {
  const bool is_uninstall = body.action == Action::uninstall;
  if (body.reason.empty() && !is_uninstall) return {};
  Writer out;
  out.begin_object();
  if (!body.reason.empty()) out.field("reason", body.reason);
  if (is_uninstall) out.field("uninstall", true);
  out.end_object();
  return std::move(out).take();
}

// Makes this the environment's last request. While another request runs, one that ended while waiting does not replace
// it.
Result<void> follow(Unit& unit, const StoredRequest& request, ServiceState status) {
  ORLOP_TRY(environment, unit.machine(request.body.environment));
  if (!environment) return {};
  if (environment->request != request.body.id) {
    ORLOP_TRY(current, unit.machine(environment->request));
    if (current && is_unfinished(*current)) return {};
  }
  Machine following = *environment;
  following.request = request.body.id;
  following.action = request.machine.action;
  following.state = static_cast<std::uint8_t>(status);
  following.changed_at = unit.now();
  if (request.body.action == Action::deploy && status == ServiceState::deployed)
    following.last_deployment_at = unit.now();
  unit.put(std::move(following));
  return {};
}

}  // namespace

Result<void> end_request(Unit& unit, StoredRequest&& request, ServiceState status) {
  ORLOP_TRY(history, RequestHistory::of(unit, request.body));
  return end_request(unit, std::move(request), status, std::move(history));
}

Result<void> end_request(Unit& unit, StoredRequest&& request, ServiceState status, RequestHistory history) {
  request.body.ended_at = history.ended_at;
  request.body.status = status;
  if (history.stored == 0 && history.parts.size() == 1) {
    request.body.stages = std::move(history.parts.front());
  } else {
    while (!history.parts.empty()) {
      ORLOP_TRY(is_stored, store_history_part(unit, request.record, history));
      if (!is_stored)
        return make_error(ErrorCode::lost_update,
                          "the history of deployment request " + to_text(request.body.id) + " was written meanwhile");
    }
  }
  request.body.planned.clear();
  request.machine.state = static_cast<std::uint8_t>(RequestState::ended);
  request.machine.active = false;
  request.machine.changed_at = unit.now();
  emit_request(unit, request, EventKind::request_ended, status, told_at_end(request.body));
  ORLOP_CHECK(follow(unit, request, status));
  ORLOP_CHECK(resume_deletions(unit, request.record.organization));
  const Id environment = request.body.environment;
  put_request(unit, std::move(request));
  return forget_oldest(unit, environment);
}

}  // namespace orlop
