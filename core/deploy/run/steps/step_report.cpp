#include "deploy/run/steps/step_report.h"

#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {

StepResult end_step(StateTransition& subject, PhaseStatus status, StepResult result) {
  subject.end_step(status);
  return result;
}

StepResult say(StateTransition& subject, EventKind kind, std::string_view text) {
  subject.emit(kind, 0, subject.machine().step_kind).detail =
      Writer().begin_object().field("text", text).end_object().text();
  return StepResult::goes_on;
}

std::string outputs_refusal(std::string_view text) {
  if (text.empty()) return {};
  const auto value = parse_json(text);
  if (!value) return "the outputs of the step must be a JSON object (" + value.error().message + ")";
  return value->is_object() ? std::string() : "the outputs of the step must be a JSON object";
}

}  // namespace orlop
