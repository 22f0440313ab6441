#include "hand_driver.h"

#include <algorithm>

#include <utility>
#include "deploy/driver/scripted_outputs.h"

namespace orlop::tests {

Result<void> HandDriver::start(const Step& step) {
  log_.push_back(std::string(to_string(step.kind)) + " " + step.name);
  reports_.push_back({step.id, step.kind == StepKind::build ? ReportKind::build_started : ReportKind::started, {}, {}});
  configurations_[step.name] = step.configuration;
  if (held_.contains(step.name)) {
    running_[step.id] = step;
  } else {
    end(step);
  }
  return {};
}

std::string HandDriver::configuration_of(std::string_view name) const {
  const auto found = configurations_.find(std::string(name));
  return found == configurations_.end() ? std::string() : found->second;
}

void HandDriver::cancel(const Id& step, CancelMode) {
  if (running_.erase(step) != 0) reports_.push_back({step, ReportKind::canceled, {}, {}});
}

const Step* HandDriver::running(std::string_view name) const {
  const auto found =
      std::ranges::find(running_, name, [](const auto& entry) { return std::string_view(entry.second.name); });
  return found == running_.end() ? nullptr : &found->second;
}

bool HandDriver::say(std::string_view name, std::string_view line) {
  const Step* step = running(name);
  if (step != nullptr) reports_.push_back({step->id, ReportKind::log_line, {}, std::string(line)});
  return step != nullptr;
}

bool HandDriver::release(std::string_view name) {
  held_.erase(std::string(name));
  const Step* found = running(name);
  if (found == nullptr) return false;
  const Step step = *found;
  running_.erase(step.id);
  end(step);
  return true;
}

void HandDriver::end(const Step& step) {
  const auto failing = failing_.find(step.name);
  if (failing != failing_.end()) {
    reports_.push_back({step.id, ReportKind::failed, {}, failing->second});
  } else {
    const ReportKind kind = step.kind == StepKind::build ? ReportKind::built : ReportKind::succeeded;
    reports_.push_back({step.id, kind, {}, scripted_outputs(step)});
  }
}

}  // namespace orlop::tests
