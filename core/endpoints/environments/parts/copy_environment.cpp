#include "endpoints/environments/parts/copy_environment.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "deploy/request/deployment_request.h"
#include "deploy/request/queuing.h"
#include "endpoints/billing/parts/limits_of_plan.h"
#include "endpoints/environments/parts/stage_list.h"
#include "endpoints/operation_registry.h"
#include "model/plan_flag.h"
#include "model/registry.h"
#include "records/bulk_jobs/part_bound.h"
#include "records/record_value.h"
#include "records/tree/copy_children.h"
#include "records/variables/copied_texts.h"
#include "records/variables/copy_variables.h"
#include "records/write_record.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::size_t linked_by_part = 1000;  // services that a part checks for variables that name other services

constexpr std::string_view preview_mode = "PREVIEW";

// Sets the mode after the environment was created, because the family's rules refuse previews from clients.
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
  forget_lost_aliases(request);
  if (options.cluster) request.set("cluster_id", Value(to_text(*options.cluster)));
  if (mode == preview_mode) {
    request.erase("mode");
  } else {
    request.set("mode", Value(mode));
  }
  ORLOP_TRY(copy, create_record(unit, family, options.project.value_or(source.parent), request));
  return mode == preview_mode ? make_preview(unit, family, copy.id) : require(unit, family, copy.id);
}

// Takes the stage with this name out of `present`; creates one if there is none.
Result<Id> matching_stage(Unit& unit, const Id& environment, const Stage& original, std::vector<Stage>& present) {
  const std::string_view name = original.body.text_or("name", "");
  const auto found =
      std::ranges::find(present, name, [](const Stage& stage) { return stage.body.text_or("name", ""); });
  if (found != present.end()) {
    const Id id = found->record.id;
    present.erase(found);
    return id;
  }
  ORLOP_TRY(request, as_request(stage_family(), original.record));
  ORLOP_TRY(stage, create_record(unit, stage_family(), environment, request));
  return stage.id;
}

// Gives the copy the stages of the original, in their order; returns the copies' stages by those of the original.
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

std::vector<std::string> behind_name(const Record& service, std::vector<std::string> keys) {
  for (std::string& key : keys) key.insert(0, name_of(service) + "/");
  return keys;
}

void append(std::vector<std::string>& to, std::vector<std::string> from) {
  std::ranges::move(from, std::back_inserter(to));
}

struct ServiceCopy {
  Id id;
  CopiedVariables variables;
};

// Copies the records below the service, with at most `variables_max` variables. Counts them first, which is cheaper:
// most services have none.
Result<CopiedVariables> copy_below(Unit& unit, const Family& family, const Record& original, const Record& copy,
                                   std::size_t variables_max) {
  const Id keys[] = {original.id};
  ORLOP_TRY(below, unit.stored().counts({.keys = keys}));
  const auto is_variable = [](const RecordCount& count) { return count.family == variable_number; };
  CopiedVariables copied;
  copied.names_siblings = may_name_resource(original);
  if (!std::ranges::all_of(below, is_variable)) {
    std::unordered_map<Id, Id> copies;
    ORLOP_TRY(names_resources, copy_children(unit, original, copy, copies));
    copied.names_siblings = copied.names_siblings || names_resources;
  }
  if (!has_variables(family) || std::ranges::none_of(below, is_variable)) return copied;
  ORLOP_TRY(places, variable_copy(unit, original, copy));
  ORLOP_TRY(variables, copy_variables(unit, places, {.limit = variables_max}));
  variables.names_siblings = variables.names_siblings || copied.names_siblings;
  return std::move(variables);
}

// Copies a service's record, with another tag if the preview concerns it. The stored text holds read-only members,
// which a new record ignores: removing them costs more. Only if it holds members that this version does not know, it is
// converted to a request first.
Result<NewRecord> copy_record(Unit& unit, const Family& family, const Record& original, const Id& environment,
                              const PreviewImage& preview) {
  const auto put = [&](Value body) {
    preview.set_tag(family, body);
    forget_lost_aliases(body);
    return put_new_record(unit, family, environment, body);
  };
  ORLOP_TRY(stored, full_value(original));
  auto made = put(std::move(stored));
  if (made || made.error().code != ErrorCode::invalid) return made;
  ORLOP_TRY(request, as_request(family, original));
  return put(std::move(request));
}

