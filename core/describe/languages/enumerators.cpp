#include "describe/languages/enumerators.h"

namespace orlop {

// Switches, so that the compiler warns about a missing enumerator.
#define ORLOP_NAME(Enum, name) \
  case Enum::name: return #name;

std::string_view enumerator_of(Action action) {
  switch (action) {
    ORLOP_NAME(Action, none)
    ORLOP_NAME(Action, deploy)
    ORLOP_NAME(Action, restart)
    ORLOP_NAME(Action, stop)
    ORLOP_NAME(Action, remove)
    ORLOP_NAME(Action, uninstall)
    ORLOP_NAME(Action, dry_run)
    ORLOP_NAME(Action, upgrade)
  }
  return "";
}

std::string_view enumerator_of(Freshness freshness) {
  switch (freshness) {
    ORLOP_NAME(Freshness, never_deployed)
    ORLOP_NAME(Freshness, out_of_date)
    ORLOP_NAME(Freshness, up_to_date)
  }
  return "";
}

std::string_view enumerator_of(RunningState state) {
  switch (state) {
    ORLOP_NAME(RunningState, none)
    ORLOP_NAME(RunningState, starting)
    ORLOP_NAME(RunningState, running)
    ORLOP_NAME(RunningState, warning)
    ORLOP_NAME(RunningState, error)
    ORLOP_NAME(RunningState, stopping)
    ORLOP_NAME(RunningState, stopped)
    ORLOP_NAME(RunningState, completed)
    ORLOP_NAME(RunningState, unknown)
  }
  return "";
}

std::string_view enumerator_of(StepKind kind) {
  switch (kind) {
    ORLOP_NAME(StepKind, none)
    ORLOP_NAME(StepKind, build)
    ORLOP_NAME(StepKind, deploy)
    ORLOP_NAME(StepKind, execute)
    ORLOP_NAME(StepKind, stop)
    ORLOP_NAME(StepKind, restart)
    ORLOP_NAME(StepKind, remove)
    ORLOP_NAME(StepKind, cluster_create)
    ORLOP_NAME(StepKind, cluster_update)
    ORLOP_NAME(StepKind, cluster_upgrade)
    ORLOP_NAME(StepKind, cluster_dry_run)
    ORLOP_NAME(StepKind, cluster_stop)
    ORLOP_NAME(StepKind, cluster_remove)
    ORLOP_NAME(StepKind, cluster_restart)
    ORLOP_NAME(StepKind, task)
  }
  return "";
}

std::string_view enumerator_of(ReportKind kind) {
  switch (kind) {
    ORLOP_NAME(ReportKind, build_started)
    ORLOP_NAME(ReportKind, built)
    ORLOP_NAME(ReportKind, started)
    ORLOP_NAME(ReportKind, executing)
    ORLOP_NAME(ReportKind, progress)
    ORLOP_NAME(ReportKind, log_line)
    ORLOP_NAME(ReportKind, succeeded)
    ORLOP_NAME(ReportKind, failed)
    ORLOP_NAME(ReportKind, credentials_refused)
    ORLOP_NAME(ReportKind, contact_lost)
    ORLOP_NAME(ReportKind, canceled)
    ORLOP_NAME(ReportKind, running_state)
    ORLOP_NAME(ReportKind, recap_started)
    ORLOP_NAME(ReportKind, unchanged)
  }
  return "";
}

std::string_view enumerator_of(CancelMode mode) {
  switch (mode) {
    ORLOP_NAME(CancelMode, interruptible)
    ORLOP_NAME(CancelMode, force)
    ORLOP_NAME(CancelMode, lost)
  }
  return "";
}

std::string_view enumerator_of(EventKind kind) {
  switch (kind) {
    ORLOP_NAME(EventKind, created)
    ORLOP_NAME(EventKind, edited)
    ORLOP_NAME(EventKind, deleted)
    ORLOP_NAME(EventKind, state_changed)
    ORLOP_NAME(EventKind, request_queued)
    ORLOP_NAME(EventKind, request_started)
    ORLOP_NAME(EventKind, request_ended)
    ORLOP_NAME(EventKind, step_started)
    ORLOP_NAME(EventKind, step_ended)
    ORLOP_NAME(EventKind, progress)
    ORLOP_NAME(EventKind, log_line)
    ORLOP_NAME(EventKind, running_changed)
    ORLOP_NAME(EventKind, freshness_changed)
  }
  return "";
}

#undef ORLOP_NAME

}  // namespace orlop
