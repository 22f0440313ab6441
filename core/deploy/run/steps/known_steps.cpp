#include "deploy/run/steps/known_steps.h"

#include <algorithm>

namespace orlop {

void KnownSteps::began(const Id& step) {
  const std::lock_guard lock(mutex_);
  under_way_[step];
}

void KnownSteps::ended(const Id& step) {
  const std::lock_guard lock(mutex_);
  if (!under_way_.contains(step)) return;
  keep_ended(step);
  under_way_.erase(step);
}

void KnownSteps::forget(PartitionSet partitions) {
  const std::lock_guard lock(mutex_);
  under_way_.erase_if([&](const auto& entry) { return partitions.contains(partition_of_step(entry.first)); });
}

void KnownSteps::confirm(const std::function<bool(const Id&)>& runs) {
  const std::lock_guard lock(mutex_);
  under_way_.erase_if([&](const auto& entry) {
    if (runs(entry.first)) return false;
    keep_ended(entry.first);
    return true;
  });
}

void KnownSteps::keep_ended(const Id& step) {
  if (ended_.size() < ended_kept) {
    ended_.push_back(step);
    return;
  }
  ended_[oldest_] = step;
  oldest_ = (oldest_ + 1) % ended_kept;
}

bool KnownSteps::knows(const Id& step) const {
  const std::lock_guard lock(mutex_);
  return under_way_.contains(step) || std::ranges::find(ended_, step) != ended_.end();
}

}  // namespace orlop
