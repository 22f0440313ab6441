#include "deploy/driver/scripted_driver.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "deploy/driver/report_bounds.h"
#include "deploy/driver/scripted_outputs.h"

namespace orlop {
namespace {

ReportKind kind_of(ScriptOutcome outcome) {
  switch (outcome) {
    case ScriptOutcome::succeed: return ReportKind::succeeded;
    case ScriptOutcome::fail:
    case ScriptOutcome::hang: return ReportKind::failed;
    case ScriptOutcome::refuse_credentials: return ReportKind::credentials_refused;
  }
  return ReportKind::failed;
}

}  // namespace

// Returns 0 to `bound`, from the id's random bits.
Duration ScriptedDriver::chance_of(const Id& id, Duration bound) {
  if (bound.milliseconds <= 0) return {};
  std::uint64_t bits = 0;
  std::memcpy(&bits, id.bytes.data() + 8, 8);
  bits ^= bits >> 31;
  bits *= 0x9E3779B97F4A7C15ULL;
  bits ^= bits >> 29;
  return {static_cast<std::int64_t>(bits % (static_cast<std::uint64_t>(bound.milliseconds) + 1))};
}

std::string ScriptedDriver::text_of(const ScriptRule& rule, const Step& step) {
  if (rule.outcome == ScriptOutcome::succeed) return rule.outputs.empty() ? scripted_outputs(step) : rule.outputs;
  if (!rule.reason.empty()) return rule.reason;
  return "the script lets " + std::string(to_string(step.kind)) + " of \"" + step.name + "\" fail";
}

// Greedy; backtracks only to the last star.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t at = 0;
  std::size_t star = std::string_view::npos;
  std::size_t starred = 0;
  std::size_t in_pattern = 0;
  while (at < text.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
      star = in_pattern++;
      starred = at;
    } else if (in_pattern < pattern.size() && (pattern[in_pattern] == '?' || pattern[in_pattern] == text[at])) {
      ++in_pattern;
      ++at;
    } else if (star != std::string_view::npos) {
      in_pattern = star + 1;
      at = ++starred;
    } else {
      return false;
    }
  }
  while (in_pattern < pattern.size() && pattern[in_pattern] == '*') ++in_pattern;
  return in_pattern == pattern.size();
}

// Drops what a resumed step has reported before. Its end, and what follows it, stays: the step still runs.
void ScriptedDriver::drop_reported(Running& running, const Step& step) {
  if (!step.reported_at) return;
  std::vector<Timed>& reports = running.reports;
  const auto end = std::ranges::find_if(reports, [](const Timed& timed) { return ends_step(timed.kind); });
  reports.erase(
      std::remove_if(reports.begin(), end, [&](const Timed& timed) { return timed.due <= *step.reported_at; }), end);
}

namespace {

constexpr std::size_t usual_reports = 2;  // of a step, in addition to those of its rule

}  // namespace

ScriptedDriver::Running ScriptedDriver::script(const Step& step, const ScriptRule& rule) {
  Running running;
  running.subject = step.subject;
  running.cancel_delay = rule.cancel_delay;
  running.canceling_since = step.canceling_since;
  running.reports.reserve(usual_reports + rule.reports.size());
  const Instant begin = step.started_at + rule.start_delay;
  const auto say = [&](Instant due, ReportKind kind, std::string_view text = {}) {
    Timed& timed = running.reports.emplace_back();
    timed.due = due;
    timed.kind = kind;
    timed.text = kept(text);
  };
  say(begin, step.kind == StepKind::build || rule.build ? ReportKind::build_started : ReportKind::started);
  if (step.kind == StepKind::execute) say(begin, ReportKind::executing);
  if (!rule.title.empty()) say(begin, ReportKind::log_line, "the rule \"" + rule.title + "\" decides about this step");
  if (rule.build) say(begin + *rule.build, ReportKind::built);
  for (const ScriptedReport& report : rule.reports) say(begin + report.after, report.kind, report.text);
  if (rule.recap_after) say(begin + *rule.recap_after, ReportKind::recap_started);
  if (rule.contact_lost_after)
    say(begin + *rule.contact_lost_after, ReportKind::contact_lost, "the script loses contact");
  if (rule.contact_back_after) say(begin + *rule.contact_back_after, ReportKind::started);
  const bool waits_at_end =
      rule.hold != StepHold::none && (rule.hold_point == HoldPoint::end || rule.hold_point == HoldPoint::cancel);
  std::vector<Timed>& outcome = waits_at_end ? running.withheld : running.reports;
  if (rule.outcome != ScriptOutcome::hang) {
    const Instant end = begin + rule.duration + chance_of(step.id, rule.jitter);
    outcome.push_back({end, kind_of(rule.outcome), RunningState::none, kept(text_of(rule, step))});
    const bool succeeds = rule.outcome == ScriptOutcome::succeed;
    if (succeeds && rule.running != RunningState::none)
      outcome.push_back({end, ReportKind::running_state, rule.running, {}});
    if (succeeds && rule.crash_after)
      outcome.push_back({end + *rule.crash_after, ReportKind::running_state, RunningState::error, {}});
  }
  if (waits_at_end && !outcome.empty()) {
    const Duration ahead = outcome.front().due - Instant();
    for (Timed& timed : outcome) timed.due = {timed.due.milliseconds - ahead.milliseconds};
  }
  if (!std::ranges::is_sorted(running.reports, {}, &Timed::due))
    std::ranges::stable_sort(running.reports, {}, &Timed::due);
  if (rule.hold != StepHold::none && !waits_at_end) {
    const auto first = running.reports.begin() + (rule.hold_point == HoldPoint::begin ? 1 : 0);
    for (auto timed = first; timed != running.reports.end(); ++timed) {
      running.withheld.push_back(std::move(*timed));
      running.withheld.back().due = {(timed->due - begin).milliseconds};
    }
    running.reports.erase(first, running.reports.end());
  }
  drop_reported(running, step);
  running.reads = rule.reads;
  running.is_cancel_held = rule.hold != StepHold::none && rule.hold_point == HoldPoint::cancel;
  return running;
}

