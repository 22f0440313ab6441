// Capacity of the clusters of a simulation.
#include <string>
#include <utility>

#include "base/text/utf8.h"
#include "deploy/request/request_parts.h"
#include "model/registry.h"
#include "sim/capacity/capacity_settings.h"
#include "sim/invalid_member.h"
#include "sim/simulator.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

bool runs(const Machine& service) {
  const auto state = static_cast<ServiceState>(service.state);
  return service.deployed != 0 && state != ServiceState::stopped && state != ServiceState::ready &&
         state != ServiceState::deleted;
}

// Returns the running step that needs capacity, if any.
StepKind needing_step(const Machine& service) {
  const auto kind = static_cast<StepKind>(service.step_kind);
  return kind == StepKind::deploy || kind == StepKind::execute ? kind : StepKind::none;
}

// Returns the services that were deployed and not stopped, and those that a step deploys or executes.
Result<Capacities::Found> running_on(Unit& unit, const Id& cluster) {
  RecordRange range;
  range.by = RecordRange::By::reference;
  range.key = cluster;
  range.family = environment_number;
  ORLOP_TRY(environments, unit.records(range));
  Capacities::Found found;
  for (const Record& environment : environments) {
    ORLOP_TRY(services, services_of(unit, environment.id));
    for (const Machine& service : services) {
      const StepKind step = needing_step(service);
      if (!runs(service) && step == StepKind::none) continue;
      ORLOP_TRY(record, unit.record(service.id));
      if (!record) continue;
      ORLOP_TRY(body, parse_stored(record->body));
      const auto need = need_of(step == StepKind::none ? StepKind::deploy : step, body);
      if (!need || (need->is_of_run && step == StepKind::none)) continue;
      Nodes::Found& added = found.emplace_back();
      added.service = service.id;
      added.need = *need;
      added.is_running = runs(service) && !need->is_of_run;
      if (step == StepKind::none) continue;
      added.step = service.step;
      added.began = service.step_started_at.value_or(Instant{});
    }
  }
  return found;
}

Result<void> emit_usage(Unit& unit, const Capacities::Changed& changed) {
  ORLOP_TRY(machine, unit.machine(changed.cluster));
  if (!machine) return {};
  Event event;
  event.kind = EventKind::progress;
  event.family = machine->family;
  event.subject = changed.cluster;
  event.owner = machine->owner;
  event.organization = machine->owner;
  Writer out;
  out.begin_object();
  write_usage(out, changed.usage);
  out.end_object();
  event.detail = std::move(out).take();
  unit.emit(std::move(event));
  return {};
}

Result<void> require_cluster(Unit& unit, const Id& cluster) {
  ORLOP_TRY(machine, unit.machine(cluster));
  const Family* const family = machine ? find_family(machine->family) : nullptr;
  if (family != nullptr && family->machine == MachineKind::cluster) return {};
  return make_error(ErrorCode::not_found, "there is no cluster " + to_text(cluster));
}

}  // namespace

Result<void> Simulator::change_capacity(const Id& cluster, const Value& given) {
  const auto before = capacities_.settings_of(cluster);
  ORLOP_TRY(settings, read_capacity(given, before));
  Capacities::Found found;
  ORLOP_CHECK(engine_->perform([&](Unit& unit) -> Result<void> {
    ORLOP_CHECK(require_cluster(unit, cluster));
    if (before) return {};
    ORLOP_TRY(running, running_on(unit, cluster));
    found = std::move(running);
    return {};
  }));
  capacities_.set(cluster, settings, found);
  return {};
}

Result<void> Simulator::lose_nodes(const Id& cluster, const Value& given) {
  for (const Member& member : given.members()) {
    if (member.name == "lose" || member.name == "for") continue;
    return invalid_member(std::string(beginning(member.name.view(), 64)),
                          "is not a member; allowed: cluster, lose and for");
  }
  const Value& count = *given.find("lose");
  if (count.type() != Value::Type::integer || count.as_integer() < 1 || count.as_integer() > nodes_max) {
    return invalid_member("lose", "must be the number of nodes that are lost, 1 to " + std::to_string(nodes_max) +
                                      ", not " + shown(count));
  }
  std::optional<Duration> lasts;
  if (const Value* const given_lasts = given.find("for")) {
    ORLOP_TRY(read, read_duration(*given_lasts, "for"));
    lasts = read;
  }
  if (capacities_.lose(cluster, static_cast<std::uint32_t>(count.as_integer()), lasts, clock_.now())) return {};
  ORLOP_CHECK(engine_->perform_for_host([&](Unit& unit) { return require_cluster(unit, cluster); }));
  return make_error(ErrorCode::conflict,
                    "the cluster " + to_text(cluster) + " has no nodes that could be lost: set its capacity first");
}

Result<void> Simulator::set_capacity(const Value& given) {
  const std::lock_guard lock(moving_);
  if (options_.script == nullptr)
    return make_error(ErrorCode::conflict,
                      "the capacity is that of the scripted driver, and this simulation has one of its host's");
  if (!given.is_object()) return invalid("the body must be an object, not " + shown(given));
  const Value* const named = given.find("cluster");
  const auto cluster = named != nullptr && named->is_text() ? parse_id(named->as_text()) : std::nullopt;
  if (!cluster)
    return invalid_member(
        "cluster", "must be the id of a cluster, not " + (named == nullptr ? std::string("left out") : shown(*named)));
  ORLOP_CHECK(settle());
  Value rest = given;
  rest.erase("cluster");
  ORLOP_CHECK(rest.find("lose") != nullptr ? lose_nodes(*cluster, rest) : change_capacity(*cluster, rest));
  return settle();
}

Result<void> Simulator::clear_capacity() {
  const std::lock_guard lock(moving_);
  ORLOP_CHECK(settle());
  capacities_.clear();
  return settle();
}

// Applies the effects of nodes that are added, removed or lost, and of steps that have ended.
Result<void> Simulator::settle_capacity() {
  if (options_.script == nullptr) return {};
  const Instant now = clock_.now();
  const auto due = capacities_.due();
  if (!due || *due > now) return {};
  const Capacities::Effects effects = capacities_.settle(now);
  for (const Id& step : effects.of_steps.lost_contact) options_.script->lose_contact(step, now);
  for (const Id& step : effects.of_steps.found_contact) options_.script->regain_contact(step, now);
  for (const Id& step : effects.of_steps.begun) options_.script->begin(step, now);
  for (const CapacityEffects::Running& running : effects.of_steps.running) {
    ORLOP_CHECK(engine_->report({running.service, ReportKind::running_state, running.running, {}}));
  }
  if (effects.changed.empty()) return {};
  ORLOP_CHECK(engine_->perform([&](Unit& unit) -> Result<void> {
    for (const Capacities::Changed& changed : effects.changed) ORLOP_CHECK(emit_usage(unit, changed));
    return {};
  }));
  for (const Capacities::Changed& changed : effects.changed) capacities_.note(changed);
  return {};
}

}  // namespace orlop
