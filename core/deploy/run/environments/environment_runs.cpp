#include "deploy/run/environments/environment_runs.h"

#include <string>
#include <utility>

#include "deploy/driver/report_bounds.h"
#include "deploy/request/deployed_commit.h"
#include "deploy/run/job_output_records.h"
#include "deploy/run/observing.h"
#include "deploy/run/steps/address_outputs.h"
#include "model/plan_flag.h"
#include "model/registry.h"
#include "observations/observation_records.h"
#include "records/verbs.h"
#include "records/write_record.h"
#include "releases/release_records.h"
#include "releases/release_version.h"
#include "unit/unique_name.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// A step can begin while the service waits for it and is not canceled.
bool can_start(const Machine& service, const Run& run) {
  const auto state = static_cast<ServiceState>(service.state);
  return service.request == run.request && is_transient(state) && state != ServiceState::canceling;
}

void note_commit(StateTransition& service, const Report& report) {
  const auto kind = static_cast<StepKind>(service.machine().step_kind);
  const bool has_succeeded = report.kind == ReportKind::succeeded || report.kind == ReportKind::built;
  const bool may_say = has_succeeded && (kind == StepKind::build || kind == StepKind::deploy);
  if (!may_say) return;
  if (std::string commit = commit_in(report.text); !commit.empty()) service.edit_detail().commit = std::move(commit);
}

// Reports whether a step that has succeeded has changed the deployment of a job, such as its schedule. One run of a
// cron job has not.
bool has_settled(const Machine& service, StepKind step) {
  if (!has(service.planned_flags, PlanFlag::executes) || step == StepKind::build) return false;
  return static_cast<Action>(service.action) != Action::deploy || !has(service.planned_flags, PlanFlag::cron) ||
         step == StepKind::deploy;
}

StepKind kind_of(const Decision& decision, const Part& part) {
  switch (decision.kind) {
    case Decision::Kind::build: return StepKind::build;
    case Decision::Kind::step: return part.step;
    case Decision::Kind::follow: return part.follow;
    case Decision::Kind::abandon:
    case Decision::Kind::end: break;
  }
  return StepKind::none;
}

}  // namespace

Result<void> EnvironmentRuns::report(Unit& unit, const Report& report, const StepPlace& place) {
  Run* const run = run_of(place);
  ORLOP_TRY(service, unit.machine(place.subject));
  if (run == nullptr || !service || service->step != report.step) return forget_step(unit, report.step, place);
  const Part& part = run->runner.plan().parts[place.part];
  const bool is_followed = part.follow != StepKind::none && static_cast<StepKind>(service->step_kind) == part.step;
  StateTransition transition(unit, run->organization, *service);
  note_commit(transition, report);
  const bool was_lost = transition.service_state() == ServiceState::unavailable;
  const auto step_kind = static_cast<StepKind>(transition.machine().step_kind);
  const StepResult result =
      take_service_report(transition, report, is_followed ? StepRole::followed : StepRole::last, unit.now());
  if (result == StepResult::goes_on && is_beginning(report.kind) && !was_lost)
    ORLOP_CHECK(set_deadline(unit, transition));
  const bool is_deployed =
      transition.action() == Action::deploy && transition.service_state() == ServiceState::deployed;
  if (result == StepResult::succeeded && is_deployed) {
    ORLOP_CHECK(store_deployed_commit(unit, transition, run->overrides_of(place.subject)));
    if (report.kind == ReportKind::unchanged) ORLOP_CHECK(keep_release(unit, report.step, transition));
    else ORLOP_CHECK(make_release(unit, *run, report, transition));
  }
  const bool has_addresses = is_deployed || transition.action() == Action::restart;
  if (result == StepResult::succeeded && has_addresses && step_kind != StepKind::execute)
    ORLOP_CHECK(store_addresses(unit, place.subject, report.text));
  if (result == StepResult::succeeded && step_kind == StepKind::execute && !report.text.empty()) {
    ORLOP_CHECK(store_sensitive_outputs(unit, place.subject, report.text));
    run->add_outputs(place.part, report.text);
  }
  ORLOP_CHECK(end_release_after(unit, transition, step_kind, result));
  if (result == StepResult::succeeded && !is_followed && has_settled(transition.machine(), step_kind))
    settled_.push_back(place.subject);
  return apply(unit, *run, report.step, place, transition, result);
}

