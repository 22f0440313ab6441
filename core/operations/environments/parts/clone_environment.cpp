#include "operations/environments/parts/clone_environment.h"

#include <algorithm>
#include <string>
#include <utility>
#include <unordered_map>
#include <vector>

#include "model/plan_flag.h"
#include "model/registry.h"
#include "operations/environments/parts/stage_list.h"
#include "operations/registry.h"
#include "ops/name.h"
#include "ops/tree/copy_children.h"
#include "ops/variables/copy.h"
#include "ops/verbs.h"
#include "store/partition.h"
#include "wire/json.h"
#include "wire/member.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::string_view preview_mode = "PREVIEW";

// A rule of the family keeps clients from making previews, so that the engine gives the mode afterwards.
Result<Record> make_preview(Unit& unit, const Family& family, const Id& environment) {
  ORLOP_TRY(record, require(unit, family, environment));
  ORLOP_TRY(body, parse_stored(record.body));
  body.set("mode", Value(preview_mode));
  record.body = to_json(body);
  unit.put(record);
  return require(unit, family, environment);
}

Result<Record> copy_environment_record(Unit& unit, const Record& source, const CloneOptions& options) {
  const Family& family = *find_family("environment");
  ORLOP_TRY(request, as_request(family, source));
  const std::string mode(options.mode.empty() ? request.text_or("mode", "") : options.mode);
  request.set("name", Value(options.name));
  if (options.cluster) request.set("cluster_id", Value(to_text(*options.cluster)));
  if (mode == preview_mode) {
    request.erase("mode");
  } else {
    request.set("mode", Value(mode));
  }
  ORLOP_TRY(copy, create_record(unit, family, options.project.value_or(source.parent), request));
  return mode == preview_mode ? make_preview(unit, family, copy.id) : require(unit, family, copy.id);
}

// The stage of `present` with this name, taken out of the list; else a new one.
Result<Id> matching_stage(Unit& unit, const Id& environment, const Stage& original, std::vector<Stage>& present) {
  const std::string_view name = original.body.text_or("name", "");
  const auto found = std::ranges::find(present, name, [](const Stage& stage) { return stage.body.text_or("name", ""); });
  if (found != present.end()) {
    const Id id = found->record.id;
    present.erase(found);
    return id;
  }
  ORLOP_TRY(request, as_request(stage_family(), original.record));
  ORLOP_TRY(stage, create_record(unit, stage_family(), environment, request));
  return stage.id;
}

// Gives the copy the stages of the original, in their order; answers which one stands for which.
Result<std::unordered_map<Id, Id>> copy_stages(Unit& unit, const Id& source, const Id& copy) {
  ORLOP_TRY(originals, stages_of(unit, source));
  ORLOP_TRY(present, stages_of(unit, copy));
  std::unordered_map<Id, Id> places;
  std::vector<Id> order;
  for (const Stage& original : originals) {
    ORLOP_TRY(stage, matching_stage(unit, copy, original, present));
    places[original.record.id] = stage;
    order.push_back(stage);
  }
  for (const Stage& surplus : present) ORLOP_CHECK(remove_tree(unit, surplus.record));
  ORLOP_TRY(stages, stages_of(unit, copy));
  std::ranges::sort(stages, {},
                    [&order](const Stage& stage) { return std::ranges::find(order, stage.record.id) - order.begin(); });
  renumber(unit, stages);
  return places;
}

// The services of an environment, ascending by id.
Result<std::vector<Machine>> services_in(Unit& unit, const Id& environment) {
  ORLOP_TRY(machines, unit.machines(environment));
  std::erase_if(machines, [](const Machine& machine) {
    const Family* family = find_family(machine.family);
    return family == nullptr || !is_service(*family);
  });
  return std::move(machines);
}

struct ServiceCopy {
  Id id;
  bool has_sibling_links = false;  // variables of it name built-ins of other services
};

