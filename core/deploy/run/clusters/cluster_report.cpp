#include "deploy/run/steps/step_report.h"

#include <algorithm>

namespace orlop {
namespace {

bool deploys(Action action) { return action == Action::deploy || action == Action::upgrade; }

void settle(StateTransition& cluster, Instant now) {
  if (!deploys(cluster.action())) return;
  Machine& machine = cluster.machine();
  machine.last_deployment_at = now;
  const bool is_current = machine.configuration == ConfigurationState::read;
  machine.deployed = is_current ? machine.configured : std::max<std::uint64_t>(machine.deployed, 1);
  cluster.set_freshness(is_current ? Freshness::up_to_date : Freshness::out_of_date);
}

StepResult begin(StateTransition& cluster) {
  const auto event = row_of(cluster.action()).cluster_started;
  return event && cluster.move(*event) ? StepResult::goes_on : StepResult::ignored;
}

StepResult build(StateTransition& cluster, ReportKind kind) {
  if (!deploys(cluster.action())) return StepResult::ignored;
  const bool has_begun = cluster.move(ClusterEvent::build_started);
  const bool has_moved = kind == ReportKind::built && cluster.move(ClusterEvent::built);
  return has_begun || has_moved ? StepResult::goes_on : StepResult::ignored;
}

// A cluster has no transition for a cancel that came too late: after a success it is CANCELED, although deployed.
StepResult succeed(StateTransition& cluster, std::string_view outputs, Instant now) {
  if (const std::string refusal = outputs_refusal(outputs); !refusal.empty()) return fail_cluster(cluster, refusal);
  if (cluster.action() == Action::dry_run) {
    if (!cluster.move(ClusterEvent::dry_run_finished)) return StepResult::ignored;
    return end_step(cluster, PhaseStatus::success, StepResult::succeeded);
  }
  if (cluster.cluster_state() == ClusterState::canceling) {
    cluster.move(ClusterEvent::canceled);
    return end_step(cluster, PhaseStatus::success, StepResult::left);
  }
  if (cluster.cluster_state() == ClusterState::building) cluster.move(ClusterEvent::built);
  begin(cluster);
  if (!cluster.move(ClusterEvent::succeeded)) return StepResult::ignored;
  settle(cluster, now);
  return end_step(cluster, PhaseStatus::success, StepResult::succeeded);
}

void mark_outdated(StateTransition& cluster) {
  const bool was_current = static_cast<Freshness>(cluster.machine().freshness) == Freshness::up_to_date;
  if (was_current && deploys(cluster.action())) cluster.set_freshness(Freshness::out_of_date);
}

StepResult refuse_credentials(StateTransition& cluster, const std::string& reason) {
  cluster.edit_detail().reason = reason;
  if (!cluster.move(ClusterEvent::credentials_refused)) return fail_cluster(cluster, reason);
  mark_outdated(cluster);
  return end_step(cluster, PhaseStatus::error, StepResult::failed);
}

StepResult cancel(StateTransition& cluster) {
  if (!cluster.move(ClusterEvent::canceled)) return fail_cluster(cluster, "the driver canceled the step unasked");
  return end_step(cluster, PhaseStatus::cancel, StepResult::left);
}

StepResult take(StateTransition& cluster, const Report& report, Instant now) {
  switch (report.kind) {
    case ReportKind::build_started:
    case ReportKind::built: return build(cluster, report.kind);
    case ReportKind::started: return begin(cluster);
    case ReportKind::progress: return say(cluster, EventKind::progress, report.text);
    case ReportKind::log_line: return say(cluster, EventKind::log_line, report.text);
    case ReportKind::succeeded: return succeed(cluster, report.text, now);
    case ReportKind::unchanged: return succeed(cluster, {}, now);
    case ReportKind::failed: return fail_cluster(cluster, report.text);
    case ReportKind::credentials_refused: return refuse_credentials(cluster, report.text);
    case ReportKind::canceled: return cancel(cluster);
    case ReportKind::executing:
    case ReportKind::contact_lost:
    case ReportKind::recap_started:
    case ReportKind::running_state: return StepResult::ignored;
  }
  return StepResult::ignored;
}

}  // namespace

StepResult take_cluster_report(StateTransition& cluster, const Report& report, Instant now) {
  const StepResult result = take(cluster, report, now);
  if (result == StepResult::goes_on) cluster.machine().timing.reported_at = now;
  return result;
}

StepResult fail_cluster(StateTransition& cluster, std::string_view reason) {
  cluster.edit_detail().reason = reason;
  if (!cluster.move(ClusterEvent::failed)) return StepResult::ignored;
  mark_outdated(cluster);
  return end_step(cluster, PhaseStatus::error, StepResult::failed);
}

}  // namespace orlop
