#include "sim/seeded_random_source.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

namespace orlop {
namespace {

TEST(SeededRandomSource, IsAFunctionOfSeedTransactionAndIndex) {
  SeededRandomSource one(7);
  SeededRandomSource same(7);
  (void)same.draw(1000, 1000);
  EXPECT_EQ(one.draw(3, 5), same.draw(3, 5));
  EXPECT_NE(one.draw(3, 5), SeededRandomSource(8).draw(3, 5));
  EXPECT_NE(one.draw(3, 5), one.draw(5, 3));
}

TEST(SeededRandomSource, NearbyDrawsDiffer) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SeededRandomSource random_source(seed);
    for (std::uint64_t transaction = 0; transaction < 100; ++transaction) {
      for (std::uint64_t index = 0; index < 100; ++index) seen.insert(random_source.draw(transaction, index));
    }
  }
  EXPECT_EQ(seen.size(), 100'000U);
}

// An increment of the index, the transaction or the seed flips about half of the bits.
TEST(SeededRandomSource, EveryStepMovesHalfOfTheBits) {
  std::uint64_t by_index = 0;
  std::uint64_t by_transaction = 0;
  std::uint64_t by_seed = 0;
  constexpr std::uint64_t rounds = 1000;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    SeededRandomSource random_source(round);
    const std::uint64_t drawn = random_source.draw(round, round);
    by_index += static_cast<std::uint64_t>(std::popcount(drawn ^ random_source.draw(round, round + 1)));
    by_transaction += static_cast<std::uint64_t>(std::popcount(drawn ^ random_source.draw(round + 1, round)));
    by_seed += static_cast<std::uint64_t>(std::popcount(drawn ^ SeededRandomSource(round + 1).draw(round, round)));
  }
  for (const std::uint64_t bits : {by_index, by_transaction, by_seed}) {
    EXPECT_GT(bits, 31 * rounds);
    EXPECT_LT(bits, 33 * rounds);
  }
}

}  // namespace
}  // namespace orlop
