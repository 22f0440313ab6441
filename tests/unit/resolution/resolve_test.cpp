// The cases of tests/tables/variables.txt, and cases with too many variables for a table.
#include "resolution/resolve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace orlop {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns;
  std::istringstream rest(line);
  for (std::string column; std::getline(rest, column, '|');) columns.push_back(trimmed(column));
  return columns;
}

VariableScope scope_named(const std::string& name) {
  static const std::map<std::string, VariableScope> scopes = {{"built_in", VariableScope::built_in},
                                                              {"project", VariableScope::project},
                                                              {"environment", VariableScope::environment},
                                                              {"service", VariableScope::service}};
  return scopes.at(name);
}

struct Case {
  std::string name;
  std::deque<std::string> texts;  // texts that the variables refer to
  std::vector<Variable> visible;
  std::map<std::string, Id> ids;  // by KEY@scope
  std::vector<std::string> expected;
  std::string error;

  std::string_view keep(std::string text) { return texts.emplace_back(std::move(text)); }

  Id id_of(const std::string& named) {
    const auto [place, is_new] = ids.try_emplace(named);
    if (is_new) place->second.bytes[15] = static_cast<std::uint8_t>(ids.size());
    return place->second;
  }

  void add(const std::vector<std::string>& columns) {
    Variable variable;
    variable.scope = scope_named(columns.at(0));
    variable.type = parse_variable_type(columns.at(1)).value();
    variable.key = keep(columns.at(2));
    variable.id = id_of(columns.at(2) + "@" + columns.at(0));
    std::string value = columns.size() > 3 ? columns.at(3) : "";
    if (variable.type == VariableType::alias || variable.type == VariableType::override_) {
      const std::size_t space = std::min(value.find(' '), value.size());
      variable.target = id_of(value.substr(0, space));
      value = trimmed(value.substr(space));
    }
    variable.value = keep(std::move(value));
    std::istringstream flags(columns.size() > 4 ? columns.at(4) : "");
    for (std::string flag; flags >> flag;) {
      if (flag == "secret") variable.is_secret = true;
      if (flag == "raw") variable.is_interpolated = false;
      if (flag.starts_with("at=")) variable.mount_path = keep(flag.substr(3));
    }
    visible.push_back(variable);
  }
};

std::string shown(const std::string& key, const std::string& value, const std::string& flags) {
  return key + "|" + value + "|" + flags;
}

void check(const Case& given) {
  SCOPED_TRACE(given.name);
  const auto resolved = resolve_variables(given.visible, "P_");
  if (!given.error.empty()) {
    ASSERT_FALSE(resolved);
    EXPECT_EQ(resolved.error().message, given.error);
    EXPECT_FALSE(find_cycle(given.visible, given.visible.back().key).empty());
    return;
  }
  ASSERT_TRUE(resolved) << resolved.error().message;
  std::vector<std::string> found;
  for (const ResolvedVariable& variable : resolved->variables) {
    std::string flags = variable.mount_path.empty() ? "" : "at=" + std::string(variable.mount_path);
    if (variable.is_secret) flags += flags.empty() ? "secret" : " secret";
    found.push_back(shown(std::string(variable.key), variable.value, flags));
    EXPECT_EQ(find_cycle(given.visible, variable.key), "");
  }
  for (const auto& [mark, list] :
       {std::pair{"unknown", &resolved->unknown}, {"missing", &resolved->unknown_built_ins}}) {
    for (const UnknownReference& reference : *list) {
      found.push_back(shown(mark, std::string(reference.variable) + " " + std::string(reference.key),
                            reference.is_in_secret ? "secret" : ""));
    }
  }
  EXPECT_EQ(found, given.expected);
}

TEST(Variables, are_what_the_table_says) {
  std::ifstream file(std::string(ORLOP_TEST_DATA) + "/tables/variables.txt");
  ASSERT_TRUE(file);
  Case at;
  int cases = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::string word = line.substr(0, line.find(' '));
    const std::string rest = line.size() > word.size() ? line.substr(word.size() + 1) : "";
    if (word == "case") {
      at = Case();
      at.name = rest;
    } else if (word == "in") {
      at.add(columns_of(rest));
    } else if (word == "out") {
      std::vector<std::string> columns = columns_of(rest);
      columns.resize(3);
      // Flags have a fixed order in the output.
      std::string flags = columns[2] == "secret at=/c" ? "at=/c secret" : columns[2];
      at.expected.push_back(shown(columns[0], columns[1], flags));
    } else if (word == "unknown" || word == "missing") {
      std::vector<std::string> columns = columns_of(rest);
      columns.resize(2);
      at.expected.push_back(shown(word, columns[0], columns[1]));
    } else if (word == "error") {
      at.error = rest;
    } else {
      ASSERT_EQ(word, "end") << line;
      check(at);
      ++cases;
    }
  }
  EXPECT_EQ(cases, 36);
}

