#include "deploy/run/deadlines.h"

#include "base/sort_unique.h"

namespace orlop {

void Deadlines::add(Instant at, const Id& step) {
  if (at == taken_) added_.push_back(step);
  else entries_[{at, step}];
}

void Deadlines::remove(Instant at, const Id& step) {
  if (at == taken_) std::erase(added_, step);
  else entries_.erase({at, step});
}

std::optional<Instant> Deadlines::first() const {
  const std::optional<Instant> added = added_.empty() ? std::nullopt : taken_;
  if (entries_.empty()) return added;
  const Instant first = entries_.begin().key().at;
  return added && *added < first ? added : first;
}

void Deadlines::take_added(std::vector<Id>& steps) {
  sort_unique(added_);
  steps.insert(steps.end(), added_.begin(), added_.end());
  added_.clear();
}

void Deadlines::take_due(Instant now, std::vector<Id>& steps) {
  while (!entries_.empty()) {
    const Entry entry = entries_.begin().key();
    if (entry.at > now) break;
    if (!added_.empty() && *taken_ < entry.at) take_added(steps);
    steps.push_back(entry.step);
    entries_.erase_first();
  }
  if (!added_.empty() && *taken_ <= now) take_added(steps);
  if (added_.empty()) taken_ = now;
}

}  // namespace orlop
