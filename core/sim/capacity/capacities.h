// The capacity of the clusters of a simulation: which steps of the scripted driver may begin, what they use, and the
// effects of nodes that are added, removed or lost. A cluster without a capacity has no limits.
//
// Threads: every function may be called from any thread.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "deploy/driver/scripted_driver.h"
#include "model/value.h"
#include "sim/capacity/capacity_settings.h"
#include "sim/capacity/nodes.h"
#include "wire/writer.h"

namespace orlop {

class Capacities final : public StepAdmission {
 public:
  using Found = std::vector<Nodes::Found>;

  bool any() const;
  std::optional<CapacitySettings> settings_of(const Id& cluster) const;
  // `found`: what runs on a cluster that has no capacity yet.
  void set(const Id& cluster, const CapacitySettings& settings, const Found& found);
  // As Nodes::lose(); nullopt if the cluster has no capacity.
  std::optional<std::uint32_t> lose(const Id& cluster, std::uint32_t count, std::optional<Duration> lasts, Instant now);
  // Removes the capacity limits of all clusters; the next settle() begins the steps that wait.
  void clear();

  // Effects of settle(), for all clusters.
  struct Changed {
    Id cluster;
    CapacityUsage usage;
  };
  struct Effects {
    CapacityEffects of_steps;
    std::vector<Changed> changed;  // clusters whose usage differs from the last one noted
  };
  Effects settle(Instant now);
  // Notes that the usage of this cluster is in the feed.
  void note(const Changed& changed);
  // Returns when settle() has work; nullopt if it has none.
  std::optional<Instant> due() const;

  // Writes {"clusters": [...]}: settings and usage by cluster; `with_all`: with nodes, placements and waiting steps,
  // for a snapshot.
  void write(Writer& out, bool with_all) const;
  // Restores what write() has written `with_all`. Error invalid.
  Result<void> restore(const Value& given);
  class Memory;
  std::shared_ptr<const Memory> memory() const;
  void go_back(const Memory& memory);

  std::optional<Instant> begin_of(const Step& step, std::string& reason) override;
  bool reads_configuration(const Machine& subject) const override;
  void ended(const Id& step, const Id& subject, StepKind kind, ReportKind how) override;

 private:
  struct Entry {
    Nodes nodes;
    std::optional<CapacityUsage> noted;
  };
  using Clusters = std::map<Id, Entry>;

  // Call with the lock held after a change of clusters_ or freed_.
  void note_any() { has_any_ = !clusters_.empty() || !freed_.empty(); }

  mutable std::mutex mutex_;
  Clusters clusters_;
  std::vector<Id> freed_;              // steps that waited when clear() was called
  std::atomic<bool> has_any_ = false;  // whether these have entries; if not, no lock
};

// Writes the members of a usage, for an event of the feed and for write().
void write_usage(Writer& out, const CapacityUsage& usage);

}  // namespace orlop
