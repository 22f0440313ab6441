#include <string>

#include "deploy/run/step_report.h"
#include "wire/writer.h"

namespace orlop {
namespace {

StepResult end(StateTransition& task, PhaseStatus status, StepResult result) {
  task.end_step(status);
  return result;
}

// A report of any kind says that the driver has begun.
void begin(StateTransition& task) {
  if (task.task_state() == TaskState::queued) task.move(TaskEvent::started);
}

StepResult say(StateTransition& task, EventKind kind, const std::string& text) {
  begin(task);
  task.emit(kind, 0, task.machine().step_kind, Writer().begin_object().field("text", text).end_object().text());
  return StepResult::goes_on;
}

StepResult succeed(StateTransition& task, const std::string& outputs) {
  if (const std::string refusal = outputs_refusal(outputs); !refusal.empty()) return fail_task(task, refusal);
  begin(task);
  task.detail().outputs = outputs;
  task.move(TaskEvent::succeeded);
  return end(task, PhaseStatus::success, StepResult::succeeded);
}

StepResult cancel(StateTransition& task, const std::string& reason) {
  if (!reason.empty()) task.detail().reason = reason;
  task.move(TaskEvent::canceled);
  return end(task, PhaseStatus::cancel, StepResult::left);
}

StepResult take(StateTransition& task, const Report& report) {
  switch (report.kind) {
    case ReportKind::started:
    case ReportKind::executing:
    case ReportKind::build_started:
    case ReportKind::built: return begin(task), StepResult::goes_on;
    case ReportKind::progress: return say(task, EventKind::progress, report.text);
    case ReportKind::log_line: return say(task, EventKind::log_line, report.text);
    case ReportKind::succeeded: return succeed(task, report.text);
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
  if (result == StepResult::goes_on) task.detail().reported_at = now;
  return result;
}

StepResult fail_task(StateTransition& task, std::string_view reason) {
  task.detail().reason = reason;
  task.move(TaskEvent::failed);
  return end(task, PhaseStatus::error, StepResult::failed);
}

}  // namespace orlop
