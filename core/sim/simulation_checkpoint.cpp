// Going back to an earlier state of a simulation, and forks: with the state of its store, its clock, its rules, its
// driver and its scripted ports.
#include <string>
#include <utility>

#include "sim/simulator.h"
#include "snapshot/snapshot.h"

namespace orlop {

Result<std::shared_ptr<const Simulator::Checkpoint>> Simulator::checkpoint() {
  const std::lock_guard lock(moving_);
  ORLOP_CHECK(settle());
  ORLOP_TRY(engine, engine_->checkpoint());
  auto made = std::make_shared<Checkpoint>();
  made->engine = std::move(engine);
  made->now = clock_.now();
  made->seed = seed_;
  made->recorded = recorded_;
  if (options_.rules != nullptr) made->rules = options_.rules->memory();
  if (options_.script != nullptr) made->script = options_.script->memory();
  made->faults = faults_.all();
  made->answers = stale_answers_.memory();
  made->domains = domains_.memory();
  made->sources = sources_.memory();
  made->capacities = capacities_.memory();
  made->queued = queue_.memory();
  made->lifetimes = lifetimes_.memory();
  made->questions = external_systems_.all();
  made->receivers = webhook_sender_.all();
  made->timers = timers_;
  return std::shared_ptr<const Checkpoint>(std::move(made));
}

Result<std::string> Simulator::snapshot_of(const Checkpoint& checkpoint) {
  ORLOP_TRY(text, engine_->snapshot_of(checkpoint.engine));
  return with_line(std::move(text), line_of(checkpoint));
}

// Written by a simulation without an engine in the checkpoint's state.
std::string Simulator::line_of(const Checkpoint& checkpoint) {
  RuleSet rules;
  ScriptedDriver script;
  SimulationOptions options;
  if (checkpoint.rules != nullptr) options.rules = &rules;
  if (checkpoint.script != nullptr) options.script = &script;
  const auto past = prepare(options, checkpoint.now);
  past->take(checkpoint);
  return past->line(checkpoint.engine.ids_given);
}

Result<void> Simulator::go_back(const Checkpoint& checkpoint) {
  const std::lock_guard lock(moving_);
  ORLOP_CHECK(engine_->go_back(checkpoint.engine));
  return resume(checkpoint);
}

Result<std::unique_ptr<Simulator>> Simulator::fork(SimulationOptions options) {
  if (!is_in_memory_) {
    ORLOP_TRY(text, snapshot(PlainSecrets::included));
    options.engine.snapshot = text;
    options.engine.plain_secrets = PlainSecrets::included;
    options.seed = seed_;
    ORLOP_TRY(opened, open(std::move(options)));
    opened->external_systems_.set_all(external_systems_.all());  // answers may hold secrets, and are not in the text
    opened->stale_answers_.go_back(stale_answers_.memory());
    ORLOP_CHECK(opened->take_up());
    return std::move(opened);
  }
  ORLOP_TRY(state, checkpoint());
  auto made = prepare(options, state->now);
  ORLOP_TRY(engine, engine_->fork(state->engine, std::move(options.engine)));
  made->engine_ = std::move(engine);
  ORLOP_CHECK(made->resume(*state));
  return made;
}

Result<void> Simulator::resume(const Checkpoint& checkpoint) {
  take(checkpoint);
  note_recorded(checkpoint.recorded);
  return take_up();
}

// The engine takes up running steps before any request, which would change what it finds. If that calls the host, it
// waits for the next tick.
Result<void> Simulator::take_up() { return calls_no_host_ ? settle() : Result<void>(); }

// Restores all state outside of the store.
void Simulator::take(const Checkpoint& checkpoint) {
  clock_.set(checkpoint.now);
  seed_with(checkpoint.seed);
  recorded_ = checkpoint.recorded;
  if (options_.rules != nullptr && checkpoint.rules != nullptr) options_.rules->go_back(*checkpoint.rules);
  if (options_.script != nullptr && checkpoint.script != nullptr) options_.script->go_back(*checkpoint.script);
  faults_.set_all(checkpoint.faults);
  stale_answers_.go_back(checkpoint.answers);
  domains_.go_back(checkpoint.domains);
  sources_.go_back(checkpoint.sources);
  capacities_.go_back(*checkpoint.capacities);
  queue_.go_back(checkpoint.queued);
  lifetimes_.go_back(checkpoint.lifetimes);
  external_systems_.set_all(checkpoint.questions);
  webhook_sender_.set_all(checkpoint.receivers);
  timers_ = checkpoint.timers;
}

// Read by a simulation without an engine, so that a refused line leaves this one unchanged.
Result<void> Simulator::check_line(std::string_view snapshot, Instant at) const {
  RuleSet rules;
  ScriptedDriver script;
  SimulationOptions options;
  if (options_.rules != nullptr) options.rules = &rules;
  if (options_.script != nullptr) options.script = &script;
  return prepare(options, at)->restore(snapshot);
}

void Simulator::reseed(std::uint64_t seed) {
  const std::lock_guard lock(moving_);
  seed_with(seed);
}

void Simulator::seed_with(std::uint64_t seed) {
  seed_ = seed;
  random_source_.reseed(seed);
  faults_.reseed(seed);
}

Result<void> Simulator::load(std::string_view snapshot) {
  const std::lock_guard lock(moving_);
  ORLOP_TRY(at, taken_at(snapshot));
  ORLOP_CHECK(check_line(snapshot, at));
  ORLOP_CHECK(engine_->load(snapshot));
  clock_.set(at);
  static const RuleSet no_rules;
  static const ScriptedDriver no_steps;
  static const Capacities no_capacities;
  if (options_.rules != nullptr) options_.rules->go_back(*no_rules.memory());
  if (options_.script != nullptr) options_.script->go_back(*no_steps.memory());
  faults_.set_all({});
  domains_.clear();
  sources_.clear();
  capacities_.go_back(*no_capacities.memory());
  queue_.go_back({});
  lifetimes_.go_back({});
  webhook_sender_.clear();
  timers_.clear();
  stale_answers_.go_back({});
  recorded_ = Recorded::all;
  ORLOP_CHECK(restore(snapshot));
  note_recorded(recorded_.load());
  skip_ids();
  return {};
}

Result<std::uint64_t> Simulator::save() {
  ORLOP_TRY(made, checkpoint());
  const std::lock_guard lock(saved_mutex_);
  saved_.emplace(++last_saved_, std::move(made));
  return last_saved_;
}

Result<std::shared_ptr<const Simulator::Checkpoint>> Simulator::saved(std::uint64_t number) {
  const std::lock_guard lock(saved_mutex_);
  const auto found = saved_.find(number);
  if (found != saved_.end()) return found->second;
  return make_error(ErrorCode::not_found, "this simulation has no saved state " + std::to_string(number));
}

Result<std::string> Simulator::saved_snapshot(std::uint64_t number) {
  ORLOP_TRY(checkpoint, saved(number));
  return snapshot_of(*checkpoint);
}

Result<void> Simulator::go_back(std::uint64_t number) {
  ORLOP_TRY(checkpoint, saved(number));
  return go_back(*checkpoint);
}

Result<void> Simulator::drop_saved(std::uint64_t number) {
  ORLOP_CHECK(saved(number));
  const std::lock_guard lock(saved_mutex_);
  saved_.erase(number);
  return {};
}

void Simulator::call_at(Instant at, std::function<Result<void>()> call, CallKey key) {
  const std::lock_guard lock(calls_mutex_);
  calls_.emplace(at, Call{std::move(call), key});
  has_calls_ = true;
}

std::size_t Simulator::cancel_calls(CallKey key) {
  const std::lock_guard lock(calls_mutex_);
  const std::size_t canceled = std::erase_if(calls_, [key](const auto& entry) { return entry.second.key == key; });
  has_calls_ = !calls_.empty();
  return canceled;
}

// Makes the calls that are due, in the order of their instants and of call_at(). Without a lock: they may use
// call_at().
Result<void> Simulator::make_calls() {
  for (std::size_t made = 0, waited = 0; has_calls_; ++made) {
    std::function<Result<void>()> call;
    {
      const std::lock_guard lock(calls_mutex_);
      if (calls_.empty() || calls_.begin()->first > clock_.now()) return {};
      if (made == 0) waited = calls_.size();
      if (made - waited == work_per_instant_max) {
        return make_error(ErrorCode::driver_failed, "the calls at " + to_text(clock_.now()) +
                                                        " do not end: each asks for another one at the same instant");
      }
      call = std::move(calls_.begin()->second.make);
      calls_.erase(calls_.begin());
      has_calls_ = !calls_.empty();
    }
    ORLOP_CHECK(call());
  }
  return {};
}

std::optional<Instant> Simulator::first_call() {
  if (!has_calls_) return std::nullopt;
  const std::lock_guard lock(calls_mutex_);
  return calls_.empty() ? std::nullopt : std::optional(calls_.begin()->first);
}

}  // namespace orlop