// `stage`: nil for that of its kind.
Result<ServiceCopy> copy_service(Unit& unit, const Machine& original, const Id& environment, const Id& stage) {
  const Family& family = *find_family(original.family);
  ORLOP_TRY(record, require(unit, family, original.id));
  ORLOP_TRY(request, as_request(family, record));
  ORLOP_TRY(copy, put_new_record(unit, family, environment, request));
  ORLOP_CHECK(after_create(unit, {.family = family, .record = copy.record, .plan_flags = copy.plan_flags, .stage = stage}));
  std::unordered_map<Id, Id> copies;
  ORLOP_CHECK(copy_children(unit, record, copy.record, copies));
  if (has(original.plan_flags, PlanFlag::skipped)) {
    ORLOP_TRY(machine, require_machine(unit, copy.record.id));
    machine.plan_flags |= static_cast<std::uint32_t>(PlanFlag::skipped);
    unit.put(std::move(machine));
  }
  if (!has_variables(family)) return ServiceCopy{copy.record.id, false};
  ORLOP_TRY(places, variable_copy(unit, record, copy.record));
  ORLOP_TRY(has_sibling_links, copy_variables(unit, places));
  return ServiceCopy{copy.record.id, has_sibling_links};
}

// The variables of a copied service that name built-ins of other services.
Result<void> link_service(Unit& unit, const Id& original, const Id& copy) {
  ORLOP_TRY(from, unit.record(original));
  ORLOP_TRY(to, unit.record(copy));
  if (!from || !to) return {};
  ORLOP_TRY(places, variable_copy(unit, *from, *to));
  return copy_sibling_links(unit, places);
}

Result<void> copy_own_variables(Unit& unit, const Record& source, const Record& environment) {
  ORLOP_TRY(places, variable_copy(unit, source, environment));
  ORLOP_TRY(has_sibling_links, copy_variables(unit, places));
  (void)has_sibling_links;
  return {};
}

Id place_of(const std::unordered_map<Id, Id>& places, const Id& stage) {
  const auto found = places.find(stage);
  return found == places.end() ? Id{} : found->second;
}

// What a job's record holds. The services are most of it and come last; they are found by their places in the text, so that a chunk does
// not parse them all.
struct CopyBody {
  Id source;
  std::string author;
  std::unordered_map<Id, Id> places;  // the copy's stage by that of the original
  std::string services;               // a JSON list of ids without spaces

  static constexpr std::size_t item_size = 39;  // an id, its quotes and a comma
  std::size_t service_count() const { return services.size() / item_size; }
  Id service(std::size_t at) const {
    return parse_id(std::string_view(services).substr(at * item_size + 2, item_size - 3)).value_or(Id{});
  }
};

Result<CopyBody> parse_copy(std::string_view text) {
  CopyBody body;
  body.services = raw_member(text, "services");
  const std::size_t head_size = text.find(",\"services\":");
  ORLOP_TRY(value, parse_stored(std::string(text.substr(0, head_size)) + (head_size == std::string_view::npos ? "" : "}")));
  body.source = parse_id(value.text_or("source", "")).value_or(Id{});
  body.author = value.text_or("author", "");
  if (const Value* stages = value.find("stages")) {
    for (const Member& member : stages->members()) {
      body.places[parse_id(member.name).value_or(Id{})] = parse_id(member.value.as_text()).value_or(Id{});
    }
  }
  return body;
}

// The record refers to the original, so that it stays until the copy is made.
void begin_copy(Unit& unit, const Id& source, const Record& environment, const std::unordered_map<Id, Id>& places,
                const std::vector<Machine>& services) {
  Record record;
  record.id = unit.make_id();
  record.family = copy_number;
  record.parent = environment.id;
  record.organization = environment.organization;
  Writer body;
  body.begin_object().field("id", record.id).field("created_at", unit.now()).field("source", source).field("author", unit.author());
  body.key("stages").begin_object();
  for (const auto& [original, stage] : places) body.field(to_text(original), stage);
  body.end_object().key("services").begin_list();
  for (const Machine& service : services) body.value(service.id);
  body.end_list().end_object();
  record.body = std::move(body).take();
  Machine machine;
  machine.id = record.id;
  machine.family = copy_number;
  machine.owner = record.id;
  machine.partition = partition_of(environment.organization);
  machine.active = true;
  machine.changed_at = unit.now();
  unit.begin_job({.id = record.id, .hides = Id{}, .partition = machine.partition});
  unit.put(std::move(record), std::nullopt, std::vector<Id>{source});
  unit.put(std::move(machine));
}