Result<void> EnvironmentRuns::make_release(Unit& unit, const Run& run, const Report& report, StateTransition& service) {
  const auto configuration = in_flight_.kept(report.step);
  // Without a release of its own, the deployment ends that of an earlier one.
  if (configuration == nullptr)
    return settings_.is_driver_scripted ? Result<void>() : end_release(unit, service.machine().id);
  if (!configuration->is_wanted) service.set_freshness(Freshness::out_of_date);
  ORLOP_TRY(request, unit.record(run.request));
  ORLOP_TRY(author, request ? parse_stored_member(request->body, "triggered_by") : Result<Value>(Value()));
  ORLOP_TRY(released, parse_stored(configuration->released));
  Value version = version_of(released);
  if (!service.detail().commit.empty()) {
    ORLOP_TRY(commit, parse_stored(service.detail().commit));
    for (Member& member : commit.members()) version.set(member.name, std::move(member.value));
  }
  if (std::string digest = image_digest_in(report.text); !digest.empty())
    version.set("image_digest", Value(std::move(digest)));
  return store_release(unit, service.machine().id,
                       {.request = run.request, .triggered_by = author.as_text(), .version = std::move(version)},
                       configuration.get());
}

// The driver has found that the service runs the configuration of the step already.
Result<void> EnvironmentRuns::keep_release(Unit& unit, const Id& step, StateTransition& service) {
  const auto configuration = in_flight_.kept(step);
  if (configuration == nullptr) return {};
  if (!configuration->is_wanted) service.set_freshness(Freshness::out_of_date);
  return confirm_release(unit, service.machine().id, configuration->digest);
}

// A build changes nothing that runs.
Result<void> EnvironmentRuns::end_release_after(Unit& unit, const StateTransition& service, StepKind kind,
                                                StepResult result) {
  if (kind == StepKind::build || result == StepResult::goes_on || result == StepResult::ignored) return {};
  const Action action = service.action();
  const bool takes_away = action == Action::stop || action == Action::uninstall;
  const bool was_changed = result != StepResult::succeeded && (action == Action::deploy || action == Action::remove);
  if (takes_away && result == StepResult::succeeded) ORLOP_CHECK(end_observation(unit, service.machine().id));
  return takes_away || was_changed ? end_release(unit, service.machine().id) : Result<void>();
}

// Sets the step's own deadline, which counts from its beginning.
Result<void> EnvironmentRuns::set_deadline(Unit& unit, StateTransition& service) {
  Duration bound = settings_.step_deadline;
  const auto kind = static_cast<StepKind>(service.machine().step_kind);
  if (kind == StepKind::execute) {
    ORLOP_TRY(record, unit.record(service.machine().id));
    if (!record) return {};
    ORLOP_TRY(own, bound_of(*record, kind, settings_));
    bound = own;
  }
  service.machine().deadline = unit.now() + bound;
  in_flight_.postpone(service.machine().step, service.machine().deadline);
  return {};
}

Result<void> EnvironmentRuns::expire(Unit& unit, const Id& step, const StepPlace& place) {
  Run* const run = run_of(place);
  ORLOP_TRY(service, unit.machine(place.subject));
  if (run == nullptr || !service || service->step != step) return forget_step(unit, step, place);
  // The row has the deadline that counts: a request may have changed it; a jump of the time has not.
  if (service->deadline && service->deadline != place.deadline && *service->deadline > unit.now()) {
    in_flight_.postpone(step, service->deadline);
    return {};
  }
  const std::int64_t waited = (unit.now() - service->step_started_at.value_or(unit.now())).milliseconds / 1000;
  StateTransition transition(unit, run->organization, *service);
  in_flight_.ask_cancel(step, CancelMode::force);
  const auto kind = static_cast<StepKind>(service->step_kind);
  const StepResult result =
      fail_service(transition, "the step did not end within its time, " + std::to_string(waited) + " seconds");
  ORLOP_CHECK(end_release_after(unit, transition, kind, result));
  return apply(unit, *run, step, place, transition, result);
}