// `record`: the original's. `stage`: nil for the default stage of its kind.
Result<ServiceCopy> copy_service(Unit& unit, const Record& record, const Machine& original, const Id& environment,
                                 const Id& stage, const PreviewImage& preview, std::size_t variables_max = SIZE_MAX) {
  const Family& family = *find_family(original.family);
  ORLOP_TRY(copy, copy_record(unit, family, record, environment, preview));
  ORLOP_CHECK(after_create(
      unit, {.family = family, .record = copy.record, .plan_flags = copy.plan_flags, .stage = stage, .is_copy = true}));
  ORLOP_TRY(variables, copy_below(unit, family, record, copy.record, variables_max));
  variables.lost = behind_name(copy.record, std::move(variables.lost));
  if (has(original.plan_flags, PlanFlag::skipped)) {
    ORLOP_TRY(machine, require_machine(unit, copy.record.id));
    machine.plan_flags |= static_cast<std::uint32_t>(PlanFlag::skipped);
    unit.put(std::move(machine));
  }
  return ServiceCopy{copy.record.id, variables};
}

// Copies the parts of a service that name other services. Returns the aliases that are left out, each after the name of
// the service.
Result<std::vector<std::string>> link_service(Unit& unit, const Id& original, const Id& copy) {
  ORLOP_TRY(from, unit.record(original));
  ORLOP_TRY(to, unit.record(copy));
  if (!from || !to) return std::vector<std::string>();
  ORLOP_TRY(places, variable_copy(unit, *from, *to));
  ORLOP_TRY(lost, copy_sibling_links(unit, places));
  return behind_name(*to, std::move(lost));
}

Result<std::vector<std::string>> copy_own_variables(Unit& unit, const Record& source, const Record& environment) {
  ORLOP_TRY(places, variable_copy(unit, source, environment));
  ORLOP_TRY(copied, copy_variables(unit, places));
  return std::move(copied.lost);
}

Id place_of(const std::unordered_map<Id, Id>& places, const Id& stage) {
  const auto found = places.find(stage);
  return found == places.end() ? Id{} : found->second;
}

constexpr std::string_view image_name = "image";
constexpr std::string_view tag_name = "tag";
constexpr std::string_view all_name = "all";
constexpr std::string_view variable_name = "variable_id";

// Detail of a job of kind copy, in addition to its services and source.
struct CopyDetail {
  std::unordered_map<Id, Id> places;  // stages of the copy by those of the original
  PreviewImage preview;
  Id variable;  // last variable copied of the current item, which has more; nil: the item has not begun
};

Value detail_of(const std::unordered_map<Id, Id>& places, const PreviewImage& preview) {
  Value stages = Value::object();
  for (const auto& [original, stage] : places) stages.set(to_text(original), Value(to_text(stage)));
  Value detail = Value::object();
  detail.set("stages", std::move(stages));
  if (!preview.is_none()) {
    detail.set(image_name, Value(preview.image));
    detail.set(tag_name, Value(preview.tag));
    detail.set(all_name, Value(preview.is_of_all));
  }
  return detail;
}

CopyDetail parse_detail(const Value& detail) {
  CopyDetail parsed;
  if (const Value* stages = detail.find("stages")) {
    for (const Member& member : stages->members()) {
      parsed.places[parse_id(member.name).value_or(Id{})] = parse_id(member.value.as_text()).value_or(Id{});
    }
  }
  parsed.variable = parse_id(detail.text_or(variable_name, "")).value_or(Id{});
  parsed.preview = {std::string(detail.text_or(image_name, "")), std::string(detail.text_or(tag_name, "")),
                    detail.boolean_or(all_name, false)};
  return parsed;
}

Result<std::vector<std::string>> link_environment(Unit& unit, const Record& source, const Record& environment) {
  ORLOP_TRY(places, variable_copy(unit, source, environment));
  return copy_sibling_links(unit, places);
}

Result<bool> has_many_variables(Unit& unit, const Id& environment) {
  const Id keys[] = {environment};
  ORLOP_TRY(counts, unit.stored().counts({.keys = keys, .family = variable_number}));
  return !counts.empty() && counts.front().count > copied_variables_by_part;
}

// Reports whether one commit can copy all of these services with the records below them.
Result<bool> is_copied_at_once(Unit& unit, const std::vector<Id>& services) {
  if (services.size() > copied_at_once_max || PartBound(unit).is_reached()) return false;
  ORLOP_TRY(counts, unit.stored().counts({.keys = services}));
  std::size_t below = 0;
  for (const RecordCount& count : counts) below += count.count;
  return below <= copied_below_at_once_max;
}

bool is_copied(FamilyNumber number) { return is_service(number) && find_family(number)->is_cloned; }

bool is_left_out(const Error& error) {
  return error.code == ErrorCode::conflict || error.code == ErrorCode::invalid || error.code == ErrorCode::not_found;
}

}  // namespace

namespace {

// Returns the image of a container, or of a job; null if none.
template <typename Any>
Any* image_of(const Family& family, Any& service) {
  if (family.name == "container") return &service;
  Any* source = family.name == "job" ? service.find("source") : nullptr;
  Any* image = source != nullptr && source->is_object() ? source->find("image") : nullptr;
  return image != nullptr && image->is_object() ? image : nullptr;
}

}  // namespace

