// The partitions that an engine takes and releases.
#include "deploy/ownership/balance.h"

#include <gtest/gtest.h>

#include <vector>

namespace orlop {
namespace {

Id id_of(std::uint8_t number) {
  Id id;
  id.bytes[15] = number;
  return id;
}

PartitionSet first(std::size_t count) {
  return count == 64 ? PartitionSet::all() : PartitionSet((std::uint64_t{1} << count) - 1);
}

std::vector<Lease> held_by(std::uint8_t engine, PartitionSet set) {
  std::vector<Lease> leases;
  set.for_each([&](std::uint8_t partition) { leases.push_back({partition, id_of(engine), 1}); });
  return leases;
}

Moves moves_of(const Claimant& self, const std::vector<Peer>& peers, const std::vector<Lease>& leases,
               const std::vector<std::uint8_t>& ended = {}) {
  return plan_moves(self, peers, leases, [&](const Id& engine) {
    for (const std::uint8_t number : ended) {
      if (engine == id_of(number)) return true;
    }
    return false;
  });
}

TEST(Balance, OneAloneTakesEverything) {
  const Moves moves = moves_of({.engine = id_of(1), .rank = 1}, {}, {});
  EXPECT_EQ(moves.taken, PartitionSet::all());
  EXPECT_TRUE(moves.released.empty());
}

TEST(Balance, WhatAPeerHoldsIsLeftToIt) {
  const Moves moves = moves_of({.engine = id_of(1), .rank = 1}, {{id_of(2), 5, 1}}, held_by(2, PartitionSet::all()));
  EXPECT_TRUE(moves.empty());
}

TEST(Balance, AShareIsReleasedOneByOneAndOnlyWhileNoneIsFree) {
  const std::vector<Peer> peers = {{id_of(1), 1, 1}, {id_of(2), 5, 1}};
  const Claimant self = {.engine = id_of(1), .rank = 1, .held = PartitionSet::all(), .busy = first(3)};
  EXPECT_EQ(moves_of(self, peers, held_by(1, PartitionSet::all())).released, PartitionSet::one(3));
  Claimant after = self;
  after.held.remove(3);
  EXPECT_TRUE(moves_of(after, peers, held_by(1, after.held)).empty());
  auto leases = held_by(1, after.held);
  leases.push_back({3, id_of(2), 2});
  EXPECT_EQ(moves_of(after, peers, leases).released, PartitionSet::one(4));
}

TEST(Balance, ItEndsWhereAllHaveTheSame) {
  for (const std::size_t engines : {2, 3, 5, 7, 64, 70}) {
    std::vector<Peer> peers;
    for (std::size_t number = 1; number <= engines; ++number)
      peers.push_back({id_of(static_cast<std::uint8_t>(number)), 1, 2});
    std::size_t total = 0;
    for (std::size_t number = 1; number <= engines; ++number) {
      const Moves moves = moves_of({.engine = id_of(static_cast<std::uint8_t>(number)), .rank = 2}, peers, {});
      EXPECT_LE(moves.taken.size(), 64 / engines + 1);
      EXPECT_GE(moves.taken.size(), 64 / engines);
      total += moves.taken.size();
    }
    EXPECT_EQ(total, 64U) << engines;
  }
}

TEST(Balance, TheShareOfOneThatHasEndedIsTaken) {
  const std::vector<Peer> peers = {{id_of(1), 1, 1}, {id_of(2), 5, 1}};
  std::vector<Lease> leases = held_by(1, first(32));
  for (const Lease& lease : held_by(2, PartitionSet::all().without(first(32)))) leases.push_back(lease);
  const Moves moves = moves_of({.engine = id_of(1), .rank = 1, .held = first(32)}, peers, leases, {2});
  EXPECT_EQ(moves.ended, std::vector<Id>{id_of(2)});
  EXPECT_EQ(moves.taken, PartitionSet::all().without(first(32)));
}

TEST(Balance, WhatOneThatIsNoPeerHoldsIsFree) {
  EXPECT_EQ(moves_of({.engine = id_of(1), .rank = 1}, {}, held_by(2, PartitionSet::all())).taken, PartitionSet::all());
}

TEST(Balance, OnlyTheHighestRankHoldsAnything) {
  const std::vector<Peer> peers = {{id_of(1), 1, 1}, {id_of(2), 5, 3}, {id_of(3), 1, 2}};
  const Moves low =
      moves_of({.engine = id_of(1), .rank = 1, .held = first(4), .busy = first(1)}, peers, held_by(1, first(4)));
  EXPECT_EQ(low.released, first(4).without(first(1)));
  EXPECT_TRUE(low.taken.empty());
  EXPECT_EQ(moves_of({.engine = id_of(2), .rank = 3}, peers, held_by(1, first(4))).taken,
            PartitionSet::all().without(first(4)));
  // The engine of the lower rank ends: the next rank drives.
  EXPECT_EQ(moves_of({.engine = id_of(3), .rank = 2}, peers, held_by(2, PartitionSet::all()), {2}).taken,
            PartitionSet::all());
}

TEST(Balance, OneThatLeavesGivesBackWhatIsNotBusyAndByForceAll) {
  Claimant self = {.engine = id_of(1), .rank = 3, .is_leaving = true, .held = first(8), .busy = first(2)};
  EXPECT_EQ(moves_of(self, {}, held_by(1, first(8))).released, first(8).without(first(2)));
  self.is_forced = true;
  EXPECT_EQ(moves_of(self, {}, held_by(1, first(8))).released, first(8));
}

TEST(PeerWatch, APeerIsSilentAfterTheLeaseTimeWithOneCounter) {
  PeerWatch watch(Duration{900});
  const std::vector<Peer> peers = {{id_of(2), 5, 1}};
  for (const std::int64_t now : {100, 400, 700}) watch.see(peers, Duration{now});
  EXPECT_FALSE(watch.is_silent(id_of(2), Duration{999}));
  EXPECT_TRUE(watch.is_silent(id_of(2), Duration{1000}));
  EXPECT_FALSE(watch.is_silent(id_of(3), Duration{1000})) << "it was never seen";
  EXPECT_EQ(watch.first_silence(peers), Duration{1000});
  watch.see(std::vector<Peer>{{id_of(2), 6, 1}}, Duration{1000});
  EXPECT_FALSE(watch.is_silent(id_of(2), Duration{1899}));
  EXPECT_EQ(watch.first_silence(peers), Duration{1900});
  watch.see({}, Duration{5000});
  watch.see(std::vector<Peer>{{id_of(2), 6, 1}}, Duration{5001});
  EXPECT_FALSE(watch.is_silent(id_of(2), Duration{5002})) << "one that comes back is seen anew";
}

TEST(PeerWatch, WhoDidNotLookForLongDoesNotTakeTheOthersForSilent) {
  PeerWatch watch(Duration{900});
  const std::vector<Peer> peers = {{id_of(2), 5, 1}};
  watch.see(peers, Duration{0});
  EXPECT_FALSE(watch.is_silent(id_of(2), Duration{100'000}));
  watch.see(peers, Duration{100'000});
  EXPECT_FALSE(watch.is_silent(id_of(2), Duration{100'200}));
  // An engine that always looks rarely detects it too.
  watch.see(peers, Duration{200'000});
  EXPECT_TRUE(watch.is_silent(id_of(2), Duration{300'000}));
  watch.forget();
  watch.see(peers, Duration{300'000});
  EXPECT_FALSE(watch.is_silent(id_of(2), Duration{300'200}));
}

}  // namespace
}  // namespace orlop
