// Which partitions an engine takes and gives back, by what the store says of the engines that share it. Pure.
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

// How long an engine has seen the others stand still, by its own monotonic clock: no two clocks have to agree. A time
// in which the engine itself did not look counts for a third of the lease time at most: what kept it from looking may
// have kept the others from moving.
class PeerWatch {
 public:
  explicit PeerWatch(Duration lease_time) : lease_time_(lease_time) {}
  // Takes in what the store holds at `now`; forgets who is gone.
  void see(std::span<const Peer> peers, Duration now);
  // None of them could move until now: what was seen says nothing.
  void forget() { seen_.clear(); }
  // Whether the peer's counter has not changed for the whole lease time. A peer that was never seen is not silent.
  bool is_silent(const Id& engine, Duration now) const;
  // The first time at which one of `peers` may become silent; nothing: there are none.
  std::optional<Duration> first_silence(std::span<const Peer> peers) const;

 private:
  struct Seen {
    std::uint64_t counter = 0;
    Duration still;  // until the last look
  };
  Duration since_look(Duration now) const;

  Duration lease_time_;
  Duration looked_at_;
  std::unordered_map<Id, Seen> seen_;
};

// One engine, as it decides what to take and to give.
struct Claimant {
  Id engine;
  std::uint8_t rank = 0;
  bool is_leaving = false;  // it gives everything back
  PartitionSet held = {};
  PartitionSet busy = {};  // of those, the ones that have a running step: they stay, unless is_forced
  bool is_forced = false;
};

struct Moves {
  std::vector<Id> ended;  // peers that hold nothing any more
  PartitionSet taken;
  PartitionSet released;
  bool empty() const { return ended.empty() && taken.empty() && released.empty(); }
};

// `peers` and `leases`: all that the store holds; `has_ended` says of a peer whether it drives no more. The peers of
// the highest rank share the partitions evenly. What no peer holds is taken up to that share; what is above it is
// released, one partition at a time, and the next when that one was taken.
Moves plan_moves(const Claimant& self, std::span<const Peer> peers, std::span<const Lease> leases,
                 const std::function<bool(const Id& engine)>& has_ended);

}  // namespace orlop
