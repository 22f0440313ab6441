// What engines that share a store keep in it for each other: which engines there are, which partitions each of them
// holds, and the work and the reports that one leaves for another. A part of the storage contract (store.h);
// docs/decisions/48 gives the reasons.
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

// An engine that drives, or would. It changes its counter at intervals as long as it lives, to what its clock says in
// milliseconds.
struct Peer {
  Id engine;
  std::uint64_t counter = 0;
  std::uint8_t rank = 0;  // only the peers of the highest rank hold partitions
  friend bool operator==(const Peer&, const Peer&) = default;
};

// Which engine moves a partition on. Each change of the holder raises the epoch.
struct Lease {
  std::uint8_t partition = 0;
  Id holder;  // nil: none
  std::uint64_t epoch = 0;
  friend bool operator==(const Lease&, const Lease&) = default;
};

// The epoch in which a change was decided.
struct Fence {
  std::uint8_t partition = 0;
  std::uint64_t epoch = 0;
};

// An environment, cluster, job or delivery that has new work, in a partition that another engine holds.
struct WakeUp {
  std::uint8_t partition = 0;
  Id owner;
  friend auto operator<=>(const WakeUp&, const WakeUp&) = default;
};

// A driver's report that reached an engine which does not hold the step's partition. `kind` and `running` are numbers
// of the driver interface.
struct InboxReport {
  std::uint64_t number = 0;  // given by the store: ascending in the order of commits, never twice
  std::uint8_t partition = 0;
  Id step;
  Instant at;
  std::uint8_t kind = 0;
  std::uint8_t running = 0;
  std::string text;
  friend bool operator==(const InboxReport&, const InboxReport&) = default;
};

// What one transaction changes of it. Applied in the order of the members.
struct CoordinationChanges {
  std::vector<Fence> fences;                 // lease_lost if the store holds another epoch of the partition, or none
  std::vector<Id> departures;                // peers that are removed
  std::vector<Peer> peers;                   // added, or changed
  std::vector<Lease> leases;                 // added, or changed
  std::vector<WakeUp> taken_wake_ups;        // removed; one that is not there is no error
  std::vector<WakeUp> wake_ups;              // added; one that is there stays
  std::vector<std::uint64_t> taken_reports;  // removed, by number; one that is not there is no error
  std::vector<InboxReport> reports;          // added; `number` is ignored
  bool empty() const { return fences.empty() && leaves_all(); }
  // Nothing is added or removed: at most fences are checked.
  bool leaves_all() const {
    return departures.empty() && peers.empty() && leases.empty() && taken_wake_ups.empty() && wake_ups.empty() &&
           taken_reports.empty() && reports.empty();
  }
};

// The reads of it, in a transaction.
class Coordination {
 public:
  virtual Result<std::vector<Peer>> peers() = 0;                   // ascending id
  virtual Result<std::vector<Lease>> leases(PartitionSet of) = 0;  // ascending partition; those that were ever held
  // At most `limit`, ascending by partition and owner.
  virtual Result<std::vector<WakeUp>> wake_ups(PartitionSet of, std::size_t limit) = 0;
  // At most `limit`, ascending by number.
  virtual Result<std::vector<InboxReport>> reports(PartitionSet of, std::size_t limit) = 0;

 protected:
  ~Coordination() = default;
};

// One engine among those that share a store, from Store::join() until this is destroyed. Safe on every thread.
class Membership {
 public:
  virtual ~Membership() = default;
  // A number that is another one after an engine, perhaps of another process, has changed what is kept here. Other
  // commits may change it, too. Cheap.
  virtual Result<std::uint64_t> changes() = 0;
  // True: the engine of this id is known to have ended; its process may have been killed. False: it lives, or nothing
  // is known.
  virtual bool has_ended(const Id& engine) = 0;
};

}  // namespace orlop
