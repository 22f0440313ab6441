#include "sim/virtual_clock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace orlop {
namespace {

TEST(VirtualClock, StandsStillUntilItIsMoved) {
  VirtualClock clock({1000});
  EXPECT_EQ(clock.now(), Instant{1000});
  clock.move_to({2000});
  EXPECT_EQ(clock.now(), Instant{2000});
}

TEST(VirtualClock, NeverGoesBack) {
  VirtualClock clock({1000});
  clock.move_to({500});
  EXPECT_EQ(clock.now(), Instant{1000});
}

TEST(VirtualClock, EndsAtTheLatestOfAllThreads) {
  VirtualClock clock({0});
  std::vector<std::thread> threads;
  for (std::int64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&clock, thread] {
      for (std::int64_t at = thread; at < 10'000; at += 4) clock.move_to({at});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(clock.now(), Instant{9999});
}

}  // namespace
}  // namespace orlop
