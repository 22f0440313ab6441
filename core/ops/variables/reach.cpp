#include "ops/variables/reach.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lifecycle/state.h"
#include "model/registry.h"
#include "store/partition.h"
#include "wire/json.h"
#include "wire/member.h"
#include "wire/writer.h"

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

constexpr std::size_t id_size = 36;
constexpr std::string_view services_name = "services";

// The ids stand one after the other, without separators.
void begin_marking(Unit& unit, const Record& owner, std::span<const Machine> services) {
  Record record;
  record.id = unit.make_id();
  record.family = marking_number;
  record.parent = owner.id;
  record.organization = owner.organization;
  std::string ids;
  ids.reserve(services.size() * id_size);
  for (const Machine& service : services) append_text(ids, service.id);
  Writer body(ids.size() + 256);
  body.begin_object().field("id", record.id).field("created_at", unit.now()).field("author", unit.author());
  body.field(services_name, std::string_view(ids)).end_object();
  record.body = std::move(body).take();
  Machine machine;
  machine.id = record.id;
  machine.family = marking_number;
  machine.owner = record.id;
  machine.partition = partition_of(owner.organization);
  machine.active = true;
  machine.changed_at = unit.now();
  unit.begin_job({.id = record.id, .hides = Id{}, .partition = machine.partition});
  unit.put(std::move(record));
  unit.put(std::move(machine));
}

// A deployment that began after the change has read it.
bool has_read(const Machine& service, Instant changed_at) {
  return service.detail.started_at && changed_at < *service.detail.started_at && service.configuration != ConfigurationState::pending;
}

}  // namespace

Result<void> mark_reached(Unit& unit, const Record& owner) {
  ORLOP_TRY(services, services_below(unit, owner));
  const std::size_t now = std::min(services.size(), reached_at_once_max);
  for (std::size_t at = 0; at < now; ++at) ORLOP_CHECK(mark(unit, owner.organization, std::move(services[at])));
  if (now < services.size()) begin_marking(unit, owner, std::span(services).subspan(now));
  return {};
}

Result<bool> mark_chunk(Unit& unit, const Machine& job) {
  ORLOP_TRY(record, unit.record(job.id));
  if (!record || record->family != marking_number) return true;
  std::string_view ids = raw_member(record->body, services_name);
  if (ids.size() < 2) return make_error(ErrorCode::storage_corrupt, "the store holds a job whose text the library did not write");
  ids = ids.substr(1, ids.size() - 2);
  const auto author = parse_stored(raw_member(record->body, "author"));
  if (author) unit.set_author(author->as_text());
  const std::size_t count = ids.size() / id_size;
  const std::size_t begin = std::min<std::size_t>(job.progress, count);
  const std::size_t end = std::min(begin + reached_at_once_max, count);
  for (std::size_t at = begin; at < end; ++at) {
    ORLOP_TRY(service, unit.machine(parse_id(ids.substr(at * id_size, id_size)).value_or(Id{})));
    if (!service || !needs_mark(*service) || has_read(*service, job.changed_at)) continue;
    ORLOP_CHECK(mark(unit, record->organization, std::move(*service)));
  }
  if (end == count) {
    unit.erase(job.id);
    return true;
  }
  Machine next = job;
  next.progress = end;
  unit.put(std::move(next));
  return false;
}

}  // namespace orlop