Result<void> EnvironmentRuns::apply(Unit& unit, Run& run, const Id& step, const StepPlace& place,
                                    StateTransition& service, StepResult result) {
  if (result == StepResult::ignored) return {};
  if (result == StepResult::goes_on) {
    std::move(service).put();
    return {};
  }
  const bool is_deleted = service.service_state() == ServiceState::deleted;
  if (is_deleted) service.put();
  else std::move(service).put();
  const std::uint32_t part = place.part;
  in_flight_.end(step);  // invalidates `place`
  if (is_deleted) ORLOP_CHECK(finish_deleted(unit, service));
  std::vector<Decision> decisions = std::exchange(decided_, {});
  decisions.clear();
  if (result == StepResult::succeeded) ORLOP_CHECK(run.runner.succeeded(part, decisions));
  if (result == StepResult::failed) ORLOP_CHECK(run.runner.failed(part, decisions));
  if (result == StepResult::left) ORLOP_CHECK(run.runner.left(part, decisions));
  ORLOP_CHECK(carry_out(unit, run, decisions));
  decided_ = std::move(decisions);
  return {};
}

Run* EnvironmentRuns::run_of(const StepPlace& place) {
  Run* const run = find_run(place.owner);
  if (run == nullptr || run->request != place.request) return nullptr;
  // A run that was made again from the rows may have fewer parts than the one that started the step.
  const bool is_part = place.part < run->subjects.size() && run->subjects[place.part] == place.subject;
  return is_part ? run : nullptr;
}

// The service or the run is gone: the report of the step has no effect.
Result<void> EnvironmentRuns::forget_step(Unit& unit, const Id& step, const StepPlace& place) {
  in_flight_.end(step);
  Run* const run = run_of(place);
  if (run == nullptr || run->runner.progress(place.part) == Progress::done) return {};
  std::vector<Decision> decisions;
  ORLOP_CHECK(run->runner.left(place.part, decisions));
  return carry_out(unit, *run, decisions);
}

// Removes the record; if something new refers to it, the service stays, DELETED, with the reason.
Result<void> EnvironmentRuns::finish_deleted(Unit& unit, StateTransition& service) {
  ORLOP_TRY(record, unit.record(service.machine().id));
  if (!record) return {};
  const auto removed = remove_tree(unit, *record);
  if (removed) return {};
  if (removed.error().code != ErrorCode::conflict) return removed.error();
  service.edit_detail().reason = removed.error().message;
  service.set_freshness(Freshness::never_deployed);
  std::move(service).put();
  return {};
}

Result<void> EnvironmentRuns::carry_out_pending(Unit& unit, Id environment) {
  Run* const run = find_run(environment);
  if (run == nullptr) return {};
  std::vector<Decision> decisions = std::exchange(run->pending, {});
  if (run->runner.has_ended() && decisions.empty()) return end(unit, environment);
  if (decisions.empty()) run->runner.proceed(decisions);
  return carry_out(unit, *run, decisions);
}

void EnvironmentRuns::note_starting(const Run& run, std::span<const Decision> decisions) {
  starting_.clear();
  are_referring_.clear();
  for (const Decision& decision : decisions) {
    if (decision.kind == Decision::Kind::step || decision.kind == Decision::Kind::follow ||
        decision.kind == Decision::Kind::build)
      starting_.push_back(run.subjects[decision.part]);
  }
}

Result<void> EnvironmentRuns::carry_out(Unit& unit, Run& run, std::vector<Decision>& decisions) {
  ORLOP_CHECK(load_starts(unit, run, decisions));
  note_starting(run, decisions);
  const bool takes_turns = in_flight_.turns().has_limits();
  for (std::size_t at = 0; at < decisions.size(); ++at) {
    const Decision decision = decisions[at];
    if (decision.kind == Decision::Kind::end) return end(unit, run.environment);
    if (decision.kind == Decision::Kind::abandon) {
      ORLOP_CHECK(abandon(unit, run, decision.part));
      continue;
    }
    if (run.runner.is_stopped()) {  // since the start was decided
      ORLOP_CHECK(abandon(unit, run, decision.part));
      ORLOP_CHECK(run.runner.left(decision.part, decisions));
      continue;
    }
    // The engine that takes the partition decides again.
    if (in_flight_.is_withheld(partition_of(run.organization))) continue;
    if (takes_turns) {
      run.waiting.push_back(decision);
      in_flight_.turns().wait(run.environment, run.scope);
      continue;
    }
    ORLOP_TRY(started, start(unit, run, decision.part, kind_of(decision, run.runner.plan().parts[decision.part])));
    if (!started) ORLOP_CHECK(run.runner.left(decision.part, decisions));
  }
  if (run.runner.has_more()) again_.push_back(run.environment);
  return {};
}

