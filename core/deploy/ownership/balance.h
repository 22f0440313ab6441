// Decides which partitions an engine takes and releases, from the store's data on the engines that share it. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "store/coordination.h"

namespace orlop {

// Measures by this engine's monotonic clock for how long the counters of other engines have not changed: no two clocks
// have to agree. A time without see() counts for a third of the lease time at most: the cause may have kept the other
// engines from renewing, too.
class PeerWatch {
 public:
  explicit PeerWatch(Duration lease_time) : lease_time_(lease_time) {}
  // Updates the known peers to those that the store holds at `now`; forgets those that are gone.
  void see(std::span<const Peer> peers, Duration now);
  // Drops all observations, after a time in which no peer could write.
  void forget() { seen_.clear(); }
  // Reports whether the peer's counter has not changed for the whole lease time. A peer that was never seen is not
  // silent.
  bool is_silent(const Id& engine, Duration now) const;
  // Returns the first time at which one of `peers` may become silent; nullopt if there are none.
  std::optional<Duration> first_silence(std::span<const Peer> peers) const;

 private:
  struct Seen {
    std::uint64_t counter = 0;
    Duration still;  // unchanged until the last look
  };
  Duration since_look(Duration now) const;

  Duration lease_time_;
  Duration looked_at_;
  std::unordered_map<Id, Seen> seen_;
};

// One engine, as input of plan_moves().
struct Claimant {
  Id engine;
  std::uint8_t rank = 0;
  bool is_leaving = false;  // it releases everything
  PartitionSet held = {};
  PartitionSet busy = {};  // held ones with a running step: they stay, unless is_forced
  bool is_forced = false;
};

struct Moves {
  std::vector<Id> ended;  // peers that drive no more
  PartitionSet taken;
  PartitionSet released;
  bool empty() const { return ended.empty() && taken.empty() && released.empty(); }
};

// `peers` and `leases`: all that the store holds; `has_ended` reports whether a peer no longer drives. The peers of the
// highest rank share the partitions evenly. An engine takes free partitions up to its share. It releases those above
// its share one at a time: the next one after another engine has taken the last one.
Moves plan_moves(const Claimant& self, std::span<const Peer> peers, std::span<const Lease> leases,
                 const std::function<bool(const Id& engine)>& has_ended);

}  // namespace orlop
