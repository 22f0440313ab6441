// The nodes of one cluster of a simulation, and what runs on them: placement of instances, waiting for capacity,
// addition and removal of nodes. Pure: time is an argument, and the same calls give the same placement.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "deploy/driver/driver.h"
#include "lifecycle/state.h"

namespace orlop {

// Settings of a cluster's capacity.
struct CapacitySettings {
  std::uint32_t nodes_least = 0;
  std::uint32_t nodes_most = 0;              // equal to the least: no autoscaling
  std::int64_t cpu = 0;                      // of each node: millicores
  std::int64_t memory = 0;                   // of each node: MB
  std::int64_t pods = 110;                   // of each node: instances
  double price = 0;                          // of a node, for an hour
  Duration scale_up_after = seconds(120);    // from the need of a node to its readiness
  Duration scale_down_after = seconds(600);  // from the emptiness of a node to its removal
  Duration reschedule_after = seconds(60);   // from the loss of a node until its instances may start on others
  Duration start_after = seconds(10);        // from the start of such an instance until it runs
  friend bool operator==(const CapacitySettings&, const CapacitySettings&) = default;
};

// Resources that the instances of a service need.
struct CapacityNeed {
  std::int64_t cpu = 0;     // of each instance: millicores
  std::int64_t memory = 0;  // of each instance: MB
  std::uint32_t instances = 0;
  bool is_of_run = false;  // only while the step runs: jobs
  // Running instances are replaced by a roll-out: with at most `surge` instances more than `instances`, and
  // `unavailable` fewer. False: all at once, in the capacity that they leave.
  bool rolls = false;
  std::uint32_t surge = 0;
  std::uint32_t unavailable = 0;
  std::uint64_t configuration = 0;  // a digest; equal: nothing is rolled out; 0: unknown

  friend bool operator==(const CapacityNeed& left, const CapacityNeed& right) {
    return left.has_room_of(right) && left.rolls == right.rolls && left.surge == right.surge &&
           left.unavailable == right.unavailable;
  }
  // Reports whether both use the same resources.
  bool has_room_of(const CapacityNeed& other) const {
    return cpu == other.cpu && memory == other.memory && instances == other.instances && is_of_run == other.is_of_run;
  }
};

struct CapacityUsage {
  std::uint32_t nodes = 0;  // ready ones
  std::uint32_t coming = 0;
  std::uint32_t lost = 0;
  std::int64_t cpu = 0, cpu_used = 0;
  std::int64_t memory = 0, memory_used = 0;
  std::int64_t pods = 0, pods_used = 0;
  std::uint32_t waiting = 0;  // services that wait for capacity: steps, and those that have lost their nodes
  double price = 0;           // of a node, for an hour
  friend bool operator==(const CapacityUsage&, const CapacityUsage&) = default;
};

// Effects of a change, in this order.
struct CapacityEffects {
  struct Running {
    Id service;
    RunningState running;
  };
  std::vector<Id> begun;          // waiting steps that begin now
  std::vector<Id> lost_contact;   // running steps whose nodes were lost
  std::vector<Id> found_contact;  // running steps whose instances have nodes again
  std::vector<Running> running;
};

// Threads: one at a time.
class Nodes {
 public:
  enum class NodeState : std::uint8_t { coming, ready, lost };
  struct Node {
    std::uint32_t number = 0;  // from 1, in the order in which they were added
    NodeState state = NodeState::ready;
    std::optional<Instant> at;  // coming: when it is ready; lost: when it is back; ready: since when it is empty
    std::int64_t cpu = 0;       // used
    std::int64_t memory = 0;
    std::int64_t pods = 0;
  };
  struct Placement {
    CapacityNeed need;
    std::vector<std::uint32_t> nodes;  // of each instance; 0: none
    bool is_running = false;           // it was deployed
    Id step;                           // running step; nil if none
    Instant began;                     // when the step was admitted
    std::optional<Instant> homeless;   // an instance without a node may be placed from then on
    std::optional<Instant> lost;       // when the loss was reported
    std::optional<Instant> starts;     // instances on new nodes run from then on
    // In a roll-out: nodes of old instances that still exist, and the need of each.
    std::vector<std::uint32_t> leaving;
    CapacityNeed leaving_need;
  };
  struct Waiting {
    Id step;
    Id service;
    CapacityNeed need;
  };