// Variables named V0, V1 …, with values computed from their numbers.
struct Made {
  std::deque<std::string> texts;
  std::vector<Variable> visible;

  template <typename Make>
  Made(int count, Make make) {
    for (int at = 0; at < count; ++at) {
      Variable variable;
      variable.id.bytes[14] = static_cast<std::uint8_t>(at >> 8);
      variable.id.bytes[15] = static_cast<std::uint8_t>(at);
      variable.scope = static_cast<VariableScope>(at % 4);
      variable.key = texts.emplace_back("V" + std::to_string(at));
      variable.value = texts.emplace_back(make(at));
      visible.push_back(variable);
    }
  }
};

TEST(Variables, that_grow_without_bound_are_refused) {
  const Made doubling(60, [](int at) {
    const std::string next = "{{V" + std::to_string(at + 1) + "}}";
    return at == 59 ? std::string(1000, 'x') : next + next;
  });
  const auto resolved = resolve_variables(doubling.visible, "P_");
  ASSERT_FALSE(resolved);
  EXPECT_NE(resolved.error().message.find("more than 8388608 bytes"), std::string::npos) << resolved.error().message;
}

TEST(Variables, in_a_cycle_of_any_length_are_found_without_their_values) {
  const Made chain(10'000, [](int at) { return "{{V" + std::to_string((at + 1) % 10'000) + "}}"; });
  const std::string cycle = find_cycle(chain.visible, "V0");
  EXPECT_TRUE(cycle.starts_with("V0 -> V1 -> V2 ->") && cycle.ends_with("-> V9999 -> V0")) << cycle.substr(0, 80);
  const Made doubling(60, [](int at) {
    const std::string next = "{{V" + std::to_string((at + 1) % 60) + "}}";
    return next + next;
  });
  EXPECT_TRUE(find_cycle(doubling.visible, "V30").ends_with("-> V29 -> V30"));
  EXPECT_NE(find_cycle(doubling.visible), "");
  const Made open(60, [](int at) {
    return "{{V" + std::to_string(at + 1) + "}}{{V" + std::to_string(at + 2) + "}}{{V" + std::to_string(at + 3) + "}}";
  });
  EXPECT_EQ(find_cycle(open.visible), "");
}

TEST(Variables, that_lead_through_ten_thousand_references_are_refused) {
  const Made chain(10'000, [](int at) { return "{{V" + std::to_string(at + 1) + "}}"; });
  const auto resolved = resolve_variables(chain.visible, "P_");
  ASSERT_FALSE(resolved);
  EXPECT_NE(resolved.error().message.find("more than 100 references"), std::string::npos) << resolved.error().message;
}

TEST(Variables, of_one_key_in_ten_thousand_are_found) {
  const Made many(10'000, [](int at) { return "value {{V" + std::to_string(at / 2) + "_}} " + std::to_string(at); });
  const auto resolved = resolve_variables(many.visible, "P_");
  ASSERT_TRUE(resolved) << resolved.error().message;
  EXPECT_EQ(resolved->variables.size(), 10'000U);
  EXPECT_EQ(resolved->unknown.size(), unknown_references_max);
}

TEST(Variables, of_four_scopes_with_references_are_resolved) {
  const Made made(300, [](int at) {
    return at % 3 == 0 ? "https://{{V" + std::to_string(at + 1) + "}}/path" : std::string(24, 'v');
  });
  const auto resolved = resolve_variables(made.visible, "P_");
  ASSERT_TRUE(resolved);
  ASSERT_EQ(resolved->variables.size(), 300U);
  EXPECT_EQ(resolved->variables.front().value, "https://" + std::string(24, 'v') + "/path");
}

}  // namespace
}  // namespace orlop
