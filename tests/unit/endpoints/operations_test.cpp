// The served operations are those of the interface (tests/tables/operations.txt), with a status that it names.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "rest/route.h"

namespace orlop::tests {
namespace {

// One operation of the table.
struct Fact {
  std::string statuses;  // "200,202"
  bool is_later = false;
};
using Facts = std::map<std::string, Fact>;  // by "GET /container/{containerId}"

Facts read_facts(std::istream& in) {
  Facts facts;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string method, path, statuses, mark;
    words >> method;
    if (method == "beyond") words >> method;
    words >> path >> statuses >> mark;
    facts[method + " " + path] = {"," + statuses + ",", mark == "later"};
  }
  return facts;
}

Facts facts_of_the_interface() {
  std::ifstream in(std::string(ORLOP_TEST_DATA) + "/tables/operations.txt");
  return read_facts(in);
}

std::string key_of(const Route& route) { return std::string(to_string(route.operation.method)) + " " + route.path; }

// Returns a sentence for each difference between the served operations and the table.
std::vector<std::string> differences(const Facts& facts, std::span<const Route> routes) {
  std::vector<std::string> found;
  std::set<std::string> served;
  for (const Route& route : routes) {
    const std::string key = key_of(route);
    served.insert(key);
    const auto fact = facts.find(key);
    if (fact == facts.end()) {
      found.push_back("tests/tables/operations.txt lacks this row of an operation beyond the interface: beyond " + key +
                      " " + std::to_string(route.operation.status));
    } else if (fact->second.is_later) {
      found.push_back("tests/tables/operations.txt marks as later what is served: " + key);
    } else if (fact->second.statuses.find("," + std::to_string(route.operation.status) + ",") == std::string::npos) {
      found.push_back(key + " answers " + std::to_string(route.operation.status) + ", not " + fact->second.statuses);
    }
  }
  for (const auto& [key, fact] : facts) {
    if (!fact.is_later && !served.contains(key))
      found.push_back("tests/tables/operations.txt has a row that is not served: " + key);
  }
  return found;
}

TEST(Operations, AreThoseOfTheInterface) {
  for (const std::string& difference : differences(facts_of_the_interface(), all_routes())) ADD_FAILURE() << difference;
}

TEST(Operations, ADifferenceIsFound) {
  Facts facts = facts_of_the_interface();
  const std::size_t before = differences(facts, all_routes()).size();
  facts["GET /project/{projectId}"].statuses = ",201,";
  facts["PUT /project/{projectId}"].is_later = true;
  facts.erase("DELETE /project/{projectId}");
  facts["GET /moon"] = {",200,"};
  EXPECT_EQ(differences(facts, all_routes()).size(), before + 4U);
}

TEST(Operations, AreEachServedOnce) {
  std::set<std::string> keys;
  for (const Route& route : all_routes()) EXPECT_TRUE(keys.insert(key_of(route)).second) << key_of(route);
}

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
