// Turns to start a step, where the number of steps that run at once is limited (max_parallel_steps and those by cluster
// and by organization). Owners, that is environments, clusters and tasks, take turns in the order in which they came;
// one that has more to start goes behind the others. An owner whose cluster or organization is full keeps its position,
// and others go before it. In memory only, rebuilt with the running steps.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/id.h"
#include "base/options/settings.h"
#include "store/partition.h"

namespace orlop {

// Limits to which a step counts, in addition to the engine's.
struct StepScope {
  Id organization;
  Id cluster;  // nil if none, or clusters have no limit
  friend auto operator<=>(const StepScope&, const StepScope&) = default;
};

class StepTurns {
 public:
  explicit StepTurns(const Settings& settings)
      : of_all_(settings.max_parallel_steps),
        of_cluster_(settings.max_parallel_steps_by_cluster),
        of_organization_(settings.max_parallel_steps_by_organization) {}

  bool has_limits() const { return of_all_ != 0 || of_cluster_ != 0 || of_organization_ != 0; }
  bool has_cluster_limit() const { return of_cluster_ != 0; }

  // Count a step that runs, or has ended; no effect without limits.
  void began(const Id& step, const StepScope& scope);
  void ended(const Id& step);

  // Adds an owner that has a step of this scope to start, behind all that wait, unless it waits already.
  void wait(const Id& owner, const StepScope& scope);
  void forget(const Id& owner) { tickets_.erase(owner); }
  // Forgets all owners of these partitions.
  void forget(PartitionSet partitions);

  // Removes and returns the first owner that may start a step; nullopt if none may. Its step counts with began() only.
  std::optional<Id> next();
  bool is_due() const { return !groups_.empty() && first().has_value(); }

 private:
  using Groups = std::map<StepScope, std::deque<std::pair<std::uint64_t, Id>>>;

  bool has_room(const StepScope& scope) const;
  bool waits(const std::pair<std::uint64_t, Id>& entry) const;
  std::optional<StepScope> first() const;

  std::uint32_t of_all_;
  std::uint32_t of_cluster_;
  std::uint32_t of_organization_;
  std::unordered_map<Id, StepScope> running_;  // by step
  std::unordered_map<Id, std::uint32_t> in_cluster_;
  std::unordered_map<Id, std::uint32_t> in_organization_;
  std::uint64_t last_ticket_ = 0;
  // Tickets of the owners that wait; other tickets in the groups are out of date.
  std::unordered_map<Id, std::uint64_t> tickets_;
  mutable Groups groups_;
};

}  // namespace orlop
