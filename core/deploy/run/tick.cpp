#include "deploy/run/tick.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/sort_unique.h"
#include "deploy/driver/report_bounds.h"
#include "deploy/run/steps/step_report.h"
#include "deploy/run/steps/step_secrets.h"
#include "deploy/run/tick_state.h"
#include "model/registry.h"
#include "observations/observation_records.h"

namespace orlop {

Orchestrator::Orchestrator(Driver& driver, const Settings& settings, bool runs_cron_jobs)
    : state_(std::make_unique<State>(driver, settings, runs_cron_jobs, known_)) {}
Orchestrator::~Orchestrator() = default;

PartitionSet Orchestrator::busy() const { return state_->in_flight.busy(); }

PartitionSet Orchestrator::asked() const { return state_->in_flight.asked(); }

void Orchestrator::withhold() {
  is_withheld_ = true;
  state_->in_flight.withhold(PartitionSet::all());
}

std::size_t Orchestrator::take_mended() { return std::exchange(state_->mended, 0); }

bool Orchestrator::starts_uncommitted() const { return state_->driver.may_start_uncommitted(); }

std::size_t Orchestrator::steps_under_way() const { return state_->in_flight.start_count(); }

void Orchestrator::wake(std::span<const Id> owners) {
  state_->woken.insert(state_->woken.end(), owners.begin(), owners.end());
}

bool Orchestrator::is_due(Moment at) const {
  const auto wanted = due(at);
  return wanted && *wanted <= at.now;
}

Orchestrator::State::Pending Orchestrator::State::pending(Moment at, bool follows_schedules) {
  const Duration ahead{at.now.milliseconds - at.monotonic.milliseconds};  // from the monotonic clock to the stored time
  Pending found;
  if (const auto said = driver.due()) found.driver = in_flight.measured(*said) + ahead;
  const bool is_now = !woken.empty() || !suspects.empty() || !held.empty() || !polled.empty() || in_flight.has_asks() ||
                      in_flight.turns().is_due();
  if (is_now) {
    found.others = at.now;
  } else {
    found.others = uncommitted.pending();
    if (const auto offer = offers.first()) found.others = earlier(found.others, *offer + ahead);
    const OptionalInstant first = earlier(found.driver, found.others);
    if (const auto deadline = in_flight.deadline_by(first ? *first - ahead : Instant{INT64_MAX}))
      found.others = earlier(found.others, *deadline + ahead);
  }
  if (follows_schedules) found.schedule = schedules.first(at);
  if (const auto observed = observing.due()) found.observation = std::max(*observed + ahead, at.now);
  return found;
}

std::optional<Instant> Orchestrator::due(Moment at) const {
  const State::Pending pending = state_->pending(at, !is_withheld_);
  return earlier(earlier(pending.driver, pending.others), earlier(pending.schedule, pending.observation));
}

std::optional<Instant> Orchestrator::work_due(Moment at) const {
  const State::Pending pending = state_->pending(at, !is_withheld_);
  const bool is_scheduled = pending.schedule && *pending.schedule <= at.now;
  return earlier(earlier(pending.driver, pending.others), is_scheduled ? pending.schedule : OptionalInstant());
}

// Woken environments may wake others, or themselves, by ending a request.
Result<void> Orchestrator::State::wake_all(Unit& unit) {
  std::size_t at = 0;
  for (; at < woken.size() && !is_full(unit); ++at) {
    const Id owner = woken[at];
    ORLOP_TRY(machine, unit.machine(owner));
    switch (machine ? machine_kind(machine->family) : MachineKind::none) {
      case MachineKind::cluster: ORLOP_CHECK(clusters.wake(unit, owner)); break;
      case MachineKind::task: ORLOP_CHECK(tasks.wake(unit, owner)); break;
      case MachineKind::schedule: schedules.wake(*machine); break;
      case MachineKind::none:
      case MachineKind::service:
      case MachineKind::environment: ORLOP_CHECK(environments.wake(unit, owner)); break;
    }
  }
  again.insert(again.end(), woken.begin() + static_cast<std::ptrdiff_t>(at), woken.end());
  woken.clear();
  return {};
}

// Prepares every incoming report: masks the secrets of its step, and cuts it to the size in which it is kept.
const Report& Orchestrator::State::admitted(Report& report) {
  in_flight.masks().mask(report);
  keep_within_bounds(report);
  return report;
}

Result<void> Orchestrator::State::take(Unit& unit, const Report& report) {
  if (report.kind == ReportKind::running_state) return environments.observe(unit, report);
  const StepPlace* found = in_flight.find(report.step);
  if (found == nullptr) return {};  // of a step that has ended
  const StepPlace place = *found;
  switch (place.kind) {
    case SubjectKind::service: return environments.report(unit, report, place);
    case SubjectKind::cluster: return clusters.report(unit, report, place);
    case SubjectKind::task: return tasks.report(unit, report, place);
  }
  return {};
}

Result<void> Orchestrator::State::take_polled(Unit& unit) {
  std::size_t at = 0;
  for (; at < polled.size() && !is_full(unit); ++at) { ORLOP_CHECK(take(unit, admitted(polled[at]))); }
  if (at == polled.size()) polled.clear();
  else polled.erase(polled.begin(), polled.begin() + static_cast<std::ptrdiff_t>(at));
  return {};
}

Result<void> Orchestrator::State::take_overdue(Unit& unit, Duration monotonic) {
  for (const Id& step : in_flight.take_overdue(monotonic)) {
    const StepPlace* found = in_flight.find(step);
    if (found == nullptr) continue;
    const StepPlace place = *found;
    switch (place.kind) {
      case SubjectKind::service: ORLOP_CHECK(environments.expire(unit, step, place)); break;
      case SubjectKind::cluster: ORLOP_CHECK(clusters.expire(unit, step, place)); break;
      case SubjectKind::task: ORLOP_CHECK(tasks.expire(unit, step, place)); break;
    }
  }
  return {};
}

// Requests of schedules begin with this tick.
Result<void> Orchestrator::State::follow_schedules(Unit& unit, Duration monotonic, PartitionSet held_partitions,
                                                   bool is_withheld) {
  const std::size_t before = unit.woken().size();
  if (const std::vector<Id> settled = environments.take_settled(); !settled.empty())
    ORLOP_CHECK(schedules.settle(unit, settled));
  if (!is_withheld) ORLOP_CHECK(schedules.tick(unit, monotonic, held_partitions, is_full));
  for (std::size_t at = before; at < unit.woken().size(); ++at) woken.push_back(unit.woken()[at].owner);
  return {};
}

bool Orchestrator::must_ask() const { return state_->must_ask_first; }

bool Orchestrator::wants_reading(Moment at) const {
  return state_->environments.wants_reading() || state_->observing.is_due(at.monotonic);
}

Result<void> Orchestrator::read_ahead(Transaction& store, Moment at) {
  NoRandomSource random_source;
  Unit unit(store, random_source, {}, at.now, state_->settings);
  if (state_->environments.wants_reading()) ORLOP_CHECK(state_->environments.read_ahead(unit));
  if (!state_->observing.is_due(at.monotonic)) return {};
  return state_->observing.read_part(unit, at.monotonic, held_, state_->held);
}

// Loads the subjects of the reports, and the services that may start next, in one read.
Result<void> Orchestrator::State::load(Unit& unit, std::span<const Report> reports) {
  std::vector<Id> subjects;
  std::vector<StepPlace> places;
  const auto add = [&](const Report& report) {
    if (report.kind == ReportKind::running_state) subjects.push_back(report.step);
    if (const StepPlace* place = in_flight.find(report.step)) places.push_back(*place);
  };
  for (const Report& report : reports) add(report);
  for (const Report& report : polled) add(report);
  for (const StepPlace& place : places) subjects.push_back(place.subject);
  std::vector<Id> observations;
  add_observations(subjects, observations);
  environments.add_next(places, subjects);
  ORLOP_CHECK(load_with_releases(unit, subjects, std::move(observations)));
  return environments.load_configurations(unit, subjects);
}

// The engine, a cluster or an organization is below its limit again: waiting owners start steps in turn, one each.
Result<void> Orchestrator::State::take_turns(Unit& unit) {
  while (!is_full(unit)) {
    const std::optional<Id> owner = in_flight.turns().next();
    if (!owner) break;
    if (environments.has_waiting(*owner)) {
      ORLOP_CHECK(environments.take_turn(unit, *owner));
      continue;
    }
    ORLOP_TRY(machine, unit.machine(*owner));
    const MachineKind kind = machine ? machine_kind(machine->family) : MachineKind::none;
    if (kind == MachineKind::cluster) ORLOP_CHECK(clusters.take_turn(unit, *owner));
    if (kind == MachineKind::task) ORLOP_CHECK(tasks.take_turn(unit, *owner));
  }
  return {};
}

// Starts steps, and takes their beginning if the driver reports it at once. An end waits for the next tick,
// as it does where the driver is called after the commit. `was_whole`: the tick is repeated, and all of the driver's
// reports are known.
Result<void> Orchestrator::State::start_uncommitted(Unit& unit, Duration monotonic, bool was_whole) {
  std::vector<Step> starts = in_flight.take_starts();
  UncommittedSteps::Heard& heard = uncommitted.tick();
  if (!was_whole || starts.empty()) heard.said.clear();
  const std::vector<Id> known = heard.started;
  heard.started.reserve(known.size() + starts.size());
  for (Step& step : starts) {
    const bool is_known = std::ranges::find(known, step.id) != known.end();
    if (is_known && was_whole) continue;
    step.resumed = step.resumed || is_known || uncommitted.may_be_known(step.id);
    heard.started.push_back(step.id);  // first: the driver may have it even if memory runs out
    if (!offer(step, monotonic)) heard.started.pop_back();
  }
  if (!starts.empty()) driver.poll(unit.now(), heard.said);
  heard.is_whole = true;
  polled.insert(polled.end(), heard.said.begin(), heard.said.end());
  const bool goes_on = !starts.empty() && std::ranges::all_of(polled, is_said_on_the_way, &Report::kind);
  in_flight.reuse(std::move(starts));
  return goes_on ? take_polled(unit) : Result<void>();
}

Result<void> Orchestrator::tick(Unit& unit, std::vector<Report> reports, std::optional<Duration> monotonic) {
  const Moment at = monotonic ? Moment(unit.now(), *monotonic) : Moment(unit.now());
  state_->in_flight.synchronize(at);
  UncommittedSteps& uncommitted = state_->uncommitted;
  if (uncommitted.take_pending(unit.now())) {
    std::ranges::copy(uncommitted.tick().held, std::back_inserter(state_->held));
    std::ranges::copy(uncommitted.tick().polled, std::back_inserter(state_->polled));
  }
  std::vector<Report> taken = std::exchange(state_->held, {});
  const bool is_uncommitted = starts_uncommitted();
  const bool was_whole = uncommitted.begin(unit.now());
  if (is_uncommitted) uncommitted.tick().held = taken;
  std::ranges::move(reports, std::back_inserter(taken));
  if (state_->must_ask_first) {
    state_->held = std::move(taken);
    return {};
  }
  state_->driver.poll(unit.now(), state_->polled);
  if (is_uncommitted) uncommitted.tick().polled = state_->polled;
  if (!state_->suspects.empty()) ORLOP_CHECK(state_->mend_suspects(unit));
  std::erase_if(taken, [&](const Report& report) {
    return report.kind == ReportKind::running_state && !state_->observing.is_news(report, at.monotonic);
  });
  return decide(unit, taken, monotonic.value_or(Duration{unit.clock_time().milliseconds}), was_whole);
}

// Decides by these reports, and by what the driver has reported before.
Result<void> Orchestrator::decide(Unit& unit, std::vector<Report>& reports, Duration monotonic, bool was_whole) {
  if (unit.stored().reads_in_batches()) ORLOP_CHECK(state_->load(unit, reports));
  // Sorted: the order of the requests is not known after a recovery.
  if (!state_->woken.empty()) {
    sort_unique(state_->woken);
    ORLOP_CHECK(state_->wake_all(unit));
  }
  for (Report& report : reports) ORLOP_CHECK(state_->take(unit, state_->admitted(report)));
  ORLOP_CHECK(state_->take_polled(unit));
  if (state_->in_flight.is_overdue(monotonic)) ORLOP_CHECK(state_->take_overdue(unit, monotonic));
  ORLOP_CHECK(state_->follow_schedules(unit, monotonic, held_, is_withheld_));
  if (!state_->woken.empty()) ORLOP_CHECK(state_->wake_all(unit));
  if (state_->in_flight.turns().is_due()) ORLOP_CHECK(state_->take_turns(unit));
  if (starts_uncommitted()) ORLOP_CHECK(state_->start_uncommitted(unit, monotonic, was_whole));
  state_->again.insert(state_->again.end(), state_->woken.begin(), state_->woken.end());
  state_->woken = std::exchange(state_->again, {});
  return {};
}

// Returns false if the driver has not taken the step; a step that is put off is moved from.
bool Orchestrator::State::offer(Step& step, Duration monotonic) {
  in_flight.keep(step);
  const auto started = step.refusal.empty()
                           ? start_with_secrets(driver, step, settings.external_systems, in_flight.masks())
                           : Result<void>(make_error(ErrorCode::invalid, step.refusal));
  if (!started && started.error().code == ErrorCode::try_later) {
    offers.put_off(std::move(step), Instant{monotonic.milliseconds});
    return false;
  }
  offers.forget(step.id);
  if (!started) held.push_back({step.id, ReportKind::failed, RunningState::none, started.error().message});
  return started.ok();
}

void Orchestrator::act(Moment at, const std::function<bool(bool is_first)>& may_go_on) {
  const bool is_after_commit = !std::exchange(state_->must_ask_first, false);
  if (is_after_commit) state_->uncommitted.committed();
  state_->observing.act();
  if (state_->offers.empty() && !state_->in_flight.has_asks() && !state_->schedules.has_questions()) return;
  std::vector<Step> starts = state_->offers.take_due(Instant{at.monotonic.milliseconds});
  if (state_->in_flight.start_count() != 0)
    std::ranges::move(state_->in_flight.take_starts(), std::back_inserter(starts));
  for (auto step = starts.begin(); step != starts.end(); ++step) {
    if (may_go_on && !may_go_on(step == starts.begin())) {
      state_->must_ask_first = true;
      return state_->in_flight.ask_again({std::make_move_iterator(step), std::make_move_iterator(starts.end())});
    }
    // A step that has ended meanwhile, at its deadline, is not offered.
    if (state_->in_flight.find(step->id) != nullptr) state_->offer(*step, at.monotonic);
    else state_->offers.forget(step->id);
  }
  for (const CancelOrder& order : state_->in_flight.take_cancels()) {
    // A step that the driver has not taken is canceled at once.
    if (state_->offers.forget(order.step))
      state_->held.push_back({order.step, ReportKind::canceled, RunningState::none, {}});
    else state_->driver.cancel(order.step, order.mode);
  }
  if (!is_withheld_) state_->schedules.act();
}

}  // namespace orlop
