#include "deploy/run/steps/report_masks.h"

#include <optional>
#include <utility>

#include "deploy/driver/sensitive_outputs.h"

namespace orlop {

void ReportMasks::set(const Id& step, std::vector<std::string> secrets) {
  if (secrets.empty()) end(step);
  else steps_.insert_or_assign(step, Entry{std::move(secrets), nullptr});
}

void ReportMasks::mask(Report& report) {
  if (report.text.empty()) return;
  const auto found = steps_.find(report.step);
  const bool has_outputs = report.kind == ReportKind::succeeded;
  if (found == steps_.end() && !(has_outputs && may_have_sensitive(report.text))) return;
  std::optional<std::string> masked;
  if (has_outputs) {
    masked = masked_outputs(report.text,
                            SecretValues(found == steps_.end() ? std::vector<std::string>() : found->second.secrets));
  } else {
    Entry& entry = found->second;
    if (entry.mask == nullptr) entry.mask = std::make_unique<const SecretMask>(entry.secrets);
    masked = entry.mask->masked(report.text);
  }
  if (masked) report.text = std::move(*masked);
}

}  // namespace orlop