bool PreviewImage::concerns(const Family& family, const Value& service) const {
  const Value* running = is_none() ? nullptr : image_of(family, service);
  return running != nullptr && running->text_or("image_name", "") == image && running->text_or("tag", "") != tag &&
         (is_of_all || service.boolean_or("auto_preview", false));
}

bool PreviewImage::set_tag(const Family& family, Value& service) const {
  if (!concerns(family, service)) return false;
  image_of(family, service)->set("tag", Value(tag));
  return true;
}

Result<EnvironmentCopy> copy_environment(Unit& unit, const Record& source, const CloneOptions& options) {
  ORLOP_TRY(environment, copy_environment_record(unit, source, options));
  ORLOP_TRY(places, copy_stages(unit, source.id, environment.id));
  ORLOP_TRY(is_large, has_many_variables(unit, source.id));
  std::vector<std::string> lost;
  if (!is_large) {
    ORLOP_TRY(own, copy_own_variables(unit, source, environment));
    lost = std::move(own);
  }
  ORLOP_TRY(originals, service_ids(unit, source.id, is_copied));
  ORLOP_CHECK(require_room(unit, source.organization, "services", static_cast<std::int64_t>(originals.size())));
  EnvironmentCopy copy{std::move(environment), {}, {}};
  ORLOP_TRY(is_small, is_large ? Result<bool>(false) : is_copied_at_once(unit, originals));
  if (!is_small) {
    if (is_large) originals.insert(originals.begin(), source.id);  // the environment's own variables
    copy.job = begin_job(
        unit, copy.environment,
        {.kind = JobKind::copy, .source = source.id, .detail = detail_of(places, options.preview), .items = originals});
    ORLOP_CHECK(list_lost_aliases(unit, copy.environment.id, lost));
    return copy;
  }
  std::vector<Id> linked;
  for (const Id& id : originals) {
    ORLOP_TRY(original, require_machine(unit, id));
    ORLOP_TRY(record, require(unit, *find_family(original.family), id));
    ORLOP_TRY(made, copy_service(unit, record, original, copy.environment.id, place_of(places, original.stage),
                                 options.preview));
    copy.services[id] = made.id;
    if (made.variables.names_siblings) linked.push_back(id);
    append(lost, std::move(made.variables.lost));
  }
  for (const Id& original : linked) {
    ORLOP_TRY(left_out, link_service(unit, original, copy.services.at(original)));
    append(lost, std::move(left_out));
  }
  ORLOP_TRY(left_out, link_environment(unit, source, copy.environment));
  append(lost, std::move(left_out));
  ORLOP_CHECK(list_lost_aliases(unit, copy.environment.id, lost));
  return copy;
}

Result<std::optional<Id>> copied_service(Unit& unit, const Id& original, const Record& environment) {
  ORLOP_TRY(record, unit.record(original));
  const Family* family = record ? find_family(record->family) : nullptr;
  if (family == nullptr) return std::optional<Id>();
  return unit.find(name_key(*family, environment.id, environment.organization, name_of(*record)));
}

