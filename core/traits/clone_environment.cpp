#include "traits/clone_environment.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/registry.h"
#include "ops/verbs.h"
#include "traits/stage_list.h"
#include "wire/json.h"
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

Result<std::unordered_map<Id, Id>> copy_services(Unit& unit, const Id& source, const Id& copy,
                                                 const std::unordered_map<Id, Id>& places) {
  ORLOP_TRY(machines, unit.machines(source));
  std::unordered_map<Id, Id> services;
  for (const Machine& machine : machines) {
    const Family* family = find_family(machine.family);
    if (family == nullptr || !is_service(*family)) continue;
    ORLOP_TRY(original, require(unit, *family, machine.id));
    ORLOP_TRY(request, as_request(*family, original));
    ORLOP_TRY(record, create_record(unit, *family, copy, request));
    ORLOP_TRY(own, require_machine(unit, record.id));
    if (const auto place = places.find(machine.stage); place != places.end()) own.stage = place->second;
    own.traits |= machine.traits & static_cast<std::uint32_t>(MachineTrait::skipped);
    unit.put(std::move(own));
    services[machine.id] = record.id;
  }
  return services;
}

}  // namespace

Result<EnvironmentCopy> copy_environment(Unit& unit, const Record& source, const CloneOptions& options) {
  ORLOP_TRY(environment, copy_environment_record(unit, source, options));
  ORLOP_TRY(places, copy_stages(unit, source.id, environment.id));
  ORLOP_TRY(services, copy_services(unit, source.id, environment.id, places));
  return EnvironmentCopy{std::move(environment), std::move(services)};
}

}  // namespace orlop
