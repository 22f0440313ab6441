// Plays the walks of tests/transcripts on the executed machines, line by line.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "lifecycle/machine.h"

namespace orlop {
namespace {

template <typename State, typename ParseState, typename ParseEvent>
void play(const std::string& name, int walk_count, ParseState parse_state, ParseEvent parse_event) {
  std::ifstream file(std::string(ORLOP_TEST_DATA) + "/transcripts/" + name);
  ASSERT_TRUE(file) << name;
  std::optional<State> state;
  int walks = 0;
  int line_number = 0;
  for (std::string line; std::getline(file, line);) {
    SCOPED_TRACE(name + ":" + std::to_string(++line_number) + ": " + line);
    std::istringstream words(line);
    std::string first;
    if (!(words >> first) || first.front() == '#') continue;
    if (first == "walk") {
      ++walks;
      state = parse_state(line.substr(line.rfind(' ') + 1));
      ASSERT_TRUE(state);
      continue;
    }
    std::string second;
    words >> second;
    const auto event = parse_event(first);
    ASSERT_TRUE(event && state);
    const std::optional<State> after = advance(*state, *event);
    EXPECT_EQ(after ? word_of(*after) : "refused", second);
    if (after) state = after;
  }
  EXPECT_EQ(walks, walk_count);
}

TEST(Walks, of_a_service) { play<ServiceState>("service_walks.txt", 15, parse_service_state, parse_service_event); }

TEST(Walks, of_a_cluster) { play<ClusterState>("cluster_walks.txt", 6, parse_cluster_state, parse_cluster_event); }

}  // namespace
}  // namespace orlop
