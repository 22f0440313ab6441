// Steps of the scripted driver that are held, and their release.
#include <algorithm>
#include <utility>

#include "deploy/driver/scripted_driver.h"

namespace orlop {

// Withholds the reports due from `since` on until the release.
void ScriptedDriver::withhold(Running& running, Instant since) {
  running.held_since = since;
  const auto first =
      std::ranges::find_if(running.reports.begin() + static_cast<std::ptrdiff_t>(running.next), running.reports.end(),
                           [since](const Timed& timed) { return timed.due >= since; });
  std::vector<Timed> later;
  for (auto timed = first; timed != running.reports.end(); ++timed) {
    later.push_back(std::move(*timed));
    later.back().due = {(timed->due - since).milliseconds};
  }
  running.reports.erase(first, running.reports.end());
  // Reports that the rule withholds follow them.
  const std::int64_t last = later.empty() ? 0 : later.back().due.milliseconds;
  for (Timed& timed : running.withheld) {
    later.push_back(std::move(timed));
    later.back().due = {timed.due.milliseconds + last};
  }
  running.withheld = std::move(later);
}

// Applies a hold() that was made before the step began.
void ScriptedDriver::hold_awaited(const Step& step, Running& running) {
  if (awaited_.erase(step.subject) != 0) withhold(running, step.started_at);
}

void ScriptedDriver::hold(const Id& step, const Running& running) {
  held_[running.subject] = step;
  held_count_ = held_.size();
}

void ScriptedDriver::let_go(const Id& step, const Running& running) {
  if (held_.empty()) return;
  const auto held = held_.find(running.subject);
  if (held != held_.end() && held->second == step) held_.erase(held);
  held_count_ = held_.size();
}

// Schedules the withheld reports from `now` on; drops others that are due later.
void ScriptedDriver::release(const Id& step, Running& running, Instant now) {
  let_go(step, running);
  take_from_queue(step, running);
  const auto unsaid = running.reports.begin() + static_cast<std::ptrdiff_t>(running.next);
  running.reports.erase(
      std::remove_if(unsaid, running.reports.end(), [now](const Timed& timed) { return timed.due > now; }),
      running.reports.end());
  for (Timed& timed : running.withheld) {
    running.reports.push_back(std::move(timed));
    running.reports.back().due = now + (timed.due - Instant());
  }
  running.withheld.clear();
  running.released_at = now;
  queue(step, running);
}

bool ScriptedDriver::release(const Id& subject, Instant now) {
  const Changing lock(*this);
  if (awaited_.erase(subject) != 0) return true;
  const auto held = held_.find(subject);
  if (held == held_.end()) return false;
  const Id step = held->second;
  release(step, *running_.find(step), now);
  return true;
}

void ScriptedDriver::hold(const Id& subject, const Id& step, Instant now) {
  const Changing lock(*this);
  Running* const found = running_.find(step);
  if (found == nullptr || found->has_ended) {
    awaited_.insert(subject);
    return;
  }
  if (held_.contains(subject)) return;
  take_from_queue(step, *found);
  withhold(*found, now);
  hold(step, *found);
}

// Replies to a forced cancel at once.
void ScriptedDriver::answer_held_cancel(const Id& step) {
  {
    const std::lock_guard lock(mutex_);
    Running* const found = running_.find(step);
    if (found == nullptr || !found->is_cancel_held) return;
  }
  answer_cancel_at_once(step);
}

void ScriptedDriver::answer_cancel_at_once(const Id& step) {
  const Changing lock(*this);
  Running* const found = running_.find(step);
  if (found == nullptr || found->has_ended) return;
  Running& running = *found;
  running.cancel_delay = {};
  running.is_cancel_held = false;
  if (!running.is_canceled) return;
  take_from_queue(step, running);
  let_go(step, running);
  running.withheld.clear();
  running.reports.erase(running.reports.begin() + static_cast<std::ptrdiff_t>(running.next), running.reports.end());
  running.reports.push_back({now_, ReportKind::canceled, RunningState::none, {}});
  queue(step, running);
}

// Only the reason is reported until the step is admitted; its deadline fails it if it is not.
void ScriptedDriver::wait(const Step& step, Rule rule, const std::string& reason) {
  if (Running* const known = running_.find(step.id); known != nullptr) take_from_queue(step.id, *known);
  Running waiting;
  waiting.rule = std::move(rule);
  waiting.subject = step.subject;
  waiting.kind = step.kind;
  waiting.cancel_delay = waiting.rule->cancel_delay;
  waiting.canceling_since = step.canceling_since;
  waiting.waiting = std::make_shared<const Step>(step);
  const auto text = kept(reason);
  if (!step.reported_at) waiting.reports.push_back({step.started_at, ReportKind::progress, RunningState::none, text});
  waiting.reports.push_back({step.deadline, ReportKind::failed, RunningState::none, text});
  Running& running = running_[step.id];
  running = std::move(waiting);
  queue(step.id, running);
}

void ScriptedDriver::begin(const Id& step, Instant now) {
  const Changing lock(*this);
  Running* const found = running_.find(step);
  if (found == nullptr || found->waiting == nullptr || found->is_canceled) return;
  Step admitted = *found->waiting;
  admitted.started_at = now;
  admitted.reported_at.reset();
  go(admitted, found->rule, found);
}

void ScriptedDriver::lose_contact(const Id& step, Instant now) {
  const Changing lock(*this);
  Running* const found = running_.find(step);
  if (found == nullptr || found->has_ended || found->is_canceled || found->waiting != nullptr) return;
  Running& running = *found;
  if (running.held_since && !running.released_at) return;
  take_from_queue(step, running);
  withhold(running, now);
  running.is_contact_lost = true;
  running.released_at.reset();
  running.reports.push_back({now, ReportKind::contact_lost, RunningState::none, kept("the node is lost")});
  hold(step, running);
  queue(step, running);
}

void ScriptedDriver::regain_contact(const Id& step, Instant now) {
  const Changing lock(*this);
  Running* const found = running_.find(step);
  if (found == nullptr || !found->is_contact_lost || found->is_canceled) return;
  Running& running = *found;
  running.is_contact_lost = false;
  const ReportKind begun = running.kind == StepKind::build ? ReportKind::build_started : ReportKind::started;
  running.withheld.insert(running.withheld.begin(), {{}, begun, RunningState::none, {}});
  release(step, running, now);
  // From here on the admission accounts for the delay of the step.
  running.held_since.reset();
  running.released_at.reset();
}

bool ScriptedDriver::note_read(const Id& subject, Instant now) {
  const Changing lock(*this);
  const auto held = held_.find(subject);
  if (held == held_.end()) return false;
  const Id step = held->second;
  Running& running = *running_.find(step);
  if (running.rule->hold != StepHold::reads) return false;
  if (running.reads > 1) {
    --running.reads;
    return false;
  }
  release(step, running, now);
  return true;
}

}  // namespace orlop
