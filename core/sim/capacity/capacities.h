// The capacity of the clusters of a simulation: which steps of the scripted driver may begin, what they use, and what
// follows when nodes come, go and are lost. Clusters without a capacity have room for everything.
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
  // Nothing: the cluster has no capacity.
  std::optional<std::uint32_t> lose(const Id& cluster, std::uint32_t count, std::optional<Duration> lasts, Instant now);
  // Every cluster has room for everything again; steps that wait are let begin by the next settle().
  void clear();

  // What follows at `now`, of all clusters.
  struct Changed {
    Id cluster;
    CapacityUsage usage;
  };
  struct Effects {
    CapacityEffects of_steps;
    std::vector<Changed> changed;  // clusters whose usage is not what was noted last
  };
  Effects settle(Instant now);
  // The usage of this cluster is in the feed.
  void note(const Changed& changed);
  // When settle() has something to do.
  std::optional<Instant> due() const;

  // {"clusters": [...]}: settings and usage by cluster; `with_all`: with nodes, placements and what waits, for a
  // snapshot.
  void write(Writer& out, bool with_all) const;
  // What write() has written with all. Error invalid.
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

  // Under the lock, after a change of what it guards.
  void note_any() { has_any_ = !clusters_.empty() || !freed_.empty(); }

  mutable std::mutex mutex_;
  Clusters clusters_;
  std::vector<Id> freed_;              // steps that waited when clear() was called
  std::atomic<bool> has_any_ = false;  // of these; a simulation without takes no lock
};

// The members of a usage, as an event of the feed and write() have them.
void write_usage(Writer& out, const CapacityUsage& usage);

}  // namespace orlop
