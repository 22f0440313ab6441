#include "engine/report_sealing.h"

#include <string>
#include <string_view>
#include <utility>

#include "store/sealing/sealed_text.h"

namespace orlop {
namespace {

std::string context_of_report(const InboxReport& report) {
  std::string context("report 1");
  context.append(reinterpret_cast<const char*>(report.step.bytes.data()), report.step.bytes.size());
  return context.append(1, static_cast<char>(report.kind));
}

}  // namespace

ReportSealing::ReportSealing(const SealingKeys& keys) {
  if (keys.current.empty()) return;
  ciphers_.emplace_back(keys.current, keys.aead);
  for (const std::string& previous : keys.previous) ciphers_.emplace_back(previous, keys.aead);
}

Result<void> ReportSealing::seal(InboxReport& report) const {
  if (ciphers_.empty() || report.text.empty()) return {};
  ORLOP_TRY(sealed, ciphers_.front().seal(report.text, context_of_report(report)));
  report.text = std::string(sealed_prefix) + sealed;
  return {};
}

Report ReportSealing::open(const InboxReport& report) const {
  Report opened{report.step, static_cast<ReportKind>(report.kind), static_cast<RunningState>(report.running),
                report.text};
  if (ciphers_.empty() || !is_sealed(report.text)) return opened;
  const std::string_view sealed = std::string_view(report.text).substr(sealed_prefix.size());
  for (const Cipher& cipher : ciphers_) {
    auto text = cipher.open(sealed, context_of_report(report));
    if (!text) continue;
    opened.text = std::move(*text);
    return opened;
  }
  if (opened.kind == ReportKind::running_state) {  // the state alone says enough
    opened.text.clear();
    return opened;
  }
  opened.text = "the text of this report was sealed with a key that this engine does not have";
  if (opened.kind == ReportKind::succeeded) opened.kind = ReportKind::failed;
  return opened;
}

}  // namespace orlop