bool EnvironmentRuns::has_waiting(const Id& environment) const {
  const Run* const run = find_run(environment);
  return run != nullptr && !run->waiting.empty();
}

// A start that waited while another part failed, or while the request was canceled, is abandoned.
Result<void> EnvironmentRuns::take_turn(Unit& unit, const Id& environment) {
  Run& run = *find_run(environment);
  const Decision decision = run.waiting.front();
  run.waiting.erase(run.waiting.begin());
  note_starting(run, {&decision, 1});
  if (!run.waiting.empty()) in_flight_.turns().wait(environment, run.scope);
  if (in_flight_.is_withheld(partition_of(run.organization))) {
    run.waiting.clear();  // the engine that takes the partition decides again
    return {};
  }
  std::vector<Decision> decisions;
  bool has_started = false;
  if (run.runner.is_stopped()) {
    ORLOP_CHECK(abandon(unit, run, decision.part));
  } else {
    ORLOP_TRY(started, start(unit, run, decision.part, kind_of(decision, run.runner.plan().parts[decision.part])));
    has_started = started;
  }
  if (has_started) return {};
  ORLOP_CHECK(run.runner.left(decision.part, decisions));
  return carry_out(unit, run, decisions);
}

// Reads the environment's cluster only if clusters have a limit: it costs a read.
Result<StepScope> EnvironmentRuns::scope_of(Unit& unit, const Run& run) {
  StepScope scope{run.organization, Id{}};
  if (!in_flight_.turns().has_cluster_limit()) return scope;
  ORLOP_TRY(record, unit.record(run.environment));
  if (!record) return scope;
  ORLOP_TRY(body, unit.value_of(*record));
  scope.cluster = parse_id(body->text_or("cluster_id", "")).value_or(Id{});
  return scope;
}

void EnvironmentRuns::add_next(std::span<const StepPlace> ended, std::vector<Id>& subjects) const {
  std::unordered_map<Id, std::size_t> counts;
  for (const StepPlace& place : ended) {
    if (place.kind == SubjectKind::service) ++counts[place.owner];
  }
  std::vector<std::uint32_t> parts;
  for (const auto& [environment, count] : counts) {
    const Run* const run = find_run(environment);
    if (run == nullptr) continue;
    parts.clear();
    // When a stage ends, as many may start as the next one allows at once.
    run->runner.next_parts(count + settings_.max_parallel_deploys, parts);
    for (const std::uint32_t part : parts) subjects.push_back(run->subjects[part]);
  }
}

Result<void> load_with_releases(Unit& unit, std::span<const Id> services, std::vector<Id> others) {
  others.insert(others.end(), services.begin(), services.end());
  add_release_lists(services, others);
  return unit.load(others);
}

Result<void> EnvironmentRuns::load_configurations(Unit& unit, std::span<const Id> services) {
  std::vector<Id> read;
  std::vector<Id> released;
  for (const Id& id : services) {
    ORLOP_TRY(machine, unit.machine(id));
    const StepTexts texts = machine ? in_flight_.texts_of(*machine) : StepTexts{.configuration = false};
    if (texts.configuration) read.push_back(id);
    if (texts.configuration && texts.release) released.push_back(id);
  }
  ORLOP_CHECK(unit.load_children(read));
  if (settings_.releases_kept.value_or(0) == 0) return {};
  std::vector<Id> ids;
  ORLOP_CHECK(add_newest_releases(unit, released, ids));
  return unit.load(ids);
}

Result<void> EnvironmentRuns::load_starts(Unit& unit, const Run& run, std::span<const Decision> decisions) {
  if (!unit.stored().reads_in_batches()) return {};
  std::vector<Id> subjects;
  subjects.reserve(decisions.size());
  for (const Decision& decision : decisions) {
    if (decision.kind != Decision::Kind::end) subjects.push_back(run.subjects[decision.part]);
  }
  ORLOP_CHECK(load_with_releases(unit, subjects));
  return load_configurations(unit, subjects);
}

