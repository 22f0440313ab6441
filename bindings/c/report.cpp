// A driver's word, checked before the engine takes it down.
#include <cstddef>
#include <string>

#include "base/limits.h"
#include "callbacks.h"
#include "guard.h"
#include "host.h"
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
      return true;
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
    case RunningState::unknown:
      return true;
    case RunningState::none:
      break;
  }
  return false;
}

Error invalid(std::string message) { return make_error(ErrorCode::invalid, std::move(message)); }

Result<Report> read_report(const orlop_step_report* report) {
  ORLOP_TRY(given, read_versioned(report, orlop_step_report{}, sizeof(orlop_step_report), "the report"));
  ORLOP_CHECK(check_text(given.text, "report.text"));
  if (given.kind < 0 || given.kind > UINT8_MAX || !is_known(static_cast<ReportKind>(given.kind))) {
    return invalid("report.kind must be one of ORLOP_REPORT_…, not " + std::to_string(given.kind));
  }
  Report out;
  out.step = id_of(given.step);
  out.kind = static_cast<ReportKind>(given.kind);
  if (out.kind == ReportKind::running_state) {
    if (given.running < 0 || given.running > UINT8_MAX || !is_known(static_cast<RunningState>(given.running))) {
      return invalid("report.running must be one of ORLOP_RUNNING_… but NONE, not " + std::to_string(given.running));
    }
    out.running = static_cast<RunningState>(given.running);
  }
  if (given.text.size > text_size_max) {
    return invalid("report.text must have at most " + std::to_string(text_size_max) + " bytes, not " + std::to_string(given.text.size));
  }
  out.text = view_of(given.text);
  return out;
}

}  // namespace

extern "C" orlop_error* orlop_report(orlop_engine* engine, const orlop_step_report* report) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine, CalledFrom::driver));
    ORLOP_TRY(read, read_report(report));
    return host->engine().report(std::move(read));
  });
}
