// Each key that a rule uses has a value, and each value is used by a rule.
#include "unit/context_values.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace orlop::tests {
namespace {

std::set<std::string> keys_in(const std::string& source) {
  static const std::regex definition(R"re(ContextKey \w+\{"(\w+)"\};)re");
  std::set<std::string> keys;
  for (std::sregex_iterator at(source.begin(), source.end(), definition), end; at != end; ++at) keys.insert((*at)[1]);
  return keys;
}

std::set<std::string> asked_for() {
  std::set<std::string> keys;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(std::string(ORLOP_TEST_DATA) + "/../core/families")) {
    if (!file.is_regular_file()) continue;
    std::ifstream in(file.path());
    keys.merge(keys_in(std::string(std::istreambuf_iterator<char>(in), {})));
  }
  return keys;
}

TEST(ContextValues, AreThoseThatRulesAskFor) {
  const auto names = context_value_names();
  EXPECT_EQ(asked_for(), std::set<std::string>(names.begin(), names.end()));
}

TEST(ContextValues, AKeyIsFoundInASource) {
  EXPECT_EQ(keys_in("constexpr ContextKey webhook_allow{\"webhook_allow\"};"), std::set<std::string>{"webhook_allow"});
}

}  // namespace
}  // namespace orlop::tests
