#include "deploy/driver/report_bounds.h"

#include <string>

#include "base/limits.h"
#include "base/text/utf8.h"

namespace orlop {
namespace {

std::string outputs_too_large(std::size_t size) {
  return "the outputs of the step have " + std::to_string(size) + " bytes; at most " + std::to_string(outputs_size_max) + " are allowed";
}

bool is_within(const Report& report) {
  if (report.text.empty()) return true;
  const std::size_t bound = report.kind == ReportKind::succeeded ? outputs_size_max : text_size_max;
  return report.text.size() <= bound && is_utf8(report.text);
}

}  // namespace

Report bounded_report(const Id& step, ReportKind kind, std::string_view text, RunningState running) {
  if (kind != ReportKind::succeeded) return {step, kind, running, bounded_text(text, text_size_max)};
  if (text.size() > outputs_size_max) return {step, ReportKind::failed, running, outputs_too_large(text.size())};
  return {step, kind, running, is_utf8(text) ? std::string(text) : to_utf8(text)};
}

void keep_within_bounds(Report& report) {
  if (!is_within(report)) report = bounded_report(report.step, report.kind, report.text, report.running);
}

bool ends_step(ReportKind kind) {
  switch (kind) {
    case ReportKind::succeeded:
    case ReportKind::failed:
    case ReportKind::credentials_refused:
    case ReportKind::canceled: return true;
    case ReportKind::build_started:
    case ReportKind::built:
    case ReportKind::started:
    case ReportKind::executing:
    case ReportKind::progress:
    case ReportKind::log_line:
    case ReportKind::contact_lost:
    case ReportKind::running_state:
    case ReportKind::recap_started: return false;
  }
  return false;
}

}  // namespace orlop
