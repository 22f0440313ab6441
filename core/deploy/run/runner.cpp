#include "deploy/run/runner.h"

#include <algorithm>
#include <string>
#include <utility>

namespace orlop {
namespace {

bool is_running(Progress progress) {
  switch (progress) {
    case Progress::building:
    case Progress::acting:
    case Progress::following: return true;
    case Progress::waiting:
    case Progress::built:
    case Progress::done: break;
  }
  return false;
}

}  // namespace

Runner::Runner(Plan plan, RunLimits limits)
    : plan_(std::move(plan)),
      limits_{std::max(limits.builds, 1U), std::max(limits.steps, 1U), std::max(limits.decisions, 1U)},
      progress_(plan_.parts.size(), Progress::waiting) {}

void Runner::begin(std::vector<Decision>& out) {
  for (const Progress progress : progress_) {
    if (progress == Progress::building) ++building_;
    if (progress == Progress::acting || progress == Progress::following) ++acting_;
  }
  for (const std::uint32_t part : plan_.builds) {
    if (progress_[part] == Progress::waiting || progress_[part] == Progress::building) ++builds_left_;
  }
  if (plan_.stage_count() > 0) stage_left_ = plan_.stages[1];
  for (std::uint32_t part = 0; part < plan_.parts.size(); ++part) {
    if (progress_[part] == Progress::done && plan_.parts[part].stage == 0) --stage_left_;
  }
  advance(out);
}

Result<void> Runner::require_running(std::uint32_t part) const {
  if (is_running(progress(part))) return {};
  return make_error(ErrorCode::internal, "part " + std::to_string(part) + " of the plan does not run; the plan has " +
                                             std::to_string(progress_.size()) + " parts");
}

void Runner::start(std::uint32_t part, Decision::Kind kind, Progress progress, std::vector<Decision>& out) {
  progress_[part] = progress;
  out.push_back({kind, part});
}

// Removes a running or waiting part from the counts.
void Runner::finish(std::uint32_t part) {
  const Progress before = std::exchange(progress_[part], Progress::done);
  const bool builds = plan_.parts[part].builds;
  if (before == Progress::building) --building_;
  if (builds && (before == Progress::waiting || before == Progress::building)) --builds_left_;
  if (before == Progress::acting || before == Progress::following) --acting_;
  if (before != Progress::done && plan_.parts[part].stage == stage_) --stage_left_;
}

void Runner::stop_as(RunOutcome outcome) {
  // A cancel is the outcome even if a part failed before or after it.
  if (!is_stopped_ || outcome == RunOutcome::canceled) outcome_ = outcome;
  is_stopped_ = true;
}

Result<void> Runner::succeeded(std::uint32_t part, std::vector<Decision>& out) {
  ORLOP_CHECK(require_running(part));
  const bool is_build = progress_[part] == Progress::building;
  const bool has_more = is_build || (progress_[part] == Progress::acting && plan_.parts[part].follow != StepKind::none);
  if (!has_more || is_stopped_) {
    finish(part);
    if (has_more) out.push_back({Decision::Kind::abandon, part});
  } else if (is_build) {
    --building_;
    --builds_left_;
    progress_[part] = Progress::built;
  } else {
    start(part, Decision::Kind::follow, Progress::following, out);
    return {};
  }
  advance(out);
  return {};
}

Result<void> Runner::failed(std::uint32_t part, std::vector<Decision>& out) {
  ORLOP_CHECK(require_running(part));
  stop_as(progress_[part] == Progress::building ? RunOutcome::build_failed : RunOutcome::failed);
  finish(part);
  advance(out);
  return {};
}

Result<void> Runner::left(std::uint32_t part, std::vector<Decision>& out) {
  if (part >= progress_.size()) {
    return make_error(ErrorCode::internal, "there is no part " + std::to_string(part) + " in the plan; it has " +
                                               std::to_string(progress_.size()) + " parts");
  }
  finish(part);
  advance(out);
  return {};
}

void Runner::cancel(std::vector<Decision>& out) {
  stop_as(RunOutcome::canceled);
  advance(out);
}

bool Runner::may_decide() {
  has_more_ = allowance_ == 0;
  if (!has_more_) --allowance_;
  return !has_more_;
}

void Runner::abandon_rest(std::vector<Decision>& out) {
  for (; next_abandoned_ < plan_.parts.size(); ++next_abandoned_) {
    const std::uint32_t part = next_abandoned_;
    if (progress_[part] != Progress::waiting && progress_[part] != Progress::built) continue;
    if (!may_decide()) return;
    finish(part);
    out.push_back({Decision::Kind::abandon, part});
  }
}

// True while builds are left.
bool Runner::start_builds(std::vector<Decision>& out) {
  while (building_ < limits_.builds && next_build_ < plan_.builds.size()) {
    const std::uint32_t part = plan_.builds[next_build_];
    if (progress_[part] == Progress::waiting && !may_decide()) return true;
    ++next_build_;
    if (progress_[part] != Progress::waiting) continue;
    ++building_;
    start(part, Decision::Kind::build, Progress::building, out);
  }
  return builds_left_ > 0;
}

// True while stages are left.
bool Runner::start_steps(std::vector<Decision>& out) {
  while (stage_ < plan_.stage_count()) {
    const std::uint32_t end = plan_.stages[stage_ + 1];
    while (acting_ < limits_.steps && next_part_ < end) {
      const std::uint32_t part = next_part_;
      const bool may_start = progress_[part] == Progress::waiting || progress_[part] == Progress::built;
      if (may_start && !may_decide()) return true;
      ++next_part_;
      if (!may_start) continue;
      ++acting_;
      start(part, Decision::Kind::step, Progress::acting, out);
    }
    if (stage_left_ > 0) return true;
    ++stage_;
    if (stage_ == plan_.stage_count()) break;
    next_part_ = plan_.stages[stage_];
    for (std::uint32_t part = plan_.stages[stage_]; part < plan_.stages[stage_ + 1]; ++part) {
      if (progress_[part] != Progress::done) ++stage_left_;
    }
  }
  return false;
}

std::vector<std::uint32_t> Runner::running() const {
  std::vector<std::uint32_t> parts;
  for (std::uint32_t part = 0; part < progress_.size(); ++part) {
    if (is_running(progress_[part])) parts.push_back(part);
  }
  return parts;
}

void Runner::next_parts(std::size_t count, std::vector<std::uint32_t>& out) const {
  for (std::size_t at = next_build_; at < plan_.builds.size() && at - next_build_ < count; ++at)
    out.push_back(plan_.builds[at]);
  for (std::size_t at = next_part_; at < plan_.parts.size() && at - next_part_ < count; ++at)
    out.push_back(static_cast<std::uint32_t>(at));
}

void Runner::proceed(std::vector<Decision>& out) {
  has_more_ = false;
  advance(out);
}

void Runner::advance(std::vector<Decision>& out) {
  if (has_ended_ || has_more_) return;
  allowance_ = limits_.decisions;
  if (is_stopped_) {
    abandon_rest(out);
    if (has_more_ || building_ + acting_ > 0) return;
  } else if (start_builds(out) || start_steps(out)) {
    return;
  }
  has_ended_ = true;
  out.push_back({Decision::Kind::end, 0});
}

}  // namespace orlop
