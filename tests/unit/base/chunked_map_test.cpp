#include "base/chunked_map.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <vector>

namespace orlop {
namespace {

// Values that can only be moved, as the versions of rows.
using Map = ChunkedMap<int, std::unique_ptr<int>>;

void expect_equal(Map& map, const std::map<int, int>& expected) {
  auto entry = expected.begin();
  for (auto cursor = map.begin(); !cursor.is_end(); cursor.next(), ++entry) {
    ASSERT_NE(entry, expected.end());
    ASSERT_EQ(cursor.key(), entry->first);
    ASSERT_EQ(*cursor.value(), entry->second);
  }
  ASSERT_EQ(entry, expected.end());
  ASSERT_EQ(map.empty(), expected.empty());
}

// Adds and erases among `keys` keys; `erased` is the percentage of erasures.
void compare_with_an_ordered_map(int keys, unsigned erased) {
  std::mt19937 random(11);
  Map map;
  std::map<int, int> expected;
  for (int round = 0; round < 6000; ++round) {
    const int key = static_cast<int>(random() % static_cast<unsigned>(keys));
    if (random() % 100 < erased) {
      const bool is_first = random() % 2 == 0 && !expected.empty();
      is_first ? map.erase_first() : map.erase(key);
      expected.erase(is_first ? expected.begin()->first : key);
    } else {
      map[key] = std::make_unique<int>(round);
      expected[key] = round;
    }
    const int sought = static_cast<int>(random() % static_cast<unsigned>(keys));
    const auto known = expected.find(sought);
    std::unique_ptr<int>* const found = map.find(sought);
    ASSERT_EQ(found != nullptr, known != expected.end());
    ASSERT_EQ(found == nullptr ? -1 : **found, known == expected.end() ? -1 : known->second);
    const auto following = expected.upper_bound(sought);
    const auto cursor = map.after(sought);
    ASSERT_EQ(cursor.is_end(), following == expected.end());
    ASSERT_EQ(cursor.is_end() ? -1 : cursor.key(), following == expected.end() ? -1 : following->first);
  }
  expect_equal(map, expected);
}

TEST(ChunkedMap, IsLikeATreeWhateverComesAndGoes) {
  compare_with_an_ordered_map(10, 50);
  compare_with_an_ordered_map(1000, 30);
  compare_with_an_ordered_map(1000, 70);
  compare_with_an_ordered_map(100'000, 5);
}

TEST(ChunkedMap, TakesKeysInEitherDirection) {
  Map map;
  std::map<int, int> expected;
  for (int key = 0; key < 1000; ++key) {
    map[key] = std::make_unique<int>(key);
    map[-key] = std::make_unique<int>(-key);
    expected[key] = key;
    expected[-key] = -key;
  }
  expect_equal(map, expected);
  for (int key = -999; key < 0; ++key) map.erase_first();
  for (int key = 0; key < 1000; ++key) map.erase(key);
  EXPECT_TRUE(map.empty());
  EXPECT_TRUE(map.begin().is_end());
  EXPECT_TRUE(map.after(0).is_end());
  EXPECT_EQ(map.find(0), nullptr);
}

}  // namespace
}  // namespace orlop
