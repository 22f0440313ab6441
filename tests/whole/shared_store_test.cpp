// Several engines on one store: random schedules in memory, on a file, and on a disk that fails.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "unit/scratch.h"
#include "whole/shared_store_platform.h"

namespace orlop::shared {
namespace {

constexpr std::uint64_t shards = 4;  // shards that may run at once
constexpr std::uint64_t in_memory = 10'000;
constexpr std::uint64_t on_one_file = 80;
constexpr std::uint64_t on_a_bad_disk = 80;

struct Seeds {
  std::uint64_t first = 1;
  std::uint64_t count = 0;
};

// Returns the seeds of one shard out of `count` seeds. The environment variable ORLOP_SHARED_SEEDS=first,count replaces
// them.
Seeds seeds_of(std::uint64_t shard, std::uint64_t count) {
  const char* given = std::getenv("ORLOP_SHARED_SEEDS");
  Seeds all{1, count};
  if (given != nullptr) {
    char* end = nullptr;
    all.first = std::strtoull(given, &end, 10);
    all.count = *end == ',' ? std::strtoull(end + 1, nullptr, 10) : 1;
  }
  const std::uint64_t first = all.count * shard / shards;
  return {all.first + first, all.count * (shard + 1) / shards - first};
}

template <typename Open>
void run_schedules(Seeds seeds, const Open& place_of) {
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    SharedStorePlatform platform(seed, place_of(seed), 2 + seed % 3);
    const std::string wrong = platform.run(static_cast<int>(60 + seed % 200));
    ASSERT_EQ(wrong, "") << "run again with ORLOP_SHARED_SEEDS=" << seed << ",1";
  }
}

class SharedStore : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(shards, SharedStore, testing::Range(std::uint64_t{0}, shards));

TEST_P(SharedStore, schedules_in_memory) {
  run_schedules(seeds_of(GetParam(), in_memory), [](std::uint64_t seed) {
    const std::shared_ptr<Store> store = open_memory_store();
    return Place{[store] { return store; }, seed % 2 == 0};
  });
}

TEST_P(SharedStore, schedules_on_one_file) {
  run_schedules(seeds_of(GetParam(), on_one_file), [](std::uint64_t seed) {
    const std::string file = tests::scratch_file("shared.db");
    return Place{[file]() -> std::shared_ptr<Store> {
                   auto opened = open_sqlite_store(file, Durability::normal);
                   EXPECT_TRUE(opened) << opened.error().message;
                   return std::move(*opened);
                 },
                 seed % 2 == 0};
  });
}

// The store is created before the failures begin.
TEST_P(SharedStore, schedules_on_a_disk_that_fails) {
  std::size_t faults = 0;
  std::size_t cuts = 0;
  const Seeds seeds = seeds_of(GetParam(), on_a_bad_disk);
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    contract::PowerCutDisk disk;
    const Place place{[]() -> std::shared_ptr<Store> {
                        auto opened = open_sqlite_store("/bad-disk/store.db", Durability::full);
                        EXPECT_TRUE(opened) << opened.error().message;
                        return std::move(*opened);
                      },
                      false, &disk};
    SharedStorePlatform platform(seed, place, 2 + seed % 3);
    const std::string wrong = platform.run(static_cast<int>(60 + seed % 200));
    ASSERT_EQ(wrong, "") << "run again with ORLOP_SHARED_SEEDS=" << seed << ",1";
    faults += platform.faults();
    cuts += platform.cuts();
  }
  if (seeds.count < 10) return;
  EXPECT_GT(faults, seeds.count) << "calls that the disk has failed";
  EXPECT_GT(cuts, seeds.count) << "powers that were cut";
}

}  // namespace
}  // namespace orlop::shared
