#include "deploy/request/rollback_order.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/brand.h"
#include "deploy/driver/released_configuration.h"
#include "deploy/request/request_parts.h"
#include "releases/release_records.h"
#include "unit/unique_name.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// The digest of a configuration does not hold the commit of a branch, nor the image of a tag.
bool are_same(const Release& one, const Release& other) {
  return one.number == other.number ||
         (!one.digest.empty() && one.digest == other.digest && one.version == other.version);
}

struct Found {
  const Release* release = nullptr;  // null: the service had none, or it is not kept any more
  bool is_running = false;           // the service runs it
  bool is_expired = false;
};

// Finds the newest release for which `is_old` holds. The requests of an environment are executed one after the other,
// and their ids ascend.
template <typename IsOld>
Result<Found> find_release(Unit& unit, const Id& service, const std::vector<Release>& releases, IsOld is_old) {
  const auto release = std::ranges::find_if(releases, is_old, &Release::request);
  if (release == releases.end()) return Found{.is_expired = !releases.empty() && releases.back().number > 1};
  ORLOP_TRY(newest, newest_release(unit, service));
  return Found{&*release, newest.runs && are_same(releases.front(), *release)};
}

bool asks_for_rollback(const Value& environment) { return environment.text_or("on_failure", "") == "ROLLBACK"; }

}  // namespace

bool rolls_back(const RequestBody& request) {
  return std::ranges::any_of(request.overrides.members(),
                             [](const Member& entry) { return entry.value.find(rollback_name) != nullptr; });
}

Result<std::vector<RollbackTarget>> targets_after(Unit& unit, const Id& environment, const Id& request) {
  std::vector<RollbackTarget> targets;
  ORLOP_TRY(machines, services_of(unit, environment));
  for (const Machine& machine : machines) {
    ORLOP_TRY(releases, releases_of(unit, machine.id));
    ORLOP_TRY(found, find_release(unit, machine.id, releases, [&](const Id& made_by) { return made_by <= request; }));
    if (found.is_expired) {
      ORLOP_TRY(service, unit.record(machine.id));
      return make_error(ErrorCode::conflict, "the release that the service \"" + (service ? name_of(*service) : "") +
                                                 "\" had when the deployment request ended is not kept any more");
    }
    if (found.release != nullptr && !found.is_running) targets.push_back({machine.id, found.release->number});
  }
  return targets;
}

Result<std::vector<RollbackTarget>> targets_before(Unit& unit, const RequestBody& request) {
  std::vector<RollbackTarget> targets;
  ORLOP_TRY(machines, services_moved(unit, request));
  for (const Machine& machine : machines) {
    ORLOP_TRY(releases, releases_of(unit, machine.id));
    ORLOP_TRY(found, find_release(unit, machine.id, releases, [&](const Id& made_by) { return made_by < request.id; }));
    if (found.release != nullptr && !found.is_running) targets.push_back({machine.id, found.release->number});
  }
  return targets;
}

Order rollback_order(const Id& environment, std::span<const RollbackTarget> targets, std::string_view author) {
  Order order;
  order.environment = environment;
  order.author = std::string(author);
  Writer overrides;
  overrides.begin_object();
  for (const RollbackTarget& target : targets) {
    order.services.push_back(target.service);
    overrides.key(to_text(target.service)).begin_object().field(rollback_name, std::int64_t{target.release});
    overrides.end_object();
  }
  overrides.end_object();
  order.overrides = std::move(overrides).take();
  return order;
}

Result<void> roll_back_failed(Unit& unit, const RequestBody& failed) {
  if (failed.action != Action::deploy || rolls_back(failed) || unit.settings().releases_kept.value_or(0) == 0)
    return {};
  ORLOP_TRY(environment, unit.record(failed.environment));
  if (!environment) return {};
  ORLOP_TRY(body, unit.value_of(*environment));
  if (!asks_for_rollback(*body)) return {};
  ORLOP_TRY(requests, request_machines(unit, failed.environment));
  if (std::ranges::any_of(requests, is_unfinished)) return {};
  ORLOP_TRY(targets, targets_before(unit, failed));
  if (targets.empty()) return {};
  Order order = rollback_order(failed.environment, targets, failed.triggered_by);
  order.origin = branded(branded_names::internal_origin, unit.settings().brand);
  const auto queued = enqueue(unit, order);
  // A service that allows no deployment now, such as one that is being deleted, keeps the failed state.
  if (!queued && queued.error().code != ErrorCode::conflict) return queued.error();
  return {};
}

}  // namespace orlop
