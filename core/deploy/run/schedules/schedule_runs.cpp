#include "deploy/run/schedules/schedule_runs.h"

#include <algorithm>
#include <iterator>

#include "base/job_run_number.h"
#include "external_systems/ask.h"
#include "external_systems/question.h"
#include "unit/deletions.h"

namespace orlop {
namespace {

constexpr std::size_t questions_by_tick = 32;

// Questions without effects. Other questions of schedules have one, so that their answers must not be lost.
constexpr Question reading_questions[] = {Question::list_argocd_applications, Question::query_cluster_metrics};
bool only_reads(Question question) {
  return std::ranges::find(reading_questions, question) != std::end(reading_questions);
}

// Returns null if it is gone, switched off, or being deleted.
Result<Shared<Machine>> schedule_of(Unit& unit, const Id& id) {
  ORLOP_TRY(machine, unit.machine(id));
  if (!machine || !machine->active) return Shared<Machine>();
  ORLOP_TRY(is_deleted, is_being_deleted(unit, id));
  return is_deleted ? Shared<Machine>() : std::move(machine);
}

}  // namespace

void ScheduleRuns::resume(const Machine& schedule) {
  note(schedule, schedule.deadline.value_or(Instant{}));
  newest_ = std::max(newest_.value_or(schedule.changed_at), schedule.changed_at);
}

bool ScheduleRuns::is_put_back(Moment at) const {
  const Instant start = at.now - at.monotonic;
  return (start_ && *start_ - start > clock_correction_max) || (newest_ && *newest_ - at.now > clock_correction_max);
}

void ScheduleRuns::synchronize(Moment at) {
  const Instant start = at.now - at.monotonic;
  const bool is_behind = is_put_back(at);
  if (is_behind) {
    for (auto& [schedule, next] : next_) queue_.add(next = Instant{}, schedule);
  }
  start_ = is_behind ? start : std::max(start_.value_or(start), start);
  newest_.reset();
}

void ScheduleRuns::note(const Id& schedule, std::optional<Instant> next) {
  if (!next) {
    next_.erase(schedule);
    return;
  }
  next_[schedule] = *next;
  queue_.add(*next, schedule);
}

void ScheduleRuns::note(const Machine& schedule, Instant next) {
  if (runs_cron_jobs_ || schedule.family != cron_schedule_number) note(schedule.id, next);
}

Result<void> ScheduleRuns::settle(Unit& unit, const std::vector<Id>& jobs) {
  if (!runs_cron_jobs_ || unit.hooks().due == nullptr) return {};
  for (const Id& job : jobs) {
    ORLOP_TRY(machine, unit.machine(job));
    if (machine) ORLOP_CHECK(unit.hooks().due(unit, *machine));
  }
  return {};
}

OptionalInstant ScheduleRuns::first(Moment at) const {
  if (!questions_.empty() || !answers_.empty() || !overdue_.empty() || (!next_.empty() && is_put_back(at)))
    return Instant{};
  return queue_.first();
}

Result<void> ScheduleRuns::take_answer(Unit& unit, PartitionSet held, const Answer& answer) {
  const auto entry = asked_.extract(answer.subject);
  const Asked asked = entry.empty() ? Asked() : entry.mapped();
  ORLOP_TRY(machine, schedule_of(unit, answer.subject));
  if (!machine || !held.contains(machine->partition)) return {};
  if (only_reads(answer.question) && machine->revision != asked.revision) {
    note(answer.subject, unit.clock_time());
    return {};
  }
  ORLOP_TRY(next, unit.hooks().answered(unit, std::move(*machine), answer.value));
  note(answer.subject, asked.is_due_again ? std::optional(unit.clock_time()) : next);
  return {};
}

Result<void> ScheduleRuns::take_due(Unit& unit, PartitionSet held, const Id& schedule) {
  const auto next = next_.find(schedule);
  if (next == next_.end() || next->second > unit.clock_time()) return {};
  next_.erase(next);
  if (const auto asked = asked_.find(schedule); asked != asked_.end()) {
    asked->second.is_due_again = true;
    return {};
  }
  ORLOP_TRY(machine, schedule_of(unit, schedule));
  if (!machine || !held.contains(machine->partition)) return {};
  const std::uint64_t revision = machine->revision;
  ORLOP_TRY(then, unit.hooks().due(unit, std::move(*machine)));
  note(schedule, then);
  for (ScheduledQuestion& question : unit.questions()) {
    asked_[question.subject] = {.revision = revision};
    questions_.push_back(std::move(question));
  }
  unit.questions().clear();
  return {};
}

Result<void> ScheduleRuns::tick(Unit& unit, Duration monotonic, PartitionSet held, bool (*is_full)(const Unit& unit)) {
  synchronize({unit.clock_time(), monotonic});
  if (unit.hooks().due == nullptr || unit.hooks().answered == nullptr) return {};
  std::size_t taken = 0;
  for (; taken < answers_.size() && !is_full(unit); ++taken) ORLOP_CHECK(take_answer(unit, held, answers_[taken]));
  answers_.erase(answers_.begin(), answers_.begin() + static_cast<std::ptrdiff_t>(taken));
  queue_.take_due(unit.clock_time(), overdue_);
  std::size_t done = 0;
  for (; done < overdue_.size() && !is_full(unit); ++done) ORLOP_CHECK(take_due(unit, held, overdue_[done]));
  overdue_.erase(overdue_.begin(), overdue_.begin() + static_cast<std::ptrdiff_t>(done));
  return {};
}

void ScheduleRuns::act() {
  std::size_t asked = 0;
  bool is_failing = false;
  for (; asked < std::min(questions_.size(), questions_by_tick) && !is_failing; ++asked) {
    const ScheduledQuestion& question = questions_[asked];
    answers_.push_back(
        {question.subject, question.question, ask(settings_.external_systems, question.question, question.input)});
    const Result<Value>& answer = answers_.back().value;
    is_failing = !answer && answer.error().code != ErrorCode::unanswered;
  }
  questions_.erase(questions_.begin(), questions_.begin() + static_cast<std::ptrdiff_t>(asked));
}

}  // namespace orlop
