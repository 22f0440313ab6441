#include "base/shared.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace orlop {
namespace {

TEST(Shared, IsNothingUntilItIsGiven) {
  const Shared<std::string> none;
  EXPECT_FALSE(none);
  EXPECT_FALSE(none.is_sole());
}

TEST(Shared, KnowsWhetherItIsTheOnlyOne) {
  Shared<std::string> first(std::string("a"));
  EXPECT_TRUE(first.is_sole());
  {
    const Shared<std::string> second = first;
    EXPECT_FALSE(first.is_sole());
    EXPECT_EQ(&*first, &*second);
  }
  EXPECT_TRUE(first.is_sole());
  first.edit() += "b";
  EXPECT_EQ(*first, "ab");
  const Shared<std::string> moved = std::move(first);
  EXPECT_TRUE(moved.is_sole());
}

TEST(Shared, ReleasesTheValueWithTheLastHandle) {
  const auto value = std::make_shared<int>(1);
  Shared<std::shared_ptr<int>> first{std::shared_ptr<int>(value)};
  Shared<std::shared_ptr<int>> second = first;
  first = Shared<std::shared_ptr<int>>();
  EXPECT_EQ(value.use_count(), 2);
  const Shared<std::shared_ptr<int>>& itself = second;
  second = itself;
  EXPECT_EQ(value.use_count(), 2);
  second = Shared<std::shared_ptr<int>>();
  EXPECT_EQ(value.use_count(), 1);
}

// The first handles are counted while there may be only one thread.
TEST(Shared, CountsTheHandlesOfSeveralThreads) {
  constexpr int threads = 4;
  constexpr int copies = 50'000;
  const auto value = std::make_shared<int>(1);
  Shared<std::shared_ptr<int>> first{std::shared_ptr<int>(value)};
  {
    std::vector<Shared<std::shared_ptr<int>>> held(threads, first);
    std::vector<std::thread> running;
    for (Shared<std::shared_ptr<int>>& own : held) {
      running.emplace_back([own = std::move(own)] {
        for (int count = 0; count < copies; ++count) {
          const Shared<std::shared_ptr<int>> copy = own;
          EXPECT_FALSE(copy.is_sole());
        }
      });
    }
    for (std::thread& thread : running) thread.join();
  }
  EXPECT_TRUE(first.is_sole());
  first = Shared<std::shared_ptr<int>>();
  EXPECT_EQ(value.use_count(), 1);
}

}  // namespace
}  // namespace orlop
