#include "deploy/run/steps/step_report.h"

#include <algorithm>

#include "deploy/driver/sensitive_outputs.h"
#include "deploy/run/steps/address_outputs.h"

namespace orlop {
namespace {

bool is_building(const StateTransition& service) { return service.phase() == Phase::building; }

void settle_deploy(StateTransition& service, Instant now) {
  Machine& machine = service.machine();
  machine.last_deployment_at = now;
  if (machine.configuration == ConfigurationState::read) {
    machine.deployed = machine.configured;
    service.set_freshness(Freshness::up_to_date);
  } else {
    // Overtaken by an edit: the deployed revision is an earlier one, the last known or the first.
    machine.deployed = std::max<std::uint64_t>(machine.deployed, 1);
    service.set_freshness(Freshness::out_of_date);
  }
}

// Applies the effects of a success other than the state.
void settle(StateTransition& service, Instant now) {
  switch (service.action()) {
    case Action::deploy: settle_deploy(service, now); break;
    case Action::stop: service.set_running(RunningState::none); break;
    case Action::uninstall:
      service.machine().deployed = 0;
      service.set_running(RunningState::none);
      service.set_freshness(Freshness::never_deployed);
      break;
    case Action::none:
    case Action::restart:
    case Action::remove:
    case Action::dry_run:
    case Action::upgrade: break;
  }
}

StepResult begin(StateTransition& service) {
  const auto event = is_building(service) ? ServiceEvent::build_started : row_of(service.action()).service_started;
  const bool was_lost = service.service_state() == ServiceState::unavailable;
  if (!event || !service.move(*event)) return StepResult::ignored;
  if (was_lost) service.edit_detail().reason.clear();
  return StepResult::goes_on;
}

StepResult succeed_build(StateTransition& service) {
  if (service.service_state() == ServiceState::canceling) {
    service.move(ServiceEvent::canceled);
    return end_step(service, PhaseStatus::success, StepResult::left);
  }
  // Out of contact, a service stays UNAVAILABLE until its deploy begins: there is no transition back to its build.
  if (service.service_state() != ServiceState::unavailable) {
    service.move(ServiceEvent::build_started);
    service.move(ServiceEvent::built);
  }
  return end_step(service, PhaseStatus::success, StepResult::succeeded);
}

StepResult succeed_canceling(StateTransition& service, StepRole role, Instant now) {
  if (role == StepRole::followed) {
    service.move(ServiceEvent::canceled);
    return end_step(service, PhaseStatus::success, StepResult::left);
  }
  if (!service.move(ServiceEvent::finished_anyway)) return StepResult::ignored;
  settle(service, now);
  return end_step(service, PhaseStatus::success, StepResult::succeeded);
}

StepResult succeed(StateTransition& service, const std::string& text, StepRole role, Instant now) {
  if (is_building(service)) return succeed_build(service);
  if (const std::string refusal = outputs_refusal(text); !refusal.empty()) return fail_service(service, refusal);
  const bool executes = static_cast<StepKind>(service.machine().step_kind) == StepKind::execute;
  if (!executes) {
    if (const std::string refusal = addresses_refusal(text); !refusal.empty()) return fail_service(service, refusal);
  }
  if (executes) service.edit_detail().outputs = split_outputs(text).open;
  if (service.service_state() == ServiceState::canceling) return succeed_canceling(service, role, now);
  begin(service);  // the driver need not report the beginning
  if (role == StepRole::followed) return end_step(service, PhaseStatus::success, StepResult::succeeded);
  const bool uninstalls = service.action() == Action::uninstall;
  if (!service.move(uninstalls ? ServiceEvent::uninstalled : ServiceEvent::succeeded)) return StepResult::ignored;
  settle(service, now);
  return end_step(service, PhaseStatus::success, StepResult::succeeded);
}

// A build that was not needed is a build that has succeeded.
StepResult leave_unchanged(StateTransition& service, StepRole role, Instant now) {
  if (!is_building(service)) {
    begin(service);  // the phases before the step took place
    service.skip_phases();
  }
  return succeed(service, {}, role, now);
}

StepResult execute(StateTransition& service) {
  const StepResult begun = is_building(service) ? StepResult::ignored : begin(service);
  return service.move(ServiceEvent::execution_started) ? StepResult::goes_on : begun;
}

StepResult recap(StateTransition& service) {
  const StepResult begun = is_building(service) ? StepResult::ignored : begin(service);
  return service.move(ServiceEvent::recap_started) ? StepResult::goes_on : begun;
}

StepResult cancel(StateTransition& service) {
  if (!service.move(ServiceEvent::canceled)) return fail_service(service, "the driver canceled the step unasked");
  return end_step(service, PhaseStatus::cancel, StepResult::left);
}

StepResult lose_contact(StateTransition& service, const std::string& reason) {
  if (!service.move(ServiceEvent::contact_lost)) return StepResult::ignored;
  service.edit_detail().reason = reason;
  return StepResult::goes_on;
}

StepResult take(StateTransition& service, const Report& report, StepRole role, Instant now) {
  switch (report.kind) {
    case ReportKind::build_started: return is_building(service) ? begin(service) : StepResult::ignored;
    case ReportKind::built: return is_building(service) ? succeed_build(service) : StepResult::ignored;
    case ReportKind::started: return begin(service);
    case ReportKind::executing: return execute(service);
    case ReportKind::recap_started: return recap(service);
    case ReportKind::progress: return say(service, EventKind::progress, report.text);
    case ReportKind::log_line: return say(service, EventKind::log_line, report.text);
    case ReportKind::succeeded: return succeed(service, report.text, role, now);
    case ReportKind::unchanged: return leave_unchanged(service, role, now);
    case ReportKind::failed:
    case ReportKind::credentials_refused: return fail_service(service, report.text);
    case ReportKind::contact_lost: return lose_contact(service, report.text);
    case ReportKind::canceled: return cancel(service);
    case ReportKind::running_state: return StepResult::ignored;
  }
  return StepResult::ignored;
}

}  // namespace

StepResult take_service_report(StateTransition& service, const Report& report, StepRole role, Instant now) {
  const StepResult result = take(service, report, role, now);
  if (result == StepResult::goes_on) service.machine().timing.reported_at = now;
  return result;
}

StepResult fail_service(StateTransition& service, std::string_view reason) {
  // The build may fail before the driver has reported its beginning.
  if (is_building(service)) service.move(ServiceEvent::build_started);
  service.edit_detail().reason = reason;
  if (!service.move(ServiceEvent::failed)) return StepResult::ignored;
  const bool is_deploy = service.action() == Action::deploy;
  const bool was_current = static_cast<Freshness>(service.machine().freshness) == Freshness::up_to_date;
  if (is_deploy && was_current) service.set_freshness(Freshness::out_of_date);
  return end_step(service, PhaseStatus::error, StepResult::failed);
}

}  // namespace orlop
