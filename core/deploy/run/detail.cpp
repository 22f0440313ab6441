#include "deploy/run/detail.h"

#include <algorithm>
#include <utility>

namespace orlop {
namespace {

constexpr std::int64_t milliseconds_per_second = 1000;

bool is_queueing(std::uint8_t phase) {
  return phase == static_cast<std::uint8_t>(TimedPhase::build_queueing) ||
         phase == static_cast<std::uint8_t>(TimedPhase::deployment_queueing);
}

}  // namespace

std::string_view to_string(PhaseStatus status) {
  switch (status) {
    case PhaseStatus::success: return "SUCCESS";
    case PhaseStatus::error: return "ERROR";
    case PhaseStatus::cancel: return "CANCEL";
    case PhaseStatus::skip: return "SKIP";
  }
  return "SUCCESS";
}

std::string_view to_string(TimedPhase phase) {
  switch (phase) {
    case TimedPhase::build_queueing: return "BUILD_QUEUEING";
    case TimedPhase::build: return "BUILD";
    case TimedPhase::deployment_queueing: return "DEPLOYMENT_QUEUEING";
    case TimedPhase::deployment: return "DEPLOYMENT";
    case TimedPhase::executing: return "EXECUTING";
  }
  return "DEPLOYMENT";
}

void spend(ActionTiming& timing, TimedPhase phase, PhaseStatus status, Duration spent) {
  const auto number = static_cast<std::uint8_t>(phase);
  const bool goes_on = !timing.phases.empty() && timing.phases.back().phase() == number;
  const Duration before = goes_on ? timing.phases.back().spent() : Duration{};
  const auto changed =
      PhaseTiming::of(number, static_cast<std::uint8_t>(status), before.milliseconds + spent.milliseconds);
  if (!changed) return;  // out of range: the clock jumped by a million years
  if (goes_on) timing.phases.back() = *changed;
  else timing.phases.push_back(*changed);
}

bool has_phase(const ActionTiming& timing, TimedPhase phase) {
  return std::ranges::any_of(
      timing.phases, [phase](const PhaseTiming& timing) { return timing.phase() == static_cast<std::uint8_t>(phase); });
}

void write_steps(Writer& out, const ActionTiming& timing) {
  Duration total;
  Duration computing;
  for (const PhaseTiming& phase : timing.phases) {
    total.milliseconds += phase.spent().milliseconds;
    if (!is_queueing(phase.phase())) computing.milliseconds += phase.spent().milliseconds;
  }
  out.begin_object();
  out.field("total_duration_sec", total.milliseconds / milliseconds_per_second);
  out.field("total_computing_duration_sec", computing.milliseconds / milliseconds_per_second);
  out.key("details").begin_list();
  for (const PhaseTiming& phase : timing.phases) {
    out.begin_object().field("step_name", to_string(static_cast<TimedPhase>(phase.phase())));
    out.field("status", to_string(static_cast<PhaseStatus>(phase.status())));
    out.field("duration_sec", phase.spent().milliseconds / milliseconds_per_second).end_object();
  }
  out.end_list().end_object();
}

}  // namespace orlop
