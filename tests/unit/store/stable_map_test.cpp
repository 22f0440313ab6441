#include "store/stable_map.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>

namespace orlop {
namespace {

// Many keys have the same first slot.
struct CrowdedHash {
  std::size_t operator()(int key) const { return static_cast<std::size_t>(key % 3) << 62; }
};

template <typename Hash>
void compare_places_with_a_tree(int keys) {
  std::mt19937 random(11);
  StableMap<int, std::shared_ptr<int>, Hash> map;
  // Address of the entry, and its value.
  std::map<int, std::pair<typename StableMap<int, std::shared_ptr<int>, Hash>::Entry*, int>> expected;
  for (int round = 0; round < 4000; ++round) {
    const int key = static_cast<int>(random() % static_cast<unsigned>(keys));
    if (random() % 3 == 0) {
      map.erase(key);
      expected.erase(key);
    } else {
      auto& entry = map.make(key);
      entry.value = std::make_shared<int>(round);
      expected[key] = {&entry, round};
    }
    ASSERT_EQ(map.size(), expected.size());
    for (int each = round % 7; each < keys; each += 7) {
      const auto found = expected.find(each);
      auto* const entry = map.find(each);
      ASSERT_EQ(entry, found == expected.end() ? nullptr : found->second.first) << each;
      if (entry != nullptr) { ASSERT_EQ(*entry->value, found->second.second); }
    }
  }
}

TEST(StableMap, HoldsWhatATreeHoldsAndLeavesItWhereItIs) {
  for (const int keys : {5, 60, 900}) compare_places_with_a_tree<std::hash<int>>(keys);
}

TEST(StableMap, FindsKeysWithTheSameSlot) {
  for (const int keys : {60, 900}) compare_places_with_a_tree<CrowdedHash>(keys);
}

TEST(StableMap, WhatIsErasedIsReleasedAtOnce) {
  StableMap<int, std::shared_ptr<int>> map;
  const auto value = std::make_shared<int>(1);
  map.make(1).value = value;
  EXPECT_EQ(value.use_count(), 2);
  map.erase(1);
  EXPECT_EQ(value.use_count(), 1);
  EXPECT_EQ(map.make(1).value, nullptr) << "what was erased came back";
}

TEST(StableMap, FindsOneOfSeveralWithTheSameHash) {
  StableMap<int, int, CrowdedHash> map;
  for (int key = 0; key < 90; ++key) map.make(key).value = key * 2;
  const auto* const found = map.find_if(CrowdedHash()(4), [](const auto& entry) { return entry.value == 80; });
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->key, 40);
  EXPECT_EQ(map.find_if(CrowdedHash()(5), [](const auto& entry) { return entry.value == 80; }), nullptr)
      << "its hash is another";
  EXPECT_EQ(map.find_if(CrowdedHash()(4), [](const auto& entry) { return entry.value == 81; }), nullptr);
}

}  // namespace
}  // namespace orlop
