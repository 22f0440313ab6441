#include "deploy/run/steps/step_turns.h"

namespace orlop {
namespace {

void count_down(std::unordered_map<Id, std::uint32_t>& counts, const Id& key) {
  const auto found = counts.find(key);
  if (found != counts.end() && --found->second == 0) counts.erase(found);
}

bool is_full(const std::unordered_map<Id, std::uint32_t>& counts, const Id& key, std::uint32_t limit) {
  if (limit == 0 || key.is_nil()) return false;
  const auto found = counts.find(key);
  return found != counts.end() && found->second >= limit;
}

}  // namespace

void StepTurns::began(const Id& step, const StepScope& scope) {
  if (!has_limits()) return;
  running_[step] = scope;
  ++in_organization_[scope.organization];
  ++in_cluster_[scope.cluster];
}

void StepTurns::ended(const Id& step) {
  if (!has_limits()) return;
  const auto found = running_.find(step);
  if (found == running_.end()) return;
  count_down(in_organization_, found->second.organization);
  count_down(in_cluster_, found->second.cluster);
  running_.erase(found);
}

void StepTurns::wait(const Id& owner, const StepScope& scope) {
  const auto [place, is_new] = tickets_.try_emplace(owner, last_ticket_ + 1);
  if (is_new) groups_[scope].emplace_back(++last_ticket_, owner);
}

void StepTurns::forget(PartitionSet partitions) {
  for (const auto& [scope, waiting] : groups_) {
    if (!partitions.contains(partition_of(scope.organization))) continue;
    for (const auto& [ticket, owner] : waiting) tickets_.erase(owner);
  }
}

bool StepTurns::has_room(const StepScope& scope) const {
  return !is_full(in_cluster_, scope.cluster, of_cluster_) &&
         !is_full(in_organization_, scope.organization, of_organization_);
}

bool StepTurns::waits(const std::pair<std::uint64_t, Id>& entry) const {
  const auto found = tickets_.find(entry.second);
  return found != tickets_.end() && found->second == entry.first;
}

// Returns the group whose first owner has waited longest, among those below their limits.
std::optional<StepScope> StepTurns::first() const {
  if (groups_.empty() || (of_all_ != 0 && running_.size() >= of_all_)) return std::nullopt;
  std::optional<StepScope> best;
  std::uint64_t best_ticket = UINT64_MAX;
  for (auto at = groups_.begin(); at != groups_.end();) {
    auto& waiting = at->second;
    while (!waiting.empty() && !waits(waiting.front())) waiting.pop_front();
    if (waiting.empty()) {
      at = groups_.erase(at);
      continue;
    }
    if (waiting.front().first < best_ticket && has_room(at->first)) {
      best = at->first;
      best_ticket = waiting.front().first;
    }
    ++at;
  }
  return best;
}

std::optional<Id> StepTurns::next() {
  const std::optional<StepScope> group = first();
  if (!group) return std::nullopt;
  auto& waiting = groups_.at(*group);
  const Id owner = waiting.front().second;
  waiting.pop_front();
  tickets_.erase(owner);
  return owner;
}

}  // namespace orlop
