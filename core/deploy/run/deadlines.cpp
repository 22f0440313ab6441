#include "deploy/run/deadlines.h"

#include <utility>

namespace orlop {

Deadlines::Bucket& Deadlines::bucket_at(Instant at) {
  const auto next = buckets_.lower_bound(at);
  if (next != buckets_.end() && next->first == at) return next->second;
  if (spare_.count == 0) return buckets_.emplace_hint(next, at, Bucket())->second;
  Buckets::node_type& spare = spare_.nodes[--spare_.count];
  spare.key() = at;
  return buckets_.insert(next, std::move(spare))->second;
}

void Deadlines::erase(Buckets::iterator bucket) {
  if (spare_.count == spare_.nodes.size()) {
    buckets_.erase(bucket);
    return;
  }
  bucket->second.steps.clear();
  bucket->second.live = 0;
  spare_.nodes[spare_.count++] = buckets_.extract(bucket);
}

void Deadlines::add(Instant at, const Id& step) {
  Bucket& bucket = bucket_at(at);
  bucket.steps.push_back(step);
  ++bucket.live;
}

void Deadlines::remove(Instant at) {
  const auto found = buckets_.find(at);
  if (found != buckets_.end() && --found->second.live == 0) erase(found);
}

std::optional<Instant> Deadlines::first() const {
  return buckets_.empty() ? std::nullopt : std::optional(buckets_.begin()->first);
}

void Deadlines::take_due(Instant now, std::vector<Id>& steps) {
  while (!buckets_.empty() && buckets_.begin()->first <= now) {
    const std::vector<Id>& due = buckets_.begin()->second.steps;
    steps.insert(steps.end(), due.begin(), due.end());
    erase(buckets_.begin());
  }
}

}  // namespace orlop
