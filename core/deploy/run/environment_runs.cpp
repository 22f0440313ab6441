#include "deploy/run/environment_runs.h"

#include <string>
#include <utility>

#include "deploy/driver/configuration.h"
#include "deploy/request/deployed_commit.h"
#include "model/registry.h"
#include "ops/verbs.h"

namespace orlop {
namespace {

ServiceState status_of(RunOutcome outcome, Action action) {
  switch (outcome) {
    case RunOutcome::failed: return row_of(action).failed;
    case RunOutcome::build_failed: return ServiceState::build_error;
    case RunOutcome::canceled: return ServiceState::canceled;
    case RunOutcome::succeeded: break;
  }
  switch (action) {
    case Action::restart: return ServiceState::restarted;
    case Action::stop: return ServiceState::stopped;
    case Action::remove: return ServiceState::deleted;
    case Action::none:
    case Action::uninstall: return ServiceState::ready;
    case Action::deploy:
    case Action::dry_run:
    case Action::upgrade: return ServiceState::deployed;
  }
  return ServiceState::ready;
}

// A step can begin while the service waits for it, and not when a cancel has overtaken it.
bool can_start(const Machine& service, const Run& run) {
  const auto state = static_cast<ServiceState>(service.state);
  return service.request == run.request && is_transient(state) && state != ServiceState::canceling;
}

void note_commit(StateTransition& service, const Report& report) {
  const auto kind = static_cast<StepKind>(service.machine().step_kind);
  const bool has_succeeded = report.kind == ReportKind::succeeded || report.kind == ReportKind::built;
  const bool may_say = has_succeeded && (kind == StepKind::build || kind == StepKind::deploy);
  if (!may_say) return;
  if (std::string commit = commit_in(report.text); !commit.empty()) service.detail().commit = std::move(commit);
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
  StateTransition transition(unit, run->organization, std::move(*service));
  note_commit(transition, report);
  const StepResult result = take_service_report(transition, report, is_followed ? StepRole::followed : StepRole::last, unit.now());
  const bool is_deployed = transition.action() == Action::deploy && transition.service_state() == ServiceState::deployed;
  if (result == StepResult::succeeded && is_deployed) {
    ORLOP_CHECK(store_deployed_commit(unit, transition, run->overrides_of(place.subject)));
  }
  if (result == StepResult::succeeded && !transition.detail().outputs.empty()) run->add_outputs(place.part, transition.detail().outputs);
  return apply(unit, report.step, place, transition, result);
}

Result<void> EnvironmentRuns::expire(Unit& unit, const Id& step, const StepPlace& place) {
  const Run* const run = run_of(place);
  ORLOP_TRY(service, unit.machine(place.subject));
  if (run == nullptr || !service || service->step != step) return forget_step(unit, step, place);
  if (service->deadline > unit.now()) {
    in_flight_.postpone(step, service->deadline);
    return {};
  }
  const std::int64_t waited = (unit.now() - service->step_started_at).milliseconds / 1000;
  StateTransition transition(unit, run->organization, std::move(*service));
  in_flight_.ask_cancel(step, CancelMode::force);
  const StepResult result = fail_service(transition, "the step did not end within its time, " + std::to_string(waited) + " seconds");
  return apply(unit, step, place, transition, result);
}

Result<void> EnvironmentRuns::apply(Unit& unit, const Id& step, const StepPlace& place, StateTransition& service, StepResult result) {
  if (result == StepResult::ignored) return {};
  service.put();
  if (result == StepResult::goes_on) return {};
  const std::uint32_t part = place.part;
  Run& run = runs_.at(place.owner);
  in_flight_.end(step);  // `place` was its
  if (service.service_state() == ServiceState::deleted) ORLOP_CHECK(finish_deleted(unit, service));
  std::vector<Decision> decisions;
  if (result == StepResult::succeeded) ORLOP_CHECK(run.runner.succeeded(part, decisions));
  if (result == StepResult::failed) ORLOP_CHECK(run.runner.failed(part, decisions));
  if (result == StepResult::left) ORLOP_CHECK(run.runner.left(part, decisions));
  return carry_out(unit, run.environment, std::move(decisions));
}

Run* EnvironmentRuns::run_of(const StepPlace& place) {
  const auto found = runs_.find(place.owner);
  if (found == runs_.end()) return nullptr;
  Run& run = found->second;
  // A run that was made anew from the rows may have fewer parts than the one that started the step.
  const bool is_part = place.part < run.subjects.size() && run.subjects[place.part] == place.subject;
  return run.request == place.request && is_part ? &run : nullptr;
}

// The service or the run was taken away: the report of the step changes nothing any more.
Result<void> EnvironmentRuns::forget_step(Unit& unit, const Id& step, const StepPlace& place) {
  in_flight_.end(step);
  Run* const run = run_of(place);
  if (run == nullptr || run->runner.progress(place.part) == Progress::done) return {};
  std::vector<Decision> decisions;
  ORLOP_CHECK(run->runner.left(place.part, decisions));
  return carry_out(unit, place.owner, std::move(decisions));
}

// The record goes, unless something that came meanwhile refers to it: then the service stays, DELETED, with the reason.
Result<void> EnvironmentRuns::finish_deleted(Unit& unit, StateTransition& service) {
  ORLOP_TRY(record, unit.record(service.machine().id));
  if (!record) return {};
  const auto removed = remove_tree(unit, *record);
  if (removed) return {};
  if (removed.error().code != ErrorCode::conflict) return removed.error();
  service.detail().reason = removed.error().message;
  service.set_freshness(Freshness::never_deployed);
  service.put();
  return {};
}

Result<void> EnvironmentRuns::carry_out_pending(Unit& unit, Id environment) {
  const auto found = runs_.find(environment);
  if (found == runs_.end()) return {};
  return carry_out(unit, environment, std::exchange(found->second.pending, {}));
}

Result<void> EnvironmentRuns::carry_out(Unit& unit, Id environment, std::vector<Decision> decisions) {
  Run& run = runs_.at(environment);
  for (std::size_t at = 0; at < decisions.size(); ++at) {
    const Decision decision = decisions[at];
    if (decision.kind == Decision::Kind::end) return end(unit, environment);
    if (decision.kind == Decision::Kind::abandon) {
      ORLOP_CHECK(abandon(unit, run, decision.part));
      continue;
    }
    ORLOP_TRY(started, start(unit, run, decision.part, kind_of(decision, run.runner.plan().parts[decision.part])));
    if (!started) ORLOP_CHECK(run.runner.left(decision.part, decisions));
  }
  return {};
}

// False: there is nothing to start any more.
Result<bool> EnvironmentRuns::start(Unit& unit, Run& run, std::uint32_t part, StepKind kind) {
  const Id& subject = run.subjects[part];
  ORLOP_TRY(service, unit.machine(subject));
  if (!service || !can_start(*service, run)) return false;
  ORLOP_TRY(record, unit.record(subject));
  if (!record) return false;
  ORLOP_TRY(deadline, deadline_of(*record, kind, unit.now(), settings_));
  StateTransition transition(unit, run.organization, std::move(*service));
  transition.move(ServiceEvent::admitted);
  transition.read_configuration(record->revision);
  transition.begin_step(unit.make_id(), kind, deadline);
  transition.put();
  in_flight_.add(transition.machine().step, {SubjectKind::service, subject, run.environment, part, deadline, run.request});
  ORLOP_TRY(configuration, configuration_for(unit, run, part, transition.machine(), *record));
  in_flight_.ask_start(step_of(transition.machine(), *record, std::move(configuration)));
  return true;
}

// "" if the driver does not read it.
Result<std::string> EnvironmentRuns::configuration_for(Unit& unit, const Run& run, std::uint32_t part, const Machine& service,
                                                       const Record& record) {
  if (!in_flight_.needs_configuration(service)) return std::string();
  return configuration_of(unit, record, run.overrides_of(service.id), run.outputs_before(part));
}

// What will not start any more comes to rest as CANCELED.
Result<void> EnvironmentRuns::abandon(Unit& unit, const Run& run, std::uint32_t part) {
  ORLOP_TRY(service, unit.machine(run.subjects[part]));
  const bool applies = service && service->request == run.request && is_transient(static_cast<ServiceState>(service->state));
  if (!applies) return {};
  StateTransition transition(unit, run.organization, std::move(*service));
  transition.move(ServiceEvent::cancel_requested);
  transition.move(ServiceEvent::canceled);
  transition.put();
  return {};
}

Result<void> EnvironmentRuns::end(Unit& unit, Id environment) {
  const auto found = runs_.find(environment);
  const RunOutcome outcome = found->second.runner.outcome();
  const Id id = found->second.request;
  runs_.erase(found);
  woken_.push_back(environment);
  // Another engine on the same store may have ended the request.
  ORLOP_TRY(machine, unit.machine(id));
  if (!machine || !is_unfinished(*machine)) return {};
  ORLOP_TRY(request, stored_request(unit, std::move(*machine)));
  // A cancel that was asked for since the last tick counts, although no service was left to cancel.
  const bool is_canceled = request_state(request.machine) == RequestState::canceling;
  const ServiceState status = status_of(is_canceled ? RunOutcome::canceled : outcome, request.body.action);
  const bool takes_environment = request.body.whole_environment && request.body.action == Action::remove && status == ServiceState::deleted;
  ORLOP_CHECK(end_request(unit, std::move(request), status));
  if (!takes_environment) return {};
  ORLOP_TRY(record, unit.record(environment));
  if (!record) return {};
  const auto removed = remove_tree(unit, *record);
  // Something outside refers into it, or a service came meanwhile: the environment stays, without what was deleted.
  if (!removed && removed.error().code != ErrorCode::conflict) return removed.error();
  return {};
}

Result<void> EnvironmentRuns::running_state(Unit& unit, const Id& service, RunningState running) {
  ORLOP_TRY(machine, unit.machine(service));
  ORLOP_TRY(record, unit.record(service));
  const Family* family = machine && record ? find_family(machine->family) : nullptr;
  const bool applies = family != nullptr && is_service(*family) && machine->running != static_cast<std::uint8_t>(running);
  if (!applies) return {};
  StateTransition transition(unit, record->organization, std::move(*machine));
  transition.set_running(running);
  transition.put();
  return {};
}

}  // namespace orlop
