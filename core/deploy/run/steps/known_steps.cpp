#include "deploy/run/steps/known_steps.h"

#include <algorithm>

namespace orlop {

void KnownSteps::began(const Id& step) {
  const std::lock_guard lock(mutex_);
  under_way_.insert(step);
}

void KnownSteps::ended(const Id& step) {
  const std::lock_guard lock(mutex_);
  const auto running = under_way_.find(step);
  if (running == under_way_.end()) return;
  keep_ended(step);
  under_way_.erase(running);
}

void KnownSteps::forget(PartitionSet partitions) {
  const std::lock_guard lock(mutex_);
  std::erase_if(under_way_, [&](const Id& step) { return partitions.contains(partition_of_step(step)); });
}

void KnownSteps::confirm(const std::function<bool(const Id&)>& runs) {
  const std::lock_guard lock(mutex_);
  for (auto step = under_way_.begin(); step != under_way_.end();) {
    if (runs(*step)) {
      ++step;
      continue;
    }
    keep_ended(*step);
    step = under_way_.erase(step);
  }
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