Result<void> link_environment(Unit& unit, const Record& source, const Record& environment) {
  ORLOP_TRY(places, variable_copy(unit, source, environment));
  return copy_sibling_links(unit, places);
}

bool is_left_out(const Error& error) {
  return error.code == ErrorCode::conflict || error.code == ErrorCode::invalid || error.code == ErrorCode::not_found;
}

}  // namespace

Result<EnvironmentCopy> copy_environment(Unit& unit, const Record& source, const CloneOptions& options) {
  ORLOP_TRY(environment, copy_environment_record(unit, source, options));
  ORLOP_TRY(places, copy_stages(unit, source.id, environment.id));
  ORLOP_CHECK(copy_own_variables(unit, source, environment));
  ORLOP_TRY(originals, services_in(unit, source.id));
  EnvironmentCopy copy{std::move(environment), {}};
  if (!options.at_once && originals.size() > copied_at_once_max) {
    begin_copy(unit, source.id, copy.environment, places, originals);
    return copy;
  }
  std::vector<Id> linked;
  for (const Machine& original : originals) {
    ORLOP_TRY(made, copy_service(unit, original, copy.environment.id, place_of(places, original.stage)));
    copy.services[original.id] = made.id;
    if (made.has_sibling_links) linked.push_back(original.id);
  }
  for (const Id& original : linked) ORLOP_CHECK(link_service(unit, original, copy.services.at(original)));
  ORLOP_CHECK(link_environment(unit, source, copy.environment));
  return copy;
}

// The copy of a service in the environment of the job: the one of its kind and name.
Result<std::optional<Id>> copied_service(Unit& unit, const Machine& original, const Record& job) {
  const Family* family = find_family(original.family);
  ORLOP_TRY(record, unit.record(original.id));
  if (family == nullptr || !record) return std::optional<Id>();
  return unit.find(name_key(*family, job.parent, job.organization, name_of(*record)));
}

// Once all services are copied, `progress` counts them again: now the variables that name other services are copied.
Result<bool> link_chunk(Unit& unit, const Machine& job, const Record& record, const CopyBody& body) {
  const std::size_t begin = std::min<std::size_t>(job.progress - body.service_count(), body.service_count());
  const std::size_t end = std::min(begin + copied_by_commit, body.service_count());
  for (std::size_t at = begin; at < end; ++at) {
    ORLOP_TRY(original, unit.machine(body.service(at)));
    if (!original || original->owner != body.source) continue;
    ORLOP_TRY(copy, copied_service(unit, *original, record));
    if (copy) ORLOP_CHECK(link_service(unit, original->id, *copy));
  }
  Machine next = job;
  next.progress = body.service_count() + end;
  if (end == body.service_count()) {
    ORLOP_TRY(source, unit.record(body.source));
    ORLOP_TRY(environment, unit.record(record.parent));
    if (source && environment) ORLOP_CHECK(link_environment(unit, *source, *environment));
    unit.erase(job.id);
    return true;
  }
  unit.put(std::move(next));
  return false;
}

// The job's machine counts the services that it has come to (`progress`).
Result<bool> copy_chunk(Unit& unit, const Machine& job) {
  ORLOP_TRY(record, unit.record(job.id));
  if (!record || record->family != copy_number) return true;
  ORLOP_TRY(body, parse_copy(record->body));
  unit.set_author(body.author);
  const std::size_t count = body.service_count();
  if (job.progress > count) return link_chunk(unit, job, *record, body);
  std::size_t at = std::min<std::size_t>(job.progress, count);
  const std::size_t end = std::min(at + copied_by_commit, count);
  for (; at < end && unit.changes().records.size() < records_by_commit; ++at) {
    ORLOP_TRY(original, unit.machine(body.service(at)));
    const Family* family = original ? find_family(original->family) : nullptr;
    if (family == nullptr || !is_service(*family) || original->owner != body.source) continue;
    const auto made = copy_service(unit, *original, record->parent, place_of(body.places, original->stage));
    if (!made && !is_left_out(made.error())) return made.error();
  }
  Machine next = job;
  next.progress = at;
  if (at == count) return link_chunk(unit, next, *record, body);
  unit.put(std::move(next));
  return false;
}

}  // namespace orlop
