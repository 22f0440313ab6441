// Synchronization with an Argo CD server: when it is asked, and how its answer is processed.
#include <optional>
#include <string>
#include <utility>

#include "endpoints/integrations/parts/argocd_sync_state.h"
#include "endpoints/operation_set.h"
#include "external_systems/question.h"
#include "model/registry.h"
#include "records/missing_secrets.h"
#include "records/record_value.h"
#include "records/write_record.h"
#include "store/partition.h"

namespace orlop::operation_sets::integrations::argocd_sync_schedule {
namespace {

constexpr Duration interval = seconds(180);
constexpr std::size_t reason_max = 500;

Result<void> add_sync(Unit& unit, const Creation& creation) {
  const Family& family = *find_family("argocd_sync");
  if (&creation.family == &family) return {};
  ORLOP_TRY(sync, create_record(unit, family, creation.record.id, Value::object()));
  Machine machine;
  machine.id = sync.id;
  machine.family = family.number;
  machine.owner = sync.id;
  machine.partition = partition_of(sync.organization);
  machine.state = static_cast<std::uint8_t>(SyncState::never);
  machine.changed_at = unit.now();
  machine.active = true;
  unit.put(std::move(machine));
  unit.wake(sync.id, partition_of(sync.organization));
  return {};
}

Result<Shared<Record>> config_of(Unit& unit, const Machine& machine) {
  ORLOP_TRY(sync, unit.record(machine.id));
  if (!sync) return Shared<Record>();
  return unit.record(sync->parent);
}

std::optional<Instant> end_sync(Unit& unit, Machine machine, SyncState state, std::string reason) {
  machine.state = static_cast<std::uint8_t>(state);
  machine.changed_at = unit.now();
  machine.progress = 0;
  reason.resize(std::min(reason.size(), reason_max));
  machine.detail.edit().reason = std::move(reason);
  machine.deadline = unit.clock_time() + interval;
  const auto deadline = machine.deadline;
  unit.put(std::move(machine));
  return deadline;
}

// A deadline further away than the interval was set before the clock was put back.
Result<std::optional<Instant>> ask_server(Unit& unit, Machine machine) {
  const Instant now = unit.clock_time();
  if (machine.deadline && now < *machine.deadline && *machine.deadline <= now + interval)
    return std::optional<Instant>(machine.deadline);
  ORLOP_TRY(config, config_of(unit, machine));
  if (!config) return std::optional<Instant>();
  ORLOP_TRY(missing, missing_reason_of(*config));
  if (!missing.empty()) return end_sync(unit, std::move(machine), SyncState::failed, std::move(missing));
  ORLOP_TRY(server, full_value(*config));
  Value input(Value::Object{{"organization_id", Value(to_text(config->organization))},
                            {"cluster_id", Value(to_text(config->parent))},
                            {"url", Value(server.text_or("argocd_url", ""))},
                            {"token", Value(server.text_or("argocd_token", ""))}});
  unit.ask({machine.id, Question::list_argocd_applications, std::move(input)});
  return std::optional<Instant>();
}

// If the server does not answer, the services do not change.
Result<std::optional<Instant>> take_answer(Unit& unit, Machine machine, const Result<Value>& answer) {
  if (!answer) return end_sync(unit, std::move(machine), SyncState::failed, answer.error().message);
  ORLOP_TRY(config, config_of(unit, machine));
  if (!config) return std::optional<Instant>();
  ORLOP_TRY(part, take_applications(unit, *config, *answer, machine.progress));
  if (machine.progress == 0 || !part.left_out.empty()) machine.detail.edit().reason = std::move(part.left_out);
  if (part.is_last) {
    std::string reason = std::move(machine.detail.edit().reason);
    return end_sync(unit, std::move(machine), SyncState::succeeded, std::move(reason));
  }
  machine.progress = part.done;
  machine.deadline.reset();
  unit.put(std::move(machine));
  return std::optional(unit.clock_time());
}

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("argocd_config", "argocd_sync"),
    .created = add_sync,
    .due = ask_server,
    .answered = take_answer,
};

}  // namespace orlop::operation_sets::integrations::argocd_sync_schedule
