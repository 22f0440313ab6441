#include "deploy/run/deadlines.h"

#include <algorithm>
#include <utility>

#include "base/sort_unique.h"

namespace orlop {

void Deadlines::add(Instant at, const Id& step) {
  if (at == taken_) {
    added_.push_back(step);
    return;
  }
  if (const auto span = spans_.find(span_of(at)); span != spans_.end()) {
    span->second[{at, step}];
    return;
  }
  Entries first;
  first[{at, step}];
  spans_.emplace(span_of(at), std::move(first));
}

void Deadlines::remove(Instant at, const Id& step) {
  if (at == taken_) {
    std::erase(added_, step);
    return;
  }
  const auto span = spans_.find(span_of(at));
  if (span == spans_.end()) return;
  span->second.erase({at, step});
  if (span->second.empty()) spans_.erase(span);
}

OptionalInstant Deadlines::first() const {
  if (spans_.empty()) {
    if (added_.empty()) return std::nullopt;
    return *taken_;
  }
  const Instant first = spans_.begin()->second.begin().key().at;
  return added_.empty() ? first : std::min(first, *taken_);
}

void Deadlines::take_added(std::vector<Id>& steps) {
  sort_unique(added_);
  steps.insert(steps.end(), added_.begin(), added_.end());
  added_.clear();
}

void Deadlines::take_due(Instant now, std::vector<Id>& steps) {
  while (!spans_.empty()) {
    Entries& entries = spans_.begin()->second;
    const Entry& entry = entries.begin().key();
    if (entry.at > now) break;
    if (!added_.empty() && *taken_ < entry.at) take_added(steps);
    steps.push_back(entry.step);
    entries.erase_first();
    if (entries.empty()) spans_.erase(spans_.begin());
  }
  if (!added_.empty() && *taken_ <= now) take_added(steps);
  if (added_.empty()) taken_ = now;
}

}  // namespace orlop
