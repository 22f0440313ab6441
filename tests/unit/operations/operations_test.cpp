// The operations that are served are those of tests/tables/operations.txt, with the same status: no more, no less.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

#include "rest/route.h"

namespace orlop::tests {
namespace {

std::set<std::string> listed() {
  std::set<std::string> lines;
  std::ifstream in(std::string(ORLOP_TEST_DATA) + "/tables/operations.txt");
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.front() != '#') lines.insert(line);
  }
  return lines;
}

std::set<std::string> served() {
  std::set<std::string> lines;
  for (const Route& route : all_routes()) {
    lines.insert(std::string(to_string(route.operation.method)) + " " + route.path + " " + std::to_string(route.operation.status));
  }
  return lines;
}

TEST(Operations, AreThoseOfTheTable) {
  const auto expected = listed();
  const auto found = served();
  for (const std::string& line : expected) EXPECT_TRUE(found.contains(line)) << "not served: " << line;
  for (const std::string& line : found) EXPECT_TRUE(expected.contains(line)) << "not in the table: " << line;
}

TEST(Operations, AreEachServedOnce) { EXPECT_EQ(served().size(), all_routes().size()); }

TEST(Operations, AreEachNamedOnce) {
  std::set<std::string> names;
  for (const Route& route : all_routes()) EXPECT_TRUE(names.insert(route.name).second) << route.name;
}

TEST(Operations, AreEachDescribed) {
  for (const Route& route : all_routes()) {
    EXPECT_NE(route.operation.handle, nullptr) << route.path;
    EXPECT_TRUE(route.operation.about.empty() || route.operation.about.ends_with('.')) << route.path;
    EXPECT_EQ(route.name.find('{'), std::string::npos) << route.name;
  }
}

}  // namespace
}  // namespace orlop::tests
