#include <string>

#include "deploy/driver/sensitive_outputs.h"
#include "deploy/run/steps/step_report.h"

namespace orlop {
namespace {

// Any report shows that the driver has begun.
void begin_task(StateTransition& task) {
  if (task.task_state() == TaskState::queued) task.move(TaskEvent::started);
}

StepResult succeed(StateTransition& task, const std::string& outputs) {
  if (const std::string refusal = outputs_refusal(outputs); !refusal.empty()) return fail_task(task, refusal);
  begin_task(task);
  task.edit_detail().outputs = split_outputs(outputs).open;  // no step gets the sensitive ones: they are not kept
  task.move(TaskEvent::succeeded);
  return end_step(task, PhaseStatus::success, StepResult::succeeded);
}

StepResult cancel(StateTransition& task, const std::string& reason) {
  if (!reason.empty()) task.edit_detail().reason = reason;
  task.move(TaskEvent::canceled);
  return end_step(task, PhaseStatus::cancel, StepResult::left);
}

StepResult take(StateTransition& task, const Report& report) {
  switch (report.kind) {
    case ReportKind::started:
    case ReportKind::executing:
    case ReportKind::build_started:
    case ReportKind::built: return begin_task(task), StepResult::goes_on;
    case ReportKind::progress: return begin_task(task), say(task, EventKind::progress, report.text);
    case ReportKind::log_line: return begin_task(task), say(task, EventKind::log_line, report.text);
    case ReportKind::succeeded: return succeed(task, report.text);
    case ReportKind::unchanged: return succeed(task, {});
    case ReportKind::failed:
    case ReportKind::credentials_refused: return fail_task(task, report.text);
    case ReportKind::canceled: return cancel(task, report.text);
    case ReportKind::contact_lost:
    case ReportKind::recap_started:
    case ReportKind::running_state: return StepResult::ignored;
  }
  return StepResult::ignored;
}

}  // namespace

StepResult take_task_report(StateTransition& task, const Report& report, Instant now) {
  const StepResult result = take(task, report);
  if (result == StepResult::goes_on) task.machine().timing.reported_at = now;
  return result;
}

StepResult fail_task(StateTransition& task, std::string_view reason) {
  task.edit_detail().reason = reason;
  task.move(TaskEvent::failed);
  return end_step(task, PhaseStatus::error, StepResult::failed);
}

}  // namespace orlop
