// Any number of engines on one store: random schedules, and the cases that are worth a name.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include "unit/scratch.h"
#include "whole/shared_store_world.h"

namespace orlop::shared {
namespace {

// ORLOP_SHARED_SEEDS=first,count of the environment, else the first and as many as run in the time.
struct Seeds {
  std::uint64_t first = 1;
  std::uint64_t count = 0;
};

Seeds seeds_of_run() {
  const char* given = std::getenv("ORLOP_SHARED_SEEDS");
  if (given == nullptr) return {};
  Seeds seeds;
  char* end = nullptr;
  seeds.first = std::strtoull(given, &end, 10);
  seeds.count = *end == ',' ? std::strtoull(end + 1, nullptr, 10) : 1;
  return seeds;
}

template <typename Open>
void run_worlds(const Open& place_of, std::chrono::seconds time) {
  const Seeds seeds = seeds_of_run();
  const auto end = std::chrono::steady_clock::now() + time;
  std::uint64_t done = 0;
  for (std::uint64_t seed = seeds.first; seeds.count == 0 ? std::chrono::steady_clock::now() < end : done < seeds.count; ++seed, ++done) {
    World world(seed, place_of(seed), 2 + seed % 3);
    const std::string wrong = world.run(static_cast<int>(60 + seed % 200));
    ASSERT_EQ(wrong, "") << "run again with ORLOP_SHARED_SEEDS=" << seed << ",1";
  }
  std::cout << done << " schedules\n";
  EXPECT_GT(done, 0U);
}

TEST(SharedStore, ManySchedulesInMemory) {
  run_worlds([](std::uint64_t seed) {
    const std::shared_ptr<Store> store = open_memory_store();
    return Place{[store] { return store; }, seed % 2 == 0};
  }, std::chrono::seconds(6));
}

TEST(SharedStore, ManySchedulesOnOneFile) {
  run_worlds([](std::uint64_t seed) {
    const std::string file = tests::scratch_file("shared.db");
    return Place{[file]() -> std::shared_ptr<Store> {
      auto opened = open_sqlite_store(file, Durability::normal);
      EXPECT_TRUE(opened) << opened.error().message;
      return std::move(*opened);
    }, seed % 2 == 0};
  }, std::chrono::seconds(6));
}

}  // namespace
}  // namespace orlop::shared
