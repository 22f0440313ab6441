#include "deploy/run/deadlines.h"

namespace orlop {

void Deadlines::add(Instant at, const Id& step) {
  Bucket& bucket = buckets_[at];
  bucket.steps.push_back(step);
  ++bucket.live;
}

void Deadlines::remove(Instant at) {
  const auto found = buckets_.find(at);
  if (found != buckets_.end() && --found->second.live == 0) buckets_.erase(found);
}

std::optional<Instant> Deadlines::first() const {
  return buckets_.empty() ? std::nullopt : std::optional(buckets_.begin()->first);
}

void Deadlines::take_due(Instant now, std::vector<Id>& steps) {
  while (!buckets_.empty() && buckets_.begin()->first <= now) {
    const std::vector<Id>& due = buckets_.begin()->second.steps;
    steps.insert(steps.end(), due.begin(), due.end());
    buckets_.erase(buckets_.begin());
  }
}

}  // namespace orlop