// Returns false if there is nothing to start any more.
Result<bool> EnvironmentRuns::start(Unit& unit, Run& run, std::uint32_t part, StepKind kind) {
  const Id& subject = run.subjects[part];
  // The record first: a store that has found it by its id finds the machine by its number.
  ORLOP_TRY(record, unit.record(subject));
  ORLOP_TRY(service, unit.machine(subject));
  if (!record || !service || !can_start(*service, run)) return false;
  Duration bound = settings_.start_deadline;
  std::uint32_t restarts = 0;
  if (kind == StepKind::execute) {
    ORLOP_TRY(own, bound_of(*record, kind, settings_));
    ORLOP_TRY(wanted, restarts_of(*record));
    bound = std::max(bound, own);
    restarts = wanted;
  }
  const Instant deadline = unit.now() + bound;
  StateTransition transition(unit, run.organization, *service);
  transition.move(ServiceEvent::admitted);
  transition.read_configuration(record->revision);
  const std::uint8_t partition = transition.machine().partition;
  transition.begin_step(step_id_in(unit.make_id(), partition), kind, deadline);
  in_flight_.add(transition.machine().step,
                 {SubjectKind::service, partition, part, subject, run.environment, run.request, deadline}, run.scope);
  const StepTexts texts = texts_of(run, transition.machine());
  Step step = step_of(transition.machine(), record->organization, {}, {});
  step.restarts_max = restarts;
  if (texts.name) step.name = name_of(*record);
  std::vector<std::string> remarks;
  ORLOP_CHECK(texts.configuration ? configure_step(unit, run, part, texts, step, *record, remarks)
                                  : check_step(unit, run, part, step, *record, remarks));
  for (const std::string& remark : remarks) say(transition, EventKind::log_line, remark);
  in_flight_.ask_start(std::move(step));
  std::move(transition).put();
  return true;
}

// Sets a part that will not start to CANCELED.
Result<void> EnvironmentRuns::abandon(Unit& unit, const Run& run, std::uint32_t part) {
  ORLOP_TRY(service, unit.machine(run.subjects[part]));
  const bool applies =
      service && service->request == run.request && is_transient(static_cast<ServiceState>(service->state));
  if (!applies) return {};
  StateTransition transition(unit, run.organization, *service);
  transition.move(ServiceEvent::cancel_requested);
  transition.move(ServiceEvent::canceled);
  std::move(transition).put();
  return {};
}

namespace {

// Returns the detail of the event: the observation, and what it says of the service's health; empty if nothing.
std::string said_of(const std::string& observation, HealthNews health) {
  if (health == HealthNews::none) return observation;
  Writer out;
  out.begin_object().field("health", health == HealthNews::unhealthy ? "unhealthy" : "recovered");
  std::string text = std::move(out.end_object()).take();
  if (observation.empty()) return text;
  text.back() = ',';
  return text + observation.substr(1);
}

}  // namespace

Result<void> EnvironmentRuns::observe(Unit& unit, const Report& report) {
  const Id& service = report.step;
  ORLOP_TRY(machine, unit.machine(service));
  ORLOP_TRY(record, unit.record(service));
  const Family* family = machine && record ? find_family(machine->family) : nullptr;
  if (machine && !held_.contains(machine->partition)) {
    unit.changes().coordination.reports.push_back({0, machine->partition, service, unit.now(),
                                                   static_cast<std::uint8_t>(report.kind),
                                                   static_cast<std::uint8_t>(report.running), report.text});
    return {};
  }
  if (family == nullptr || !is_service(*family) || !has_workload(*machine)) return {};
  ORLOP_TRY(stored, store_observation(unit, service, report.running, report.text));
  const bool is_said = stored.is_new && !report.text.empty();
  if (!is_said && machine->running == static_cast<std::uint8_t>(report.running)) return {};
  StateTransition transition(unit, record->organization, *machine);
  transition.set_running(report.running, said_of(report.text, stored.health));
  std::move(transition).put();
  return {};
}

}  // namespace orlop
