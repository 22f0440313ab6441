#include "deploy/run/steps/in_flight.h"

#include <utility>

namespace orlop {

void InFlight::set_due(const Id& step, RunningStep& running) {
  if (!running.place.deadline) return;
  running.due = *running.place.deadline + offset_;
  deadlines_.add(*running.due, step);
}

void InFlight::reset_due(RunningStep& running) {
  if (const auto due = std::exchange(running.due, {})) deadlines_.remove(*due, has_deadline());
}

void InFlight::add(const Id& step, const StepPlace& place, const StepScope& scope) {
  end(step);
  RunningStep& running = known_.began(step, place);
  if (running_[place.partition]++ == 0) busy_.add(place.partition);
  turns_.began(step, scope);
  set_due(step, running);
}

void InFlight::end(const Id& step) {
  RunningStep* const found = known_.find(step);
  if (found == nullptr) return;
  reset_due(*found);
  if (--running_[found->place.partition] == 0) busy_.remove(found->place.partition);
  turns_.ended(step);
  masks_.end(step);
  if (!released_.empty()) released_.erase(step);
  known_.ended(step);
}

PartitionSet InFlight::asked() const {
  PartitionSet asked;
  for (const Step& step : starts_) asked.add(partition_of(step.organization));
  for (const CancelOrder& order : cancels_) {
    if (const StepPlace* place = find(order.step)) asked.add(place->partition);
  }
  return asked;
}

void InFlight::postpone(const Id& step, std::optional<Instant> deadline) {
  RunningStep* const found = known_.find(step);
  if (found == nullptr) return;
  // The usual case: the step begins at once, and its deadline stays.
  const bool is_as_before = found->due && deadline && *found->due == measured(*deadline);
  found->place.deadline = deadline;
  if (is_as_before) return;
  reset_due(*found);
  set_due(step, *found);
}

std::vector<Id> InFlight::take_overdue(Duration monotonic) {
  std::vector<Id> due;
  deadlines_.take_due(Instant{monotonic.milliseconds}, has_deadline(), due);
  for (const Id& step : due) known_.find(step)->due.reset();
  return due;
}

}  // namespace orlop
