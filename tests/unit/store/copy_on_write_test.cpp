#include "store/copy_on_write.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace orlop {
namespace {

const std::string text(40, 'a');

TEST(CopyOnWrite, CopiesAreOneUntilTheyAreEdited) {
  CopyOnWrite<std::string> first(text);
  CopyOnWrite<std::string> second = first;
  EXPECT_EQ(&*first, &*second);
  EXPECT_EQ(first, second);
  second.edit() += "b";
  EXPECT_EQ(*first, text);
  EXPECT_EQ(*second, text + "b");
  EXPECT_NE(first, second);
  const std::string* const own = &*second;
  EXPECT_EQ(&second.edit(), own) << "it has no copy any more";
}

TEST(CopyOnWrite, WhatHoldsNothingIsTheValueOfNone) {
  CopyOnWrite<std::string> held;
  EXPECT_TRUE(held->empty());
  EXPECT_EQ(held, CopyOnWrite<std::string>(std::string()));
  CopyOnWrite<std::string> taken(text);
  const CopyOnWrite<std::string> to = std::move(taken);
  EXPECT_EQ(*to, text);
  EXPECT_TRUE(taken->empty());  // NOLINT(bugprone-use-after-move)
  held.edit() = "a";
  EXPECT_EQ(*held, "a");
}

TEST(CopyOnWrite, IsFilledAnewWithoutWhatACopyHolds) {
  CopyOnWrite<std::string> row(text);
  const std::string* const memory = &*row;
  EXPECT_EQ(&row.refill(), memory);
  const CopyOnWrite<std::string> kept = row;
  EXPECT_TRUE(row.refill().empty());
  EXPECT_EQ(*kept, text);
  EXPECT_EQ(&*kept, memory);
}

TEST(CopyOnWrite, CopiesGoToSeveralThreads) {
  const CopyOnWrite<std::string> shared(text);
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([own = shared, number]() mutable {
      for (int round = 0; round < 1000; ++round) {
        CopyOnWrite<std::string> copy = own;
        copy.edit() = std::to_string(number);
        EXPECT_EQ(*own, text);
        if (round % 100 == 99) own.edit() = text;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(*shared, text);
}

}  // namespace
}  // namespace orlop