void ScriptedDriver::queue(const Id& step, Running& running) {
  if (running.next == running.reports.size()) return;
  queue_.add(running.reports[running.next].due, step);
  running.is_queued = true;
}

void ScriptedDriver::take_from_queue(const Id& step, Running& running) {
  if (std::exchange(running.is_queued, false)) queue_.remove(running.reports[running.next].due, step);
}

namespace {

const std::shared_ptr<const ScriptRule>& at_once() {
  static const auto rule = std::make_shared<const ScriptRule>();
  return rule;
}

}  // namespace

ScriptedDriver::Rule ScriptedDriver::take_rule(const Step& step) {
  Rule decided = decider_ == nullptr ? nullptr : decider_->rule_for(step);
  return decided != nullptr ? decided : at_once();
}

Result<void> ScriptedDriver::start(const Step& step) {
  const Changing lock(*this);
  Running* const known = running_.find(step.id);
  if (known != nullptr && !step.resumed) return {};
  Rule later;
  if (known != nullptr && std::exchange(known->is_restored, false)) {
    if (known->waiting != nullptr && known->waiting->id.is_nil()) known->waiting = std::make_shared<const Step>(step);
    if (decider_ != nullptr) later = decider_->later_rule_for(step);
    if (later == nullptr) return {};
    let_go(step.id, *known);
  }
  const bool is_new = known == nullptr;
  Rule rule = later != nullptr ? std::move(later) : !is_new ? known->rule : with_restarts(step, take_rule(step));
  if (rule == nullptr) rule = at_once();
  std::string reason;
  const auto begin = admission_ == nullptr ? std::optional(step.started_at) : admission_->begin_of(step, reason);
  if (!begin) {
    wait(step, std::move(rule), reason);
  } else if (*begin == step.started_at) {
    go(step, std::move(rule), known);
  } else {
    Step admitted = step;
    admitted.started_at = *begin;
    go(admitted, std::move(rule), known);
  }
  return {};
}

// Begins the course of the step, or continues it in an engine that was opened. `known`: its state in the driver; null
// if it has none.
void ScriptedDriver::go(const Step& step, Rule rule, Running* known) {
  Running made = script(step, *rule);
  made.rule = std::move(rule);
  made.kind = step.kind;
  if (known != nullptr && known->waiting == nullptr) {
    made.reads = known->reads;
    if (known->held_since) withhold(made, *known->held_since);
    made.released_at = known->released_at;
    made.is_contact_lost = known->is_contact_lost;
  } else {
    hold_awaited(step, made);
  }
  if (known != nullptr) take_from_queue(step.id, *known);
  if (!crashing_.empty()) {
    forget_crash(step.subject);
    known = running_.find(step.id);
  }
  Running& running = known != nullptr ? * known = std::move(made) : running_.add(step.id, std::move(made));
  if (!running.withheld.empty() && running.released_at) {
    release(step.id, running, *running.released_at);
    take_from_queue(step.id, running);  // its first report may be one of those that are dropped
    drop_reported(running, step);
    queue(step.id, running);
    return;
  }
  if (!running.withheld.empty()) hold(step.id, running);
  queue(step.id, running);
}

StepTexts ScriptedDriver::reads(const Machine& subject) const {
  StepTexts texts = decider_ != nullptr ? decider_->reads(subject) : StepTexts{.name = true, .configuration = false};
  texts.configuration = texts.configuration || makes_releases_ || needs_configuration(subject) ||
                        (admission_ != nullptr && admission_->reads_configuration(subject));
  texts.secrets = texts.release = makes_releases_;
  return texts;
}

