#include "catalogs/nearest.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace orlop {
namespace {

constexpr std::string_view steps[] = {"build", "deploy", "cluster_create"};

TEST(Nearest, IsNamedIfItIsNear) {
  EXPECT_EQ(nearest_hint("bild", steps), "; the nearest known one is \"build\"");
  EXPECT_EQ(nearest_hint("DEPLYO", steps), "; the nearest known one is \"deploy\"");
  // Less than half of "cluster_create" matches.
  EXPECT_EQ(nearest_hint("create", steps), "; known are \"build\", \"deploy\", \"cluster_create\"");
}

TEST(Nearest, IsNotNamedIfItIsFar) {
  EXPECT_EQ(nearest_hint("install", steps), "; known are \"build\", \"deploy\", \"cluster_create\"");
  EXPECT_EQ(nearest_hint("", steps), "; known are \"build\", \"deploy\", \"cluster_create\"");
  EXPECT_EQ(nearest_hint(std::string(100'000, 'x'), steps), "; known are \"build\", \"deploy\", \"cluster_create\"");
  EXPECT_EQ(nearest_hint("build", {}), "");
}

TEST(Nearest, ListsNoMoreThanAReaderReads) {
  std::vector<std::string_view> many(41, "deploy");
  EXPECT_EQ(nearest_hint("x", many), "");
  EXPECT_EQ(nearest_hint("deplo", many), "; the nearest known one is \"deploy\"");
}

}  // namespace
}  // namespace orlop
