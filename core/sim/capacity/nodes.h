// The nodes of one cluster of a simulation, and what runs on them: where instances are placed, what waits for room, and
// when nodes come and go. Pure: time is an argument, and the same calls give the same placement.
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

// What is set of a cluster.
struct CapacitySettings {
  std::uint32_t nodes_least = 0;
  std::uint32_t nodes_most = 0;              // the same: no autoscaling
  std::int64_t cpu = 0;                      // of each node: millicores
  std::int64_t memory = 0;                   // of each node: MB
  std::int64_t pods = 110;                   // of each node: instances
  double price = 0;                          // of a node, for an hour
  Duration scale_up_after = seconds(120);    // from the need of a node to its readiness
  Duration scale_down_after = seconds(600);  // for which a node is empty before it goes
  Duration reschedule_after = seconds(60);   // from the loss of a node until its instances may start on others
  Duration start_after = seconds(10);        // from the start of such an instance until it runs
  friend bool operator==(const CapacitySettings&, const CapacitySettings&) = default;
};

// What the instances of a service need.
struct CapacityNeed {
  std::int64_t cpu = 0;     // of each instance: millicores
  std::int64_t memory = 0;  // of each instance: MB
  std::uint32_t instances = 0;
  bool is_of_run = false;  // only while the step runs: jobs
  // Instances that run are replaced by a roll-out: at most so many more than there are to be, and so many fewer. False:
  // in their room.
  bool rolls = false;
  std::uint32_t surge = 0;
  std::uint32_t unavailable = 0;
  std::uint64_t configuration = 0;  // a digest; the same: nothing is rolled out. 0: not known

  friend bool operator==(const CapacityNeed& left, const CapacityNeed& right) {
    return left.has_room_of(right) && left.rolls == right.rolls && left.surge == right.surge &&
           left.unavailable == right.unavailable;
  }
  // Whether both use the same.
  bool has_room_of(const CapacityNeed& other) const {
    return cpu == other.cpu && memory == other.memory && instances == other.instances && is_of_run == other.is_of_run;
  }
};

struct CapacityUsage {
  std::uint32_t nodes = 0;  // that are ready
  std::uint32_t coming = 0;
  std::uint32_t lost = 0;
  std::int64_t cpu = 0, cpu_used = 0;
  std::int64_t memory = 0, memory_used = 0;
  std::int64_t pods = 0, pods_used = 0;
  std::uint32_t waiting = 0;  // services that wait for room: steps, and those that have lost their nodes
  double price = 0;           // of a node, for an hour
  friend bool operator==(const CapacityUsage&, const CapacityUsage&) = default;
};

// What follows from a change, in this order.
struct CapacityEffects {
  struct Running {
    Id service;
    RunningState running;
  };
  std::vector<Id> begun;          // steps that waited and begin now
  std::vector<Id> lost_contact;   // running steps whose nodes were lost
  std::vector<Id> found_contact;  // those of them whose instances have nodes again
  std::vector<Running> running;
};

// Threads: one at a time.
class Nodes {
 public:
  enum class NodeState : std::uint8_t { coming, ready, lost };
  struct Node {
    std::uint32_t number = 0;  // from 1, in the order in which they came
    NodeState state = NodeState::ready;
    std::optional<Instant> at;  // coming: when it is ready; lost: when it is back; ready: since when it is empty
    std::int64_t cpu = 0;       // that is used
    std::int64_t memory = 0;
    std::int64_t pods = 0;
  };
  struct Placement {
    CapacityNeed need;
    std::vector<std::uint32_t> nodes;  // of each instance; 0: it has none
    bool is_running = false;           // it was deployed
    Id step;                           // that runs; nil: none
    Instant began;                     // when that was let begin
    std::optional<Instant> homeless;   // an instance has no node, and may be placed from then on
    std::optional<Instant> lost;       // when that was reported
    std::optional<Instant> starts;     // instances have got other nodes, and run from then on
    // Of a roll-out: instances of before that are still there, and what each needs.
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
  // New settings: nodes come at once up to the least number, and go from the most number on, the last ones first.
  void set(const CapacitySettings& settings);

  // A service that is here already, wherever there is room: it runs, or a step of it does, which goes on without room,
  // too; the service has lost its nodes when that has ended.
  struct Found {
    Id service;
    CapacityNeed need;
    bool is_running = false;
    Id step;  // nil: none runs
    Instant began;
  };
  void found(const Found& found);
  // When the step was let begin: now, if there is room for its service; nothing: it waits, behind those that do. The
  // same again for a step that is known. One that is resumed and not known goes on.
  std::optional<Instant> begin(const Id& step, const Id& service, const CapacityNeed& need, Instant now,
                               bool is_resumed = false);
  // A step of the service has ended.
  void ended(const Id& step, const Id& service, StepKind kind, ReportKind how);
  // Makes this many ready nodes unavailable, the first ones first. With `lasts` they come back; without they are gone.
  // Answers how many there were.
  std::uint32_t lose(std::uint32_t count, std::optional<Duration> lasts, Instant now);
  // The cluster was stopped: it has no node, until start().
  void stop();
  void start();

  // Does what is due at `now`, places what waits where there is room, and decides about more or fewer nodes.
  void settle(Instant now, CapacityEffects& effects);
  // When settle() has something to do; one that has passed if something has changed since.
  std::optional<Instant> due() const;

  CapacityUsage usage() const;
  // Why this step waits, as a sentence.
  std::string reason(const Id& service, const CapacityNeed& need) const;

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::map<Id, Placement>& placements() const { return placements_; }
  const std::vector<Waiting>& waiting() const { return waiting_; }
  bool is_stopped() const { return is_stopped_; }
  // What a snapshot holds in the place of all that is here.
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
  std::set<Id> homeless_;         // of the placements, those with an instance that has no node
  std::set<Id> starting_;         // of the placements, those with `starts`
  std::vector<Waiting> waiting_;  // in their order
  std::uint32_t last_number_ = 0;
  Instant settled_;  // when settle() was called last
  bool is_stopped_ = false;
  bool has_changed_ = false;
};

}  // namespace orlop
