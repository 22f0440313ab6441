#include "store/inline_vector.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace orlop {
namespace {

using Few = InlineVector<int, 2>;

Few counted(int count) {
  Few numbers;
  for (int number = 0; number < count; ++number) numbers.push_back(number);
  return numbers;
}

TEST(InlineVector, HoldsMoreThanItHasRoomFor) {
  EXPECT_EQ(counted(2).bytes_outside(), 0U);
  EXPECT_GT(counted(3).bytes_outside(), 0U);
  Few numbers = counted(5);
  EXPECT_EQ(numbers, (Few{0, 1, 2, 3, 4}));
  EXPECT_EQ(numbers.back(), 4);
  numbers.push_back(numbers[1]);
  numbers.resize(8, 7);
  EXPECT_EQ(numbers, (Few{0, 1, 2, 3, 4, 1, 7, 7}));
  numbers.clear();
  EXPECT_TRUE(numbers.empty());
}

TEST(InlineVector, IsResizedWithAnElementOfItsOwn) {
  Few numbers = counted(3);
  const int last = numbers.back();
  numbers.resize(100, numbers.back());
  EXPECT_EQ(numbers[99], last);
}

// From every size to every size: the source of a copy is unchanged, and the source of a move can be used again.
TEST(InlineVector, IsCopiedAndMoved) {
  for (int from = 0; from < 6; ++from) {
    for (int to = 0; to < 6; ++to) {
      Few source = counted(from);
      Few target = counted(to);
      target = source;
      EXPECT_EQ(target, counted(from));
      EXPECT_EQ(source, counted(from));
      target = counted(to);
      target = std::move(source);
      EXPECT_EQ(target, counted(from));
      EXPECT_TRUE(source.empty());
      source.push_back(9);
      EXPECT_EQ(source, Few{9});
      Few made(std::move(target));
      EXPECT_EQ(made, counted(from));
      EXPECT_TRUE(target.empty());
      target = made;
      EXPECT_EQ(target, counted(from));
      const Few& itself = made;
      made = itself;
      EXPECT_EQ(made, counted(from));
    }
  }
}

}  // namespace
}  // namespace orlop
