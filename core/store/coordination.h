// Data that engines sharing a store exchange through it: the engines, the partitions that each of them holds, and the
// wake-ups and reports that one leaves for another. A part of the storage contract (store.h); docs/decisions/48 gives
// the reasons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "base/result.h"
#include "store/partition.h"

namespace orlop {

// An engine that drives or is ready to. While it lives, it sets its counter at intervals to its clock's milliseconds.
struct Peer {
  Id engine;
  std::uint64_t counter = 0;
  std::uint8_t rank = 0;  // only the peers of the highest rank hold partitions
  friend bool operator==(const Peer&, const Peer&) = default;
};

// The engine that drives a partition. Each change of the holder raises the epoch.
struct Lease {
  std::uint8_t partition = 0;
  Id holder;  // nil if the partition has no holder
  std::uint64_t epoch = 0;
  friend bool operator==(const Lease&, const Lease&) = default;
};

// Condition of a change: the partition still has this epoch.
struct Fence {
  std::uint8_t partition = 0;
  std::uint64_t epoch = 0;
};

// An environment, cluster, job or delivery with new work, in a partition that another engine holds.
struct WakeUp {
  std::uint8_t partition = 0;
  Id owner;
  friend auto operator<=>(const WakeUp&, const WakeUp&) = default;
};

// A driver's report that reached an engine that does not hold the step's partition. `kind` and `running` are numbers of
// the driver interface.
struct InboxReport {
  std::uint64_t number = 0;  // assigned by the store: ascending in the order of commits, never reused
  std::uint8_t partition = 0;
  Id step;
  Instant at;
  std::uint8_t kind = 0;
  std::uint8_t running = 0;
  std::string text;
  friend bool operator==(const InboxReport&, const InboxReport&) = default;
};

// Changes that one transaction makes to the coordination data. Applied in the order of the members.
struct CoordinationChanges {
  std::vector<Fence> fences;           // error lease_lost if the partition has another epoch in the store, or no lease
  std::vector<Id> departures;          // peers to remove
  std::vector<Peer> peers;             // peers to add or change
  std::vector<Lease> leases;           // leases to add or change
  std::vector<WakeUp> taken_wake_ups;  // wake-ups to remove; missing ones are ignored
  std::vector<WakeUp> wake_ups;        // wake-ups to add; existing ones stay
  std::vector<std::uint64_t> taken_reports;  // numbers of reports to remove; missing ones are ignored
  std::vector<InboxReport> reports;          // reports to add; `number` is ignored
  bool empty() const { return fences.empty() && leaves_all(); }
  // Reports whether nothing is added or removed, so that at most fences are checked.
  bool leaves_all() const {
    return departures.empty() && peers.empty() && leases.empty() && taken_wake_ups.empty() && wake_ups.empty() &&
           taken_reports.empty() && reports.empty();
  }
};

// Reads of the coordination data, in a transaction.
class Coordination {
 public:
  virtual Result<std::vector<Peer>> peers() = 0;  // ascending id
  // ascending partition; only partitions that were ever held
  virtual Result<std::vector<Lease>> leases(PartitionSet of) = 0;
  // At most `limit`, ascending by partition and owner.
  virtual Result<std::vector<WakeUp>> wake_ups(PartitionSet of, std::size_t limit) = 0;
  // At most `limit`, ascending by number.
  virtual Result<std::vector<InboxReport>> reports(PartitionSet of, std::size_t limit) = 0;

 protected:
  ~Coordination() = default;
};

// Membership of an engine in a shared store, from Store::join() until destruction. Thread-safe.
class Membership {
 public:
  virtual ~Membership() = default;
  // Returns a number that differs after another engine, perhaps of another process, has changed coordination data.
  // Other commits may change it, too. Cheap.
  virtual Result<std::uint64_t> changes() = 0;
  // Returns true if the engine with this id is known to have ended, for example because its process was killed; false
  // if it lives or its state is unknown.
  virtual bool has_ended(const Id& engine) = 0;
};

}  // namespace orlop
