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
  Entry& entry = places_.emplace(step, Entry{place, std::nullopt}).first->second;
  ++running_[place.partition];
  turns_.began(place.scope);
  set_due(step, entry);
}

void InFlight::end(const Id& step) {
  const auto found = places_.find(step);
  if (found == places_.end()) return;
  if (found->second.due) deadlines_.remove(*found->second.due);
  --running_[found->second.place.partition];
  turns_.ended(found->second.place.scope);
  places_.erase(found);
  known_.ended(step);
}

PartitionSet InFlight::busy() const {
  PartitionSet busy;
  for (std::size_t partition = 0; partition < partition_count; ++partition) {
    if (running_[partition] != 0) busy.add(static_cast<std::uint8_t>(partition));
  }
  return busy;
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
  const auto found = places_.find(step);
  return found == places_.end() ? nullptr : &found->second.place;
}

void InFlight::postpone(const Id& step, std::optional<Instant> deadline) {
  const auto found = places_.find(step);
  if (found == places_.end()) return;
  if (found->second.due) deadlines_.remove(*found->second.due);
  found->second.place.deadline = deadline;
  set_due(step, found->second);
}

std::vector<Id> InFlight::take_overdue(Duration monotonic) {
  const Instant now{monotonic.milliseconds};
  std::vector<Id> due;
  deadlines_.take_due(now, due);
  std::erase_if(due, [&](const Id& step) {
    const auto found = places_.find(step);
    const bool is_overdue = found != places_.end() && found->second.due && *found->second.due <= now;
    if (is_overdue) found->second.due.reset();
    return !is_overdue;
  });
  return due;
}

}  // namespace orlop
