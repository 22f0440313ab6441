#include "deploy/ownership/balance.h"

#include <algorithm>
#include <array>

namespace orlop {
namespace {

// Returns the first `count` of a set, or all.
PartitionSet first_of(PartitionSet set, std::size_t count) {
  PartitionSet first;
  set.for_each([&](std::uint8_t partition) {
    if (first.size() < count) first.add(partition);
  });
  return first;
}

// Returns the partitions that no engine holds. A lease of this engine that it does not know of counts as free.
PartitionSet free_partitions(std::span<const Lease> leases, std::span<const Id> others, PartitionSet held) {
  PartitionSet free = PartitionSet::all().without(held);
  for (const Lease& lease : leases) {
    if (std::ranges::find(others, lease.holder) != others.end()) free.remove(lease.partition);
  }
  return free;
}

// Returns the engine's number of partitions when all drivers of its rank share them; `drivers` are the others.
std::size_t share_of(const Id& engine, std::span<const Id> drivers) {
  const std::size_t count = drivers.size() + 1;
  const auto place =
      static_cast<std::size_t>(std::ranges::count_if(drivers, [&](const Id& other) { return other < engine; }));
  return partition_count / count + (place < partition_count % count ? 1 : 0);
}

}  // namespace

Duration PeerWatch::since_look(Duration now) const {
  const std::int64_t passed = std::max<std::int64_t>(now.milliseconds - looked_at_.milliseconds, 0);
  return Duration{std::min(passed, lease_time_.milliseconds / 3 + 1)};
}

void PeerWatch::see(std::span<const Peer> peers, Duration now) {
  std::unordered_map<Id, Seen> seen;
  const Duration passed = since_look(now);
  for (const Peer& peer : peers) {
    const auto before = seen_.find(peer.engine);
    const bool is_same = before != seen_.end() && before->second.counter == peer.counter;
    seen.emplace(peer.engine,
                 is_same ? Seen{peer.counter, Duration{before->second.still.milliseconds + passed.milliseconds}}
                         : Seen{peer.counter, Duration{0}});
  }
  seen_ = std::move(seen);
  looked_at_ = now;
}

bool PeerWatch::is_silent(const Id& engine, Duration now) const {
  const auto found = seen_.find(engine);
  return found != seen_.end() &&
         found->second.still.milliseconds + since_look(now).milliseconds >= lease_time_.milliseconds;
}

std::optional<Duration> PeerWatch::first_silence(std::span<const Peer> peers) const {
  std::optional<Duration> first;
  for (const Peer& peer : peers) {
    const auto found = seen_.find(peer.engine);
    if (found == seen_.end()) continue;
    const Duration at{looked_at_.milliseconds + lease_time_.milliseconds - found->second.still.milliseconds};
    if (!first || at < *first) first = at;
  }
  return first;
}

Moves plan_moves(const Claimant& self, std::span<const Peer> peers, std::span<const Lease> leases,
                 const std::function<bool(const Id& engine)>& has_ended) {
  Moves moves;
  std::vector<Id> living;
  std::vector<Id> drivers;  // of the highest rank
  std::uint8_t highest = self.is_leaving ? 0 : self.rank;
  for (const Peer& peer : peers) {
    if (peer.engine == self.engine) continue;
    if (has_ended(peer.engine)) {
      moves.ended.push_back(peer.engine);
      continue;
    }
    living.push_back(peer.engine);
    highest = std::max(highest, peer.rank);
  }
  const bool drives = !self.is_leaving && self.rank == highest && highest != 0;
  if (!drives) {
    moves.released = self.is_forced ? self.held : self.held.without(self.busy);
    return moves;
  }
  for (const Peer& peer : peers) {
    const bool is_driver = peer.rank == highest && std::ranges::find(living, peer.engine) != living.end();
    if (is_driver) drivers.push_back(peer.engine);
  }
  const std::size_t share = share_of(self.engine, drivers);
  const PartitionSet free = free_partitions(leases, living, self.held);
  if (self.held.size() < share) {
    moves.taken = first_of(free, share - self.held.size());
  } else if (self.held.size() > share && free.empty()) {
    moves.released = first_of(self.held.without(self.busy), 1);
  }
  return moves;
}

}  // namespace orlop