namespace {

// Content of `progress` of a job: the number of services processed and, above it, a bit that is set if one of their
// copies is still to be linked. Once all are copied, the number counts linked services from 0.
constexpr std::uint64_t has_links_bit = std::uint64_t{1} << 40;

// Returns the owners of an item's variables and of their copies; nullopt if the item is gone.
Result<std::optional<VariableCopy>> places_of_item(Unit& unit, const JobPart& job, const Record& environment,
                                                   const Id& item) {
  ORLOP_TRY(source, unit.record(item));
  std::optional<Id> copy = environment.id;
  if (item != job.source()) {
    ORLOP_TRY(service, copied_service(unit, item, environment));
    copy = service;
  }
  ORLOP_TRY(made, copy ? unit.record(*copy) : Result<Shared<Record>>(Shared<Record>()));
  if (!source || !made) return std::optional<VariableCopy>();
  ORLOP_TRY(places, variable_copy(unit, *source, *made));
  places.is_in_parts = true;
  return std::optional(std::move(places));
}

// Copies an item: a service, or the environment itself with its own variables. If it has begun, copies its variables
// after the last one copied.
Result<CopiedVariables> copy_next(Unit& unit, const JobPart& job, const CopyDetail& detail, const Record& environment,
                                  std::size_t at) {
  const Id item = job.item(at);
  if (item == job.source() || !detail.variable.is_nil()) {
    ORLOP_TRY(places, places_of_item(unit, job, environment, item));
    if (!places) return CopiedVariables{};
    ORLOP_TRY(copied, copy_variables(unit, *places, {.after = detail.variable, .limit = copied_variables_by_part}));
    if (item != job.source()) copied.lost = behind_name(places->copy.nearest(), std::move(copied.lost));
    return std::move(copied);
  }
  // Read in this order: a store that has found the record by its id finds the machine by its number.
  ORLOP_TRY(record, unit.record(item));
  ORLOP_TRY(original, unit.machine(item));
  const Family* family = record && original ? find_family(original->family) : nullptr;
  if (family == nullptr || !is_service(*family) || original->owner != job.source()) return CopiedVariables{};
  const auto made = copy_service(unit, *record, *original, job.parent(), place_of(detail.places, original->stage),
                                 detail.preview, copied_variables_by_part);
  if (!made)
    return is_left_out(made.error()) ? Result<CopiedVariables>(CopiedVariables{})
                                     : Result<CopiedVariables>(made.error());
  return made->variables;
}

// Ends a part, storing the item and, in `detail`, the variable that it has reached.
Result<PartEnd> pause_at(Unit& unit, JobPart& job, const CopyDetail& detail, std::uint64_t progress) {
  const Id stored = parse_id(job.detail().text_or(variable_name, "")).value_or(Id{});
  if (detail.variable != stored) {
    Value changed = job.detail();
    changed.set(variable_name, Value(to_text(detail.variable)));
    ORLOP_TRY(end, job.pause(unit, std::move(changed)));
    if (end == PartEnd::done) return end;
  }
  return job.pause(unit, progress);
}

Result<std::vector<std::string>> link_next(Unit& unit, const JobPart& job, const Record& environment, std::size_t at) {
  ORLOP_TRY(original, unit.machine(job.item(at)));
  if (!original || original->owner != job.source()) return std::vector<std::string>();
  ORLOP_TRY(copy, copied_service(unit, original->id, environment));
  return copy ? link_service(unit, original->id, *copy) : Result<std::vector<std::string>>(std::vector<std::string>());
}

// Deploys a preview that is complete. If its cluster accepts no deployment any more, it stays undeployed.
Result<PartEnd> finish_copy(Unit& unit, JobPart& job, const CopyDetail& detail, const Record& environment) {
  ORLOP_TRY(source, unit.record(job.source()));
  if (source) {
    ORLOP_TRY(lost, link_environment(unit, *source, environment));
    ORLOP_CHECK(list_lost_aliases(unit, environment.id, lost));
  }
  job.finish(unit);
  if (detail.preview.is_none()) return PartEnd::done;
  const auto deployed = deploy_preview(unit, environment.id);
  return deployed || is_left_out(deployed.error()) ? Result<PartEnd>(PartEnd::done) : Result<PartEnd>(deployed.error());
}

}  // namespace

Result<void> deploy_preview(Unit& unit, const Id& environment) {
  Order order;
  order.environment = environment;
  order.whole_environment = true;
  order.author = std::string(unit.author());
  auto placed = enqueue(unit, order);
  return placed ? Result<void>() : Result<void>(std::move(placed).error());
}

Result<PartEnd> copy_part(Unit& unit, JobPart job) {
  ORLOP_TRY(environment, unit.record(job.parent()));
  if (!environment) return PartEnd::done;
  CopyDetail detail = parse_detail(job.detail());
  const std::size_t count = job.item_count();
  const std::size_t begin = job.progress() & ~has_links_bit;
  std::size_t at = begin;
  bool has_links = (job.progress() & has_links_bit) != 0;
  PartBound bound(unit);
  std::vector<std::string> lost;
  while (at < count && !bound.is_reached()) {
    ORLOP_TRY(copied, copy_next(unit, job, detail, *environment, at));
    has_links = has_links || copied.names_siblings;
    append(lost, std::move(copied.lost));
    detail.variable = copied.last;
    if (copied.last.is_nil()) ++at;
  }
  ORLOP_CHECK(list_lost_aliases(unit, environment->id, lost));
  if (at == count && !has_links) {
    // The deployment of a preview lists all services: it gets a separate commit.
    const bool is_over = at == begin || detail.preview.is_none();
    return is_over ? finish_copy(unit, job, detail, *environment) : pause_at(unit, job, detail, at);
  }
  std::vector<std::string> left_out_aliases;
  for (std::size_t read = 0; at >= count && at < 2 * count && read < linked_by_part && !bound.is_reached();
       ++at, ++read) {
    ORLOP_TRY(left_out, link_next(unit, job, *environment, at - count));
    append(left_out_aliases, std::move(left_out));
  }
  ORLOP_CHECK(list_lost_aliases(unit, environment->id, left_out_aliases));
  if (at >= 2 * count) return finish_copy(unit, job, detail, *environment);
  return pause_at(unit, job, detail, at | (has_links ? has_links_bit : 0));
}

}  // namespace orlop
