#include "store/versions.h"

#include <gtest/gtest.h>

namespace orlop {
namespace {

int value_at(const Versions<int>& versions, std::uint64_t snapshot) {
  const int* value = versions.at(snapshot);
  return value == nullptr ? -1 : *value;
}

TEST(Versions, each_snapshot_sees_its_own) {
  Versions<int> versions;
  EXPECT_TRUE(versions.is_bare());
  versions.put(3, 30);
  versions.put(5, std::nullopt);
  versions.put(8, 80);
  versions.put(8, 81);
  EXPECT_EQ(value_at(versions, 2), -1);
  EXPECT_EQ(value_at(versions, 3), 30);
  EXPECT_EQ(value_at(versions, 4), 30);
  EXPECT_EQ(value_at(versions, 5), -1);
  EXPECT_EQ(value_at(versions, 7), -1);
  EXPECT_EQ(value_at(versions, 8), 81);
}

TEST(Versions, undo_is_exact) {
  Versions<int> versions;
  versions.put(3, 30);
  versions.put(5, 50);
  versions.put(5, 51);
  versions.undo(5);
  versions.undo(5);
  EXPECT_EQ(value_at(versions, 9), 30);
  EXPECT_EQ(versions.number(), 3U);
  versions.undo(3);
  EXPECT_TRUE(versions.is_bare());
}

TEST(Versions, only_what_a_reader_can_see_is_kept) {
  Versions<int> versions;
  for (int number = 1; number <= 10; ++number) versions.put(static_cast<std::uint64_t>(number), number * 10);
  versions.prune({2, 6});
  EXPECT_EQ(value_at(versions, 2), 20);
  EXPECT_EQ(value_at(versions, 6), 60);
  EXPECT_EQ(value_at(versions, 10), 100);
  versions.prune({6});
  EXPECT_EQ(value_at(versions, 6), 60);
  EXPECT_EQ(value_at(versions, 2), -1);
  versions.prune({});
  EXPECT_NE(versions.only(), nullptr);
  versions.put(11, std::nullopt);
  EXPECT_FALSE(versions.is_bare());
  versions.prune({11});
  EXPECT_TRUE(versions.is_bare());
}

}  // namespace
}  // namespace orlop