void ScriptedDriver::forget_crash(const Id& subject) {
  const auto crashing = crashing_.find(subject);
  if (crashing == crashing_.end()) return;
  const Id step = crashing->second;
  take_from_queue(step, *running_.find(step));
  running_.erase(step);
  crashing_.erase(crashing);
}

// Ends the step; only a crash of its subject may still be reported. Returns `running`, which may have moved.
ScriptedDriver::Running& ScriptedDriver::note_end(const Id& step, Running& running, ReportKind how) {
  running.has_ended = true;
  let_go(step, running);
  if (decider_ != nullptr) decider_->ended(step);
  if (admission_ != nullptr) admission_->ended(step, running.subject, running.kind, how);
  if (running.next == running.reports.size()) return running;
  const auto unsaid = running.reports.begin() + static_cast<std::ptrdiff_t>(running.next);
  running.reports.erase(std::remove_if(unsaid, running.reports.end(),
                                       [](const Timed& timed) { return timed.kind != ReportKind::running_state; }),
                        running.reports.end());
  if (running.next == running.reports.size()) return running;
  const Id subject = running.subject;
  forget_crash(subject);
  crashing_[subject] = step;
  return *running_.find(step);
}

void ScriptedDriver::cancel(const Id& step, CancelMode mode) {
  // The driver runs nothing, and the engine drops reports of steps that it does not run.
  if (mode == CancelMode::lost) return;
  if (mode == CancelMode::force) answer_held_cancel(step);
  const Changing lock(*this);
  Running* const found = running_.find(step);
  if (found == nullptr || found->is_canceled || found->has_ended) return;
  Running& running = *found;
  let_go(step, running);
  running.withheld.clear();
  const Instant since = running.canceling_since.value_or(now_);
  const Instant answer = since + running.cancel_delay;
  take_from_queue(step, running);
  // Keeps reports due by the cancel, and those due before its reply except running states: the engine does not start an
  // abandoned step again, so nothing may outlive it.
  const auto unsaid = running.reports.begin() + static_cast<std::ptrdiff_t>(running.next);
  const auto dropped = std::remove_if(unsaid, running.reports.end(), [&](const Timed& timed) {
    return timed.due > since && (timed.due >= answer || timed.kind == ReportKind::running_state);
  });
  running.reports.erase(dropped, running.reports.end());
  running.is_canceled = true;
  running.released_at.reset();
  if (running.is_cancel_held) {
    running.withheld.push_back({{}, ReportKind::canceled, RunningState::none, {}});
    hold(step, running);
  } else {
    running.reports.push_back({answer, ReportKind::canceled, RunningState::none, {}});
  }
  queue(step, running);
}

bool ScriptedDriver::is_due(const Running& running, Instant due) {
  return running.next < running.reports.size() && running.reports[running.next].due == due;
}

void ScriptedDriver::say_due(Instant due, const Id& step, std::vector<Report>& reports) {
  Running* running = running_.find(step);
  if (running == nullptr || !is_due(*running, due)) return;  // reported or moved meanwhile
  running->is_queued = false;
  std::optional<ReportKind> end;
  while (is_due(*running, due)) {
    Timed& timed = running->reports[running->next++];
    Report& report = reports.emplace_back();
    report.step = timed.kind == ReportKind::running_state ? running->subject : step;
    report.kind = timed.kind;
    report.running = timed.running;
    if (timed.text != nullptr) report.text = *timed.text;
    if (!end && ends_step(timed.kind)) end = timed.kind;
  }
  if (end && !running->has_ended) running = &note_end(step, *running, *end);
  if (running->has_ended && running->next == running->reports.size()) {
    if (const auto crashing = crashing_.find(running->subject); crashing != crashing_.end() && crashing->second == step)
      crashing_.erase(crashing);
    running_.erase(step);
  } else {
    queue(step, *running);
  }
}

// Steps that are due at one instant report in the order of their creation, so that the order does not depend on when
// the driver is polled.
void ScriptedDriver::poll(Instant now, std::vector<Report>& reports) {
  const Changing lock(*this);
  now_ = now;
  for (auto first = queue_.first(); first && *first <= now; first = queue_.first()) {
    std::vector<Id>& steps = due_;
    steps.clear();
    queue_.take_due(*first, steps);
    // First for all steps, if there are several: if memory runs out in the loop below, they are started again.
    for (std::size_t at = 1; at < steps.size(); ++at) {
      Running* const found = running_.find(steps[at]);
      if (found != nullptr && is_due(*found, *first)) found->is_queued = false;
    }
    for (const Id& step : steps) say_due(*first, step, reports);
  }
}

OptionalInstant ScriptedDriver::due() {
  const Instant first = first_due_;
  if (first == never) return std::nullopt;
  return first;
}

}  // namespace orlop
