// Plays the walks of tests/transcripts on the executed machines, line by line.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <string>

#include "lifecycle/machine.h"

namespace orlop {
namespace {

std::optional<Action> parse_action(const std::string& token) {
  for (std::size_t number = 1; number < action_count; ++number) {
    const auto action = static_cast<Action>(number);
    std::string lower(to_string(action));
    std::ranges::transform(lower, lower.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    if (lower == token && action != Action::uninstall) return action;
  }
  return token == "uninstall" ? std::optional(Action::uninstall) : std::nullopt;
}

template <typename Event>
std::optional<Event> parse_event(std::string_view spelling) {
  for (int number = 1; number <= event_count<Event>; ++number) {
    if (to_string(static_cast<Event>(number)) == spelling) return static_cast<Event>(number);
  }
  return std::nullopt;
}

// Parses the context in "EVENT(ACTION,building)" or "EVENT(ACTION,STATE)", and shortens `event` to the event's name.
template <typename ParseState>
std::optional<ActionContext> split_context(std::string& event, ParseState parse_state) {
  ActionContext context;
  const std::size_t open = event.find('(');
  if (open == std::string::npos) return context;
  std::string inside = event.substr(open + 1, event.size() - open - 2);
  event.resize(open);
  const std::size_t comma = inside.find(',');
  const auto action = parse_action(inside.substr(0, comma));
  if (!action) return std::nullopt;
  context.action = *action;
  if (comma == std::string::npos) return context;
  const std::string more = inside.substr(comma + 1);
  const auto before = parse_state(more);
  if (more == "building") context.phase = Phase::building;
  if (before) context.before = static_cast<std::uint8_t>(*before);
  return before || more == "building" ? std::optional(context) : std::nullopt;
}

template <typename State, typename Event, typename ParseState>
void play(const std::string& name, int walk_count, ParseState parse_state) {
  std::ifstream file(std::string(ORLOP_TEST_DATA) + "/transcripts/" + name);
  ASSERT_TRUE(file) << name;
  std::optional<State> state;
  int walks = 0;
  int line_number = 0;
  for (std::string line; std::getline(file, line);) {
    SCOPED_TRACE(name + ":" + std::to_string(++line_number) + ": " + line);
    std::istringstream tokens(line);
    std::string first;
    if (!(tokens >> first) || first.front() == '#') continue;
    if (first == "walk") {
      ++walks;
      state = parse_state(line.substr(line.rfind(' ') + 1));
      ASSERT_TRUE(state);
      continue;
    }
    std::string second;
    tokens >> second;
    const auto context = split_context(first, parse_state);
    const auto event = parse_event<Event>(first);
    ASSERT_TRUE(event && state && context);
    const std::optional<State> after = advance(*state, *event, *context);
    EXPECT_EQ(after ? to_string(*after) : "refused", second);
    if (after) state = after;
  }
  EXPECT_EQ(walks, walk_count);
}

TEST(Walks, of_a_service) { play<ServiceState, ServiceEvent>("service_walks.txt", 18, parse_service_state); }

TEST(Walks, of_a_cluster) { play<ClusterState, ClusterEvent>("cluster_walks.txt", 7, parse_cluster_state); }

}  // namespace
}  // namespace orlop
