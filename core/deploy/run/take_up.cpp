// How the orchestrator remembers what the store holds, and forgets it.
#include <algorithm>
#include <iterator>
#include <utility>

#include "deploy/request/request.h"
#include "deploy/request/request_parts.h"
#include "deploy/run/repair/repair.h"
#include "deploy/run/tick_state.h"
#include "model/registry.h"

namespace orlop {

Result<void> Orchestrator::State::resume(Unit& unit, const Machine& machine) {
  if (machine.family == deployment_request_number) {
    woken.push_back(machine.owner);
    const bool may_run = request_state(machine) == RequestState::running || request_state(machine) == RequestState::canceling;
    return may_run ? environments.resume(unit, machine) : Result<void>();
  }
  const MachineKind kind = machine_kind(machine.family);
  if (kind == MachineKind::schedule) schedules.resume(machine);
  if (kind != MachineKind::cluster && kind != MachineKind::task) return {};  // services come with their request
  if (!machine.step.is_nil()) return kind == MachineKind::task ? tasks.resume(unit, machine) : clusters.resume(unit, machine);
  woken.push_back(machine.id);
  return {};
}

// After a commit that failed: the instants of its unit come again, if all that the driver said at them is known. Else it is asked for all steps, and those that it may have, although no
// commit has them, are resumed when they are decided again. What needs memory comes first: where it runs out, `failed` is as it was.
void Orchestrator::State::have_again(State& failed) {
  std::vector<Unstored> all;
  all.reserve(failed.before.size() + 1 + failed.later.size());
  const bool is_whole = failed.unstored.is_whole && std::ranges::all_of(failed.before, &Unstored::is_whole) && std::ranges::all_of(failed.later, &Unstored::is_whole);
  std::vector<Id> known = failed.left_behind;
  const auto add = [&known](const Unstored& of) { known.insert(known.end(), of.started.begin(), of.started.end()); };
  if (!is_whole) {
    std::ranges::for_each(failed.before, add);
    add(failed.unstored);
    std::ranges::for_each(failed.later, add);
  }
  std::ranges::move(failed.before, std::back_inserter(all));
  all.push_back(std::move(failed.unstored));
  std::ranges::move(failed.later, std::back_inserter(all));
  left_behind = std::move(known);
  left_until = std::max(failed.left_until, all.back().at);
  unstored = std::move(all.front());
  unstored.is_whole = is_whole;
  all.erase(all.begin());
  if (is_whole) later = std::move(all);
}

void Orchestrator::State::take_later(Instant now) {
  if (later.front().at > now) return;
  unstored = std::move(later.front());
  later.erase(later.begin());
  held.insert(held.end(), unstored.held.begin(), unstored.held.end());
  polled.insert(polled.end(), unstored.polled.begin(), unstored.polled.end());
}

Result<void> Orchestrator::recover(Transaction& store, PartitionSet held, Moment at) {
  known_.read_again();
  auto next = std::make_unique<State>(state_->driver, state_->settings, state_->schedules.runs_cron_jobs(), known_);
  next->have_again(*state_);  // first: memory may run out
  const std::unique_ptr<State> before = std::exchange(state_, std::move(next));
  if (state_->unstored.is_whole) state_->offers = std::move(before->offers);
  if (is_withheld_) withhold();
  known_.forget(PartitionSet::all().without(held));
  held_ = PartitionSet();
  ORLOP_CHECK(take_up(store, held, at));
  if (state_->unstored.is_whole) state_->go_on();
  known_.confirm();
  return {};
}

// The driver knows the steps that run, but for those that it has put off.
void Orchestrator::State::go_on() {
  std::vector<Step> starts = in_flight.take_starts();
  for (const Step& step : starts) in_flight.masks().set(step.id, step.secrets);
  std::erase_if(starts, [this](const Step& step) { return !offers.forget(step.id); });
  in_flight.ask_again(std::move(starts));
  must_ask_first = in_flight.has_asks();
  held = unstored.held;
  polled = unstored.polled;
}

void Orchestrator::forget_unstored() {
  state_->unstored = {};
  state_->before.clear();
  state_->later.clear();
  state_->left_behind.clear();
}

Result<void> Orchestrator::take_up(Transaction& store, PartitionSet gained, Moment at) {
  state_->in_flight.synchronize(at);
  held_ = held_ | gained;
  state_->environments.hold(held_);
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
  std::stable_partition(state_->suspects.begin(), state_->suspects.end(), [](const Machine& machine) { return machine.family == deployment_request_number; });
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

// Only the records say where an environment belongs.
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

// What is mended has new work. A step of it that goes on is the driver's again.
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
