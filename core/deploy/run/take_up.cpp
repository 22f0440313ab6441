// Reading of the orchestrator's memory from the store, and dropping of it.
#include <algorithm>
#include <utility>

#include "deploy/request/deployment_request.h"
#include "deploy/request/request_parts.h"
#include "deploy/run/repair/repair.h"
#include "deploy/run/tick_state.h"
#include "model/registry.h"

namespace orlop {

Result<void> Orchestrator::State::resume(Unit& unit, const Machine& machine) {
  if (machine.family == deployment_request_number) {
    woken.push_back(machine.owner);
    const bool may_run =
        request_state(machine) == RequestState::running || request_state(machine) == RequestState::canceling;
    return may_run ? environments.resume(unit, machine) : Result<void>();
  }
  const MachineKind kind = machine_kind(machine.family);
  if (kind == MachineKind::schedule) schedules.resume(machine);
  if (kind != MachineKind::cluster && kind != MachineKind::task) return {};  // services come with their request
  if (!machine.step.is_nil())
    return kind == MachineKind::task ? tasks.resume(unit, machine) : clusters.resume(unit, machine);
  woken.push_back(machine.id);
  return {};
}

Result<void> Orchestrator::recover(Transaction& store, PartitionSet held, Moment at) {
  known_.read_again();
  auto next = std::make_unique<State>(state_->driver, state_->settings, state_->schedules.runs_cron_jobs(), known_);
  next->uncommitted.repeat(state_->uncommitted);  // first: memory may run out
  const std::unique_ptr<State> before = std::exchange(state_, std::move(next));
  const bool is_repeated = state_->uncommitted.tick().is_whole;
  if (is_repeated) state_->offers = std::move(before->offers);
  if (is_withheld_) withhold();
  known_.forget(PartitionSet::all().without(held));
  held_ = PartitionSet();
  ORLOP_CHECK(take_up(store, held, at));
  state_->observing.go_on(before->observing);
  if (is_repeated) state_->go_on();
  known_.confirm();
  return {};
}

// The driver knows the running steps, except those that it has put off.
void Orchestrator::State::go_on() {
  std::vector<Step> starts = in_flight.take_starts();
  for (const Step& step : starts) {
    in_flight.masks().set(step.id, step.secrets);
    in_flight.keep(step);
  }
  std::erase_if(starts, [this](const Step& step) { return !offers.forget(step.id); });
  in_flight.ask_again(std::move(starts));
  must_ask_first = in_flight.has_asks();
  held = uncommitted.tick().held;
  polled = uncommitted.tick().polled;
}

void Orchestrator::forget_uncommitted() { state_->uncommitted.forget(); }

Result<void> Orchestrator::take_up(Transaction& store, PartitionSet gained, Moment at) {
  state_->in_flight.synchronize(at);
  held_ = held_ | gained;
  state_->environments.hold(held_);
  if (!gained.empty()) state_->observing.begin_again();
  std::vector<Machine> active;
  const auto read = [&](std::optional<std::uint8_t> partition) {
    return store.machines({.by = MachineRange::By::active, .partition = partition}, [&](const Machine& machine) {
      active.push_back(machine);
      return true;
    });
  };
  if (gained == PartitionSet::all()) {
    ORLOP_CHECK(read(std::nullopt));
  } else {
    Result<void> outcome;
    gained.for_each([&](std::uint8_t partition) {
      if (outcome) outcome = read(partition);
    });
    ORLOP_CHECK(outcome);
  }
  NoRandomSource random_source;
  Unit unit(store, random_source, {}, Instant{}, state_->settings);
  FaultFinder finder(unit);
  for (Machine& machine : active) {
    ORLOP_TRY(fault, finder.of(machine));
    if (fault == RowFault::none) ORLOP_CHECK(state_->resume(unit, machine));
    else state_->suspects.push_back(std::move(machine));
  }
  // Services follow their requests.
  std::stable_partition(state_->suspects.begin(), state_->suspects.end(),
                        [](const Machine& machine) { return machine.family == deployment_request_number; });
  state_->must_ask_first = state_->must_ask_first || state_->in_flight.has_asks();
  return {};
}

Result<void> Orchestrator::drop(Transaction& store, PartitionSet lost) {
  held_ = held_.without(lost);
  state_->environments.hold(held_);
  state_->environments.drop(lost);
  known_.forget(lost);
  state_->in_flight.turns().forget(lost);
  std::erase_if(state_->suspects, [&](const Machine& machine) { return lost.contains(machine.partition); });
  return state_->forget_woken(store, lost);
}

void Orchestrator::release_lost(PartitionSet taken) {
  for (const Id& step : known_.take_lost(held_, taken)) state_->driver.cancel(step, CancelMode::lost);
}

// The partition of an environment is known only from its record.
Result<void> Orchestrator::State::forget_woken(Transaction& store, PartitionSet lost) {
  Result<void> outcome;
  const auto is_lost = [&](const Id& owner) {
    const auto record = store.record(owner);
    if (!record) outcome = record.error();
    return record && *record && lost.contains(partition_of((*record)->organization));
  };
  std::erase_if(woken, is_lost);
  std::erase_if(again, is_lost);
  return outcome;
}

// Repairs rows, which then have new work. The driver gets a step of them that continues again.
Result<void> Orchestrator::State::mend_suspects(Unit& unit) {
  std::size_t at = 0;
  for (; at < suspects.size() && !is_full(unit); ++at) {
    const Machine& suspect = suspects[at];
    ORLOP_TRY(owner, mend(unit, suspect.id, false));
    if (owner.is_nil()) continue;
    ++mended;
    woken.push_back(owner);
    ORLOP_TRY(machine, unit.machine(suspect.id));
    const bool is_service = machine_kind(suspect.family) == MachineKind::service;
    if (machine && !machine->step.is_nil()) {
      if (is_service) in_flight.postpone(machine->step, machine->deadline);
      else ORLOP_CHECK(resume(unit, *machine));
      continue;
    }
    const StepPlace* const found = in_flight.find(suspect.step);
    if (!is_service || found == nullptr) continue;
    const StepPlace place = *found;
    ORLOP_CHECK(environments.lose(unit, suspect.step, place));
  }
  suspects.erase(suspects.begin(), suspects.begin() + static_cast<std::ptrdiff_t>(at));
  return {};
}

}  // namespace orlop
