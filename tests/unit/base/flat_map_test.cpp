#include "base/flat_map.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>

namespace orlop {
namespace {

// Many keys have the same first slot.
struct PoorHash {
  std::size_t operator()(int key) const { return static_cast<std::size_t>(key % 3) << 62; }
};

TEST(FlatMap, FindsWhatWasAdded) {
  FlatMap<std::string, int, HashText> map;
  EXPECT_TRUE(map.empty());
  EXPECT_EQ(map.find(std::string_view("a")), nullptr);
  map.add("a", 1);
  map["b"] = 2;
  map["b"] += 5;
  ASSERT_NE(map.find(std::string_view("b")), nullptr);
  EXPECT_EQ(*map.find(std::string_view("b")), 7);
  map.erase(std::string_view("a"));
  EXPECT_FALSE(map.contains("a"));
  EXPECT_TRUE(map.contains("b"));
  map.clear();
  EXPECT_TRUE(map.empty());
  EXPECT_FALSE(map.contains("b"));
}

template <typename Hash>
void compare_with_a_tree(int keys) {
  std::mt19937 random(7);
  FlatMap<int, int, Hash> map;
  std::map<int, int> expected;
  for (int round = 0; round < 4000; ++round) {
    const int key = static_cast<int>(random() % static_cast<unsigned>(keys));
    if (random() % 3 == 0) {
      map.erase(key);
      expected.erase(key);
    } else {
      map[key] = round;
      expected[key] = round;
    }
    if (round == 3000) {
      map.clear();
      expected.clear();
    }
    for (int each = round % 7; each < keys; each += 7) {
      const auto found = expected.find(each);
      const int* const held = map.find(each);
      ASSERT_EQ(held != nullptr, found != expected.end()) << each;
      if (held != nullptr) { ASSERT_EQ(*held, found->second); }
    }
  }
}

struct MixedHash {
  std::size_t operator()(int key) const { return static_cast<std::size_t>(key) * 0x9E3779B97F4A7C15ULL; }
};

TEST(FlatMap, HoldsWhatATreeHolds) {
  for (const int keys : {5, 12, 300}) {
    compare_with_a_tree<MixedHash>(keys);
    compare_with_a_tree<PoorHash>(keys);
  }
}

}  // namespace
}  // namespace orlop
