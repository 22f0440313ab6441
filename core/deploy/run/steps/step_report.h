// The effect of a driver's report on the subject of its step: the events of the state machine, freshness and times. The
// caller writes the machine and informs the runner.
#pragma once

#include <string>
#include <string_view>

#include "deploy/driver/driver.h"
#include "deploy/run/state_transition.h"

namespace orlop {

enum class StepResult : std::uint8_t {
  ignored = 1,  // it no longer applies; nothing has changed
  goes_on = 2,
  succeeded = 3,
  failed = 4,
  left = 5,  // canceled
};

// `followed`: another step follows this one, so that its success does not end the action.
enum class StepRole : std::uint8_t { last = 1, followed = 2 };

// Reports whether the step, or its next part, has begun.
constexpr bool is_beginning(ReportKind kind) {
  return kind == ReportKind::build_started || kind == ReportKind::built || kind == ReportKind::started ||
         kind == ReportKind::executing || kind == ReportKind::recap_started;
}

// Reports whether the step continues after the report, so that nothing else is decided by it.
constexpr bool is_said_on_the_way(ReportKind kind) {
  return (is_beginning(kind) && kind != ReportKind::built) || kind == ReportKind::progress ||
         kind == ReportKind::log_line;
}

StepResult take_service_report(StateTransition& service, const Report& report, StepRole role, Instant now);
StepResult take_cluster_report(StateTransition& cluster, const Report& report, Instant now);
StepResult take_task_report(StateTransition& task, const Report& report, Instant now);

// Ends the subject's step; returns `result`.
StepResult end_step(StateTransition& subject, PhaseStatus status, StepResult result);

// Writes progress or a log line of the driver to the feed.
StepResult say(StateTransition& subject, EventKind kind, std::string_view text);

// Returns why the outputs of a step are invalid, as one sentence; empty if they are a JSON object or empty.
std::string outputs_refusal(std::string_view text);

// Fails the step, by a report or by its deadline.
StepResult fail_service(StateTransition& service, std::string_view reason);
StepResult fail_cluster(StateTransition& cluster, std::string_view reason);
StepResult fail_task(StateTransition& task, std::string_view reason);

}  // namespace orlop
