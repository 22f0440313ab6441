#include "deploy/run/steps/in_flight.h"

namespace orlop {

void InFlight::set_due(const Id& step, Entry& entry) {
  entry.due.reset();
  if (!entry.place.deadline) return;
  entry.due = *entry.place.deadline + offset_;
  deadlines_.add(*entry.due, step);
}

void InFlight::add(const Id& step, const StepPlace& place) {
  end(step);
  known_.began(step);
  Entry& entry = places_.add(step, Entry{place, std::nullopt});
  if (running_[place.partition]++ == 0) busy_.add(place.partition);
  turns_.began(place.scope);
  set_due(step, entry);
}

void InFlight::end(const Id& step) {
  Entry* const found = places_.find(step);
  if (found == nullptr) return;
  if (found->due) deadlines_.remove(*found->due, step);
  if (--running_[found->place.partition] == 0) busy_.remove(found->place.partition);
  turns_.ended(found->place.scope);
  places_.erase(step);
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

const StepPlace* InFlight::find(const Id& step) const {
  const Entry* const found = places_.find(step);
  return found == nullptr ? nullptr : &found->place;
}

void InFlight::postpone(const Id& step, std::optional<Instant> deadline) {
  Entry* const found = places_.find(step);
  if (found == nullptr) return;
  const bool is_as_before = found->due && deadline && *found->due == measured(*deadline);  // of a step that begins at once
  found->place.deadline = deadline;
  if (is_as_before) return;
  if (found->due) deadlines_.remove(*found->due, step);
  set_due(step, *found);
}

std::vector<Id> InFlight::take_overdue(Duration monotonic) {
  const Instant now{monotonic.milliseconds};
  std::vector<Id> due;
  deadlines_.take_due(now, due);
  std::erase_if(due, [&](const Id& step) {
    Entry* const found = places_.find(step);
    const bool is_overdue = found != nullptr && found->due && *found->due <= now;
    if (is_overdue) found->due.reset();
    return !is_overdue;
  });
  return due;
}

}  // namespace orlop
