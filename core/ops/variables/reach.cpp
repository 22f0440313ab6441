#include "ops/variables/reach.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lifecycle/state.h"
#include "model/registry.h"
#include "ops/jobs/part_bound.h"

namespace orlop {
namespace {

// Whether a mark would change the row: what was never deployed has nothing to go out of date.
bool needs_mark(const Machine& machine) {
  const Family* family = find_family(machine.family);
  if (family == nullptr || !is_service(*family)) return false;
  return static_cast<Freshness>(machine.freshness) == Freshness::up_to_date || machine.active;
}

Result<void> mark(Unit& unit, const Id& organization, Machine machine) {
  return unit.hooks().reached == nullptr ? Result<void>() : unit.hooks().reached(unit, organization, std::move(machine));
}

Result<void> add_services(Unit& unit, const Id& environment, std::vector<Machine>& into) {
  ORLOP_TRY(machines, unit.machines(environment));
  for (Machine& machine : machines) {
    if (needs_mark(machine)) into.push_back(std::move(machine));
  }
  return {};
}

Result<std::vector<Machine>> services_below(Unit& unit, const Record& owner) {
  std::vector<Machine> services;
  const Family* family = find_family(owner.family);
  if (family == nullptr) return services;
  if (family->machine == MachineKind::service) {
    ORLOP_TRY(machine, unit.machine(owner.id));
    if (machine && needs_mark(*machine)) services.push_back(std::move(*machine));
    return services;
  }
  if (family->machine == MachineKind::environment) {
    ORLOP_CHECK(add_services(unit, owner.id, services));
    return services;
  }
  RecordRange range;
  range.key = owner.id;
  range.family = find_family("environment")->number;
  range.with_text = false;
  ORLOP_TRY(environments, unit.records(range));
  for (const Record& environment : environments) ORLOP_CHECK(add_services(unit, environment.id, services));
  return services;
}

// A deployment that began after the change has read it.
bool has_read(const Machine& service, Instant changed_at) {
  return service.detail.started_at && changed_at < *service.detail.started_at && service.configuration != ConfigurationState::pending;
}

constexpr std::size_t read_by_part = 2000;  // services that one part looks at, whether it marks them or not

}  // namespace

Result<void> mark_reached(Unit& unit, const Record& owner) {
  ORLOP_TRY(services, services_below(unit, owner));
  const std::size_t now = std::min(services.size(), reached_at_once_max);
  for (std::size_t at = 0; at < now; ++at) ORLOP_CHECK(mark(unit, owner.organization, std::move(services[at])));
  std::vector<Id> later;
  for (std::size_t at = now; at < services.size(); ++at) later.push_back(services[at].id);
  if (!later.empty()) begin_job(unit, owner, {.kind = JobKind::marking, .items = later});
  return {};
}

Result<bool> mark_part(Unit& unit, JobPart job) {
  const std::size_t count = job.item_count();
  std::size_t at = job.progress();
  PartBound bound(unit);
  for (std::size_t read = 0; at < count && read < read_by_part && !bound.is_reached(); ++at, ++read) {
    ORLOP_TRY(service, unit.machine(job.item(at)));
    if (!service || !needs_mark(*service) || has_read(*service, job.begun_at())) continue;
    ORLOP_CHECK(mark(unit, job.organization(), std::move(*service)));
  }
  return at >= count ? job.finish(unit) : job.pause(unit, at);
}

}  // namespace orlop
