#include "deploy/run/in_flight.h"

namespace orlop {

void InFlight::add(const Id& step, const StepPlace& place) {
  end(step);
  known_.began(step);
  places_.emplace(step, place);
  ++running_[place.partition];
  if (place.deadline) deadlines_.add(*place.deadline, step);
}

void InFlight::end(const Id& step) {
  const auto found = places_.find(step);
  if (found == places_.end()) return;
  if (found->second.deadline) deadlines_.remove(*found->second.deadline);
  --running_[found->second.partition];
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
  return found == places_.end() ? nullptr : &found->second;
}

void InFlight::postpone(const Id& step, std::optional<Instant> deadline) {
  const auto found = places_.find(step);
  if (found == places_.end()) return;
  if (found->second.deadline) deadlines_.remove(*found->second.deadline);
  found->second.deadline = deadline;
  if (deadline) deadlines_.add(*deadline, step);
}

std::vector<Id> InFlight::take_overdue(Instant now) {
  std::vector<Id> due;
  deadlines_.take_due(now, due);
  std::erase_if(due, [&](const Id& step) {
    const auto found = places_.find(step);
    const bool is_overdue = found != places_.end() && found->second.deadline && *found->second.deadline <= now;
    if (is_overdue) found->second.deadline.reset();
    return !is_overdue;
  });
  return due;
}

}  // namespace orlop
