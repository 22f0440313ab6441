#include "deploy/driver/report_bounds.h"

#include <string>
#include <utility>

#include "base/limits.h"
#include "base/text/utf8.h"

namespace orlop {
namespace {

std::string outputs_too_large(std::size_t size) {
  return "the outputs of the step have " + std::to_string(size) + " bytes; at most " +
         std::to_string(outputs_size_max) + " are allowed";
}

bool is_within(const Report& report, std::size_t bound) {
  if (report.text.empty()) return true;
  return report.text.size() <= (report.kind == ReportKind::succeeded ? outputs_size_max : bound) &&
         is_utf8(report.text);
}

}  // namespace

Report bounded_report(const Id& step, ReportKind kind, std::string_view text, RunningState running) {
  if (kind != ReportKind::succeeded) return {step, kind, running, bounded_text(text, text_size_max), 0};
  if (text.size() > outputs_size_max) return {step, ReportKind::failed, running, outputs_too_large(text.size()), 0};
  return {step, kind, running, is_utf8(text) ? std::string(text) : to_utf8(text), 0};
}

void keep_within_bounds(Report& report) {
  if (report.left_out == 0 && is_within(report, text_size_max)) return;
  if (report.kind == ReportKind::succeeded) {
    report = bounded_report(report.step, report.kind, report.text, report.running);
    return;
  }
  report.text = bounded_text(report.text, text_size_max, std::exchange(report.left_out, 0));
}

Report received_report(const Id& step, ReportKind kind, std::string_view text, RunningState running) {
  if (kind == ReportKind::succeeded) return bounded_report(step, kind, text, running);
  const std::string_view part = beginning(text, received_size_max);
  std::string kept = is_utf8(part) ? std::string(part) : to_utf8(part);
  return {step, kind, running, std::move(kept), text.size() - part.size()};
}

void keep_as_received(Report& report) {
  if (is_within(report, received_size_max)) return;
  const std::size_t left_out = report.left_out;
  report = received_report(report.step, report.kind, report.text, report.running);
  report.left_out += left_out;
}

bool ends_step(ReportKind kind) {
  switch (kind) {
    case ReportKind::succeeded:
    case ReportKind::unchanged:
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
