// Cancel of a running request, and recovery of running requests.
#include <algorithm>
#include <utility>

#include "deploy/request/cancel_service.h"
#include "deploy/request/queuing.h"
#include "deploy/run/environments/environment_runs.h"
#include "deploy/run/job_output_records.h"
#include "model/plan_flag.h"

namespace orlop {
namespace {

// Reports whether the service does not show the stored cancel yet.
bool lacks_cancel(const Machine& service, CancelMode mode) {
  if (service.step.is_nil()) return false;
  return static_cast<ServiceState>(service.state) != ServiceState::canceling ||
         (is_interrupted(service, mode) && !service.timing.canceled_at);
}

bool is_start(const Decision& decision) {
  switch (decision.kind) {
    case Decision::Kind::build:
    case Decision::Kind::step:
    case Decision::Kind::follow: return true;
    case Decision::Kind::abandon:
    case Decision::Kind::end: break;
  }
  return false;
}

}  // namespace

Result<void> EnvironmentRuns::resume(Unit& unit, const Machine& request) {
  ORLOP_TRY(stored, stored_request(unit, request));
  ORLOP_TRY(services, services_moved(unit, stored.body));
  const bool has_step = std::ranges::any_of(services, [](const Machine& service) { return !service.step.is_nil(); });
  if (!stored.body.started_at && !has_step) return {};  // canceled before it began: wake() ends it
  ORLOP_TRY(run, make_run(stored, services, settings_));
  ORLOP_CHECK(restore_sensitive_outputs(unit, run));
  ORLOP_TRY(is_large, has_many_services(unit, stored.body));
  if (is_large && request_state(request) == RequestState::canceling) {
    const CancelMode mode = stored.body.cancel.value_or(CancelMode::interruptible);
    run.is_cancel_due =
        std::ranges::any_of(services, [mode](const Machine& service) { return lacks_cancel(service, mode); });
  }
  return attach(unit, std::move(run), services, Asked::again);
}

void EnvironmentRuns::follow_step(const Run& run, std::uint32_t part, const Machine& service) {
  in_flight_.add(
      service.step,
      {SubjectKind::service, service.partition, part, service.id, run.environment, run.request, service.deadline},
      run.scope);
  const bool is_canceling = static_cast<ServiceState>(service.state) == ServiceState::canceling;
  const bool may_finish = has(service.plan_flags, PlanFlag::uninterruptible) && run.cancel != CancelMode::force;
  if (is_canceling && !may_finish && !run.is_cancel_due)
    in_flight_.ask_cancel(service.step, run.cancel.value_or(CancelMode::interruptible));
}

// Processes a cancel: cancels services with a step, drops starts that were decided, and lets the runner abandon the
// rest. The rows of a large request are changed here, not by the commit of the cancel; only those with a step are read.
// Returns false if the cancel was processed before.
Result<bool> EnvironmentRuns::take_cancel(Unit& unit, Run& run, const Machine& request) {
  ORLOP_TRY(stored, stored_request(unit, request));
  if (run.cancel == stored.body.cancel && !run.is_cancel_due) return false;
  run.cancel = stored.body.cancel;
  run.is_cancel_due = false;
  run.waiting.clear();
  in_flight_.turns().forget(run.environment);
  std::vector<Decision> decisions = std::exchange(run.pending, {});
  std::erase_if(decisions, is_start);
  run.runner.cancel(decisions);
  const std::vector<std::uint32_t> running = run.runner.running();
  std::vector<Id> subjects;
  for (const std::uint32_t part : running) subjects.push_back(run.subjects[part]);
  ORLOP_CHECK(unit.load(subjects));
  for (const std::uint32_t part : running) {
    ORLOP_TRY(has_step, cancel_step(unit, run, part));
    if (!has_step) decisions.push_back({Decision::Kind::step, part});  // carry_out() abandons it
  }
  ORLOP_CHECK(carry_out(unit, run, decisions));
  return true;
}

// Returns false if no step of the part runs.
Result<bool> EnvironmentRuns::cancel_step(Unit& unit, const Run& run, std::uint32_t part) {
  const Id& subject = run.subjects[part];
  ORLOP_TRY(service, unit.machine(subject));
  if (!service || service->request != run.request || service->step.is_nil()) return false;
  const CancelMode mode = run.cancel.value_or(CancelMode::interruptible);
  if (lacks_cancel(*service, mode)) {
    ORLOP_CHECK(cancel_service(unit, run.organization, *service, mode));
    ORLOP_TRY(canceled, unit.machine(subject));
    service = std::move(canceled);
  }
  if (!service || service->step.is_nil()) return false;
  follow_step(run, part, *service);
  return true;
}

}  // namespace orlop
