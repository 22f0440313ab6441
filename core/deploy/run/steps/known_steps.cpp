#include "deploy/run/steps/known_steps.h"

#include <algorithm>

namespace orlop {
namespace {

constexpr std::size_t ended_at_first = 16;  // capacity

}  // namespace

RunningStep& KnownSteps::began(const Id& step, const StepPlace& place) {
  const std::lock_guard lock(mutex_);
  if (lost_.size() != 0) lost_.erase(step);
  return running_.add(step, {place, {}});
}

void KnownSteps::ended(const Id& step) {
  const std::lock_guard lock(mutex_);
  // First: memory may run out.
  if (ended_.size() == ended_.capacity())
    ended_.reserve(std::min(std::max(ended_.size() * 2, ended_at_first), ended_kept));
  if (running_.erase(step)) keep_ended(step);
}

void KnownSteps::read_again() {
  const std::lock_guard lock(mutex_);
  for (const auto& [step, running] : running_) ran_[step];
  running_.clear();
}

void KnownSteps::confirm() {
  const std::lock_guard lock(mutex_);
  for (const auto& [step, ran] : ran_) {
    if (!running_.contains(step)) keep_ended(step);
  }
  ran_.clear();
}

void KnownSteps::forget(PartitionSet partitions) {
  const std::lock_guard lock(mutex_);
  const auto is_lost = [&](const auto& entry) { return partitions.contains(partition_of_step(entry.first)); };
  // Allocations come first: if memory runs out, the next call repeats them.
  for (const auto& entry : ran_) {
    if (!is_lost(entry)) continue;
    if (lost_.size() >= ended_kept) lost_.clear();
    lost_[entry.first];
    newly_lost_.push_back(entry.first);
  }
  ran_.erase_if(is_lost);
}

std::vector<Id> KnownSteps::take_lost(PartitionSet held, PartitionSet taken) {
  std::vector<Id> lost;
  const std::lock_guard lock(mutex_);
  for (const Id& step : newly_lost_) {
    if (held.contains(partition_of_step(step))) lost_.erase(step);
    else if (taken.contains(partition_of_step(step))) lost.push_back(step);
  }
  std::erase_if(newly_lost_, [&](const Id& step) { return (held | taken).contains(partition_of_step(step)); });
  return lost;
}

bool KnownSteps::has_run(const Id& step) const {
  const std::lock_guard lock(mutex_);
  return running_.contains(step) || ran_.contains(step) || lost_.contains(step);
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
  return running_.contains(step) || ran_.contains(step) || std::ranges::find(ended_, step) != ended_.end();
}

}  // namespace orlop
