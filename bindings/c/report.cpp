// Checks a driver's report before the engine takes it. An unreadable report that may have been an end fails the step:
// the caller may ignore the error, and the step would run until its deadline.
#include <string>

#include "deploy/driver/report_bounds.h"
#include "guard.h"
#include "instance.h"
#include "ports/callbacks.h"
#include "versioned.h"

using namespace orlop;
using namespace orlop::c;

namespace {

bool is_known(ReportKind kind) {
  switch (kind) {
    case ReportKind::build_started:
    case ReportKind::built:
    case ReportKind::started:
    case ReportKind::executing:
    case ReportKind::progress:
    case ReportKind::log_line:
    case ReportKind::succeeded:
    case ReportKind::failed:
    case ReportKind::credentials_refused:
    case ReportKind::contact_lost:
    case ReportKind::canceled:
    case ReportKind::running_state:
    case ReportKind::recap_started:
    case ReportKind::unchanged: return true;
  }
  return false;
}

bool is_known(RunningState state) {
  switch (state) {
    case RunningState::starting:
    case RunningState::running:
    case RunningState::warning:
    case RunningState::error:
    case RunningState::stopping:
    case RunningState::stopped:
    case RunningState::completed:
    case RunningState::unknown: return true;
    case RunningState::none: break;
  }
  return false;
}

bool is_known_kind(std::int32_t kind) {
  return kind >= 0 && kind <= UINT8_MAX && is_known(static_cast<ReportKind>(kind));
}

Result<Report> read_report(const orlop_step_report& given) {
  if (!is_known_kind(given.kind))
    return invalid("report.kind must be one of ORLOP_REPORT_…, not " + std::to_string(given.kind));
  ORLOP_CHECK(check_text(given.text, "report.text"));
  const auto kind = static_cast<ReportKind>(given.kind);
  RunningState running = RunningState::none;
  if (kind == ReportKind::running_state) {
    if (given.running < 0 || given.running > UINT8_MAX || !is_known(static_cast<RunningState>(given.running))) {
      return invalid("report.running must be one of ORLOP_RUNNING_… but NONE, not " + std::to_string(given.running));
    }
    running = static_cast<RunningState>(given.running);
  }
  return received_report(id_of(given.step), kind, view_of(given.text), running);
}

// Reports whether an unreadable report may have been the end of its step.
bool may_end_step(const orlop_step_report& given) {
  return !is_known_kind(given.kind) || given.kind == ORLOP_REPORT_BUILT ||
         ends_step(static_cast<ReportKind>(given.kind));
}

}  // namespace

extern "C" orlop_error* orlop_report(orlop_engine* engine, const orlop_step_report* report) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine, CalledFrom::driver));
    ORLOP_TRY(given, read_versioned(report, orlop_step_report{}, sizeof(orlop_step_report), "the report"));
    auto read = read_report(given);
    if (read) return host->engine().report(std::move(*read));
    if (may_end_step(given)) {
      (void)host->engine().report(bounded_report(id_of(given.step), ReportKind::failed,
                                                 "the driver's report cannot be read: " + read.error().message));
    }
    return std::move(read).error();
  });
}