  Nodes() = default;
  explicit Nodes(const CapacitySettings& settings) { set(settings); }

  const CapacitySettings& settings() const { return settings_; }
  // Changes the settings: adds ready nodes up to the least number, and removes those above the most, the last ones
  // first.
  void set(const CapacitySettings& settings);

  // A service that exists already, placed where there is capacity. Without capacity its nodes are lost: at once, or
  // when its running step has ended.
  struct Found {
    Id service;
    CapacityNeed need;
    bool is_running = false;
    Id step;  // nil if none runs
    Instant began;
  };
  void found(const Found& found);
  // Returns when the step was admitted: now, if there is capacity for its service; nullopt: it waits, behind those that
  // wait already. Returns the same again for a known step. An unknown step that is resumed is admitted.
  std::optional<Instant> begin(const Id& step, const Id& service, const CapacityNeed& need, Instant now,
                               bool is_resumed = false);
  // Notes that a step of the service has ended.
  void ended(const Id& step, const Id& service, StepKind kind, ReportKind how);
  // Makes this many ready nodes unavailable, the first ones first. With `lasts` they come back; without it they are
  // removed. Returns how many there were.
  std::uint32_t lose(std::uint32_t count, std::optional<Duration> lasts, Instant now);
  // Stops the cluster: it has no nodes until start().
  void stop();
  void start();

  // Applies what is due at `now`, places waiting instances where there is capacity, and decides about more or fewer
  // nodes.
  void settle(Instant now, CapacityEffects& effects);
  // Returns when settle() has something to do, a past instant after a change; nullopt if it has not.
  std::optional<Instant> due() const;

  CapacityUsage usage() const;
  // Returns why this step waits, as a sentence.
  std::string reason(const Id& service, const CapacityNeed& need) const;

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::map<Id, Placement>& placements() const { return placements_; }
  const std::vector<Waiting>& waiting() const { return waiting_; }
  bool is_stopped() const { return is_stopped_; }
  // The state as a snapshot holds it.
  struct Memory {
    std::vector<Node> nodes;
    std::map<Id, Placement> placements;
    std::vector<Waiting> waiting;
    std::uint32_t last_number = 0;
    bool is_stopped = false;
    Instant settled;
  };
  Instant settled() const { return settled_; }
  void restore(Memory memory);
  std::uint32_t last_number() const { return last_number_; }

 private:
  using Places = std::vector<std::uint32_t>;
  Node* node(std::uint32_t number);
  bool fits(const Node& node, const CapacityNeed& need) const;
  void use(std::uint32_t number, const CapacityNeed& need, int sign);
  std::optional<Places> place(const CapacityNeed& need, std::size_t instances,
                              std::span<const std::uint32_t> present = {});
  void free(const Placement& placement);
  void free_leaving(Placement& placement);
  bool rolls_out(const Id& service, const CapacityNeed& need) const;
  bool roll_out(Placement& placement, const CapacityNeed& need);
  bool move(const Waiting& waiting);
  void await_nodes(const Id& service, Placement& placement);
  bool try_begin(const Waiting& waiting, Instant now);
  void drop_node(std::uint32_t number, Instant from);
  void add_nodes(std::uint32_t count, NodeState state, std::optional<Instant> at);
  void move_nodes(Instant now);
  void say_lost(const Id& service, Placement& placement, CapacityEffects& effects) const;
  void say_found(const Id& service, Placement& placement, CapacityEffects& effects);
  void say_started(Instant now, CapacityEffects& effects);
  void place_homeless(Instant now, CapacityEffects& effects);
  void begin_waiting(Instant now, CapacityEffects& effects);
  std::int64_t room_on(const Node& node, const CapacityNeed& need) const;
  std::vector<Node> plan() const;
  void scale(Instant now);
  std::uint32_t count(NodeState state) const;

  CapacitySettings settings_;
  std::vector<Node> nodes_;  // ascending numbers
  std::map<Id, Placement> placements_;
  std::set<Id> homeless_;         // placements with an instance that has no node
  std::set<Id> starting_;         // placements with `starts`
  std::vector<Waiting> waiting_;  // in their order
  std::uint32_t last_number_ = 0;
  Instant settled_;  // last call of settle()
  bool is_stopped_ = false;
  bool has_changed_ = false;
};

}  // namespace orlop
