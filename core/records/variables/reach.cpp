#include "records/variables/reach.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bulk_job_number.h"
#include "model/registry.h"
#include "records/bulk_jobs/part_bound.h"
#include "records/service_count.h"

namespace orlop {
namespace {

// Reports whether a mark would change the row: a service that was never deployed cannot go out of date.
bool needs_mark(const Machine& machine) {
  if (!is_service(machine.family)) return false;
  return static_cast<Freshness>(machine.freshness) == Freshness::up_to_date || machine.active;
}

Result<void> mark(Unit& unit, const Id& organization, Machine machine) {
  return unit.hooks().reached == nullptr ? Result<void>()
                                         : unit.hooks().reached(unit, organization, std::move(machine));
}

// Returns the environments whose services see variables of the owner; none if it is a service.
Result<std::vector<Id>> environments_of(Unit& unit, const Record& owner, const Id& after = {}) {
  const Family* family = find_family(owner.family);
  if (family == nullptr || family->machine == MachineKind::service) return std::vector<Id>();
  if (family->machine == MachineKind::environment) return std::vector<Id>{owner.id};
  RecordRange range;
  range.key = owner.id;
  range.family = find_family("environment")->number;
  range.after = after;
  range.fields = RecordRange::Fields::no_text;
  std::vector<Id> environments;
  ORLOP_TRY(records, unit.records(range));
  for (const Record& environment : records) environments.push_back(environment.id);
  return environments;
}

Result<void> mark_all(Unit& unit, const Record& owner, std::vector<Machine> machines) {
  for (Machine& machine : machines) {
    if (needs_mark(machine)) ORLOP_CHECK(mark(unit, owner.organization, std::move(machine)));
  }
  return {};
}

// Reports whether a deployment after the change has read it.
bool has_read(const Machine& service, Instant changed_at) {
  return service.timing.started_at && changed_at < *service.timing.started_at &&
         service.configuration != ConfigurationState::pending;
}

// Returns the machines of jobs below this owner that still mark services.
Result<std::vector<Machine>> marking_jobs(Unit& unit, const Id& owner) {
  std::vector<Machine> marking;
  RecordRange range;
  range.key = owner;
  range.family = bulk_job_number;
  range.fields = RecordRange::Fields::no_text;
  ORLOP_TRY(jobs, unit.records(range));
  for (const Record& job : jobs) {
    ORLOP_TRY(machine, unit.machine(job.id));
    if (machine && static_cast<JobKind>(machine->state) == JobKind::marking) marking.push_back(*machine);
  }
  return marking;
}

constexpr std::size_t read_by_part = 2000;  // services that a part reads, whether it marks them or not
constexpr std::size_t records_read_at_once = 250;

// Last service that earlier parts have read, and its environment. Nil: none yet.
struct Cursor {
  Id environment;
  Id service;
};

constexpr std::string_view environment_name = "environment_id";
constexpr std::string_view service_name = "service_id";

Cursor cursor_of(const JobPart& job) {
  if (!job.detail().is_object()) return {};
  const auto id_in = [&job](std::string_view name) { return parse_id(job.detail().text_or(name, "")).value_or(Id{}); };
  return {id_in(environment_name), id_in(service_name)};
}

Value detail_of(const Cursor& cursor) {
  Value detail = Value::object();
  detail.set(environment_name, Value(to_text(cursor.environment)));
  detail.set(service_name, Value(to_text(cursor.service)));
  return detail;
}

// Returns the services of the environment after `after`, ascending by id.
Result<std::vector<Id>> next_services(Unit& unit, const Id& environment, const Id& after, Id& last) {
  RecordRange range;
  range.key = environment;
  range.after = after;
  range.limit = records_read_at_once;
  range.fields = RecordRange::Fields::no_text;
  ORLOP_TRY(children, unit.records(range));
  std::vector<Id> services;
  for (const Record& child : children) {
    if (is_service(child.family)) services.push_back(child.id);
  }
  last = children.empty() ? Id{} : children.back().id;
  ORLOP_CHECK(unit.load(services));
  return services;
}

struct MarkPart {
  Unit& unit;
  const JobPart& job;
  PartBound bound;
  std::size_t read = 0;
  bool is_full() { return read >= read_by_part || bound.is_reached(); }
};

// Marks the services after the cursor in its environment; false if the part is full before the last.
Result<bool> mark_environment(MarkPart& part, Cursor& cursor) {
  while (true) {
    Id last;
    ORLOP_TRY(services, next_services(part.unit, cursor.environment, cursor.service, last));
    if (last.is_nil()) return true;
    for (const Id& id : services) {
      ++part.read;
      cursor.service = id;
      ORLOP_TRY(service, part.unit.machine(id));
      if (!service || !needs_mark(*service) || has_read(*service, part.job.begun_at())) continue;
      ORLOP_CHECK(mark(part.unit, part.job.organization(), *service));
      if (part.is_full()) return false;
    }
    cursor.service = last;
    if (part.is_full()) return false;
  }
}

Result<void> mark_environments(Unit& unit, const Record& owner, const std::vector<Id>& environments) {
  for (const Id& environment : environments) {
    ORLOP_TRY(machines, unit.machines(environment));
    ORLOP_CHECK(mark_all(unit, owner, std::move(machines)));
  }
  return {};
}

Result<void> begin_marking(Unit& unit, const Record& owner, const std::vector<Id>& environments) {
  ORLOP_TRY(has_services, has_more_services(unit, environments, 0));
  if (!has_services) return {};
  // The new job marks all services that an earlier job still has to mark, and replaces it.
  ORLOP_TRY(earlier, marking_jobs(unit, owner.id));
  for (const Machine& job : earlier) unit.erase(job.id);
  begin_job(unit, owner, {.kind = JobKind::marking});
  return {};
}

}  // namespace

Result<void> mark_reached(Unit& unit, const Record& owner) {
  const Family* family = find_family(owner.family);
  if (family != nullptr && family->machine == MachineKind::service) {
    ORLOP_TRY(machine, unit.machine(owner.id));
    return machine && needs_mark(*machine) ? mark(unit, owner.organization, *machine) : Result<void>();
  }
  return mark_reached(unit, std::span(&owner, 1));
}

Result<void> mark_reached(Unit& unit, std::span<const Record> owners) {
  std::vector<std::vector<Id>> environments;
  std::vector<Id> all;
  for (const Record& owner : owners) {
    ORLOP_TRY(found, environments_of(unit, owner));
    all.insert(all.end(), found.begin(), found.end());
    environments.push_back(std::move(found));
  }
  ORLOP_TRY(are_many, has_more_services(unit, all, reached_at_once_max));
  for (std::size_t at = 0; at < owners.size(); ++at) {
    ORLOP_CHECK(are_many ? begin_marking(unit, owners[at], environments[at])
                         : mark_environments(unit, owners[at], environments[at]));
  }
  return {};
}

Result<PartEnd> mark_part(Unit& unit, JobPart job) {
  ORLOP_TRY(owner, unit.record(job.parent()));
  if (!owner) return job.finish(unit);
  Cursor cursor = cursor_of(job);
  std::vector<Id> environments;
  if (!cursor.environment.is_nil()) environments.push_back(cursor.environment);
  if (cursor.environment != owner->id) {
    ORLOP_TRY(others, environments_of(unit, *owner, cursor.environment));
    environments.insert(environments.end(), others.begin(), others.end());
  }
  MarkPart part{unit, job, PartBound(unit)};
  for (const Id& environment : environments) {
    if (environment != cursor.environment) cursor = {environment, {}};
    ORLOP_TRY(is_done, mark_environment(part, cursor));
    if (!is_done) return job.pause(unit, detail_of(cursor));
  }
  return job.finish(unit);
}

Result<std::optional<Instant>> pending_mark(Unit& unit, const Id& environment) {
  std::optional<Instant> newest;
  ORLOP_TRY(machine, unit.machine(environment));
  for (const Id& owner : {environment, machine ? machine->owner : Id{}}) {
    if (owner.is_nil()) continue;
    ORLOP_TRY(jobs, marking_jobs(unit, owner));
    for (const Machine& job : jobs) newest = std::max(newest.value_or(job.changed_at), job.changed_at);
  }
  return newest;
}

Freshness freshness_under(const std::optional<Instant>& pending_mark, const Machine& service) {
  const auto stored = static_cast<Freshness>(service.freshness);
  const bool is_marked = stored == Freshness::up_to_date && pending_mark && !has_read(service, *pending_mark);
  return is_marked ? Freshness::out_of_date : stored;
}

}  // namespace orlop
