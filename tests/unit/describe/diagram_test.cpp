// Parses the diagrams: their arrows are exactly the table's transitions.
#include "describe/diagram.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "lifecycle/table.h"

namespace orlop {
namespace {

// Returns "FROM event TO" for every transition of the table.
template <typename State, typename Event>
std::set<std::string> transitions() {
  std::set<std::string> found;
  for (int number = 1; number <= state_count<State>; ++number) {
    const auto state = static_cast<State>(number);
    for (int event_number = 1; event_number <= event_count<Event>; ++event_number) {
      const auto event = static_cast<Event>(event_number);
      for (int target = 1; target <= state_count<State>; ++target) {
        const auto to = static_cast<State>(target);
        if (!leads(state, event, to)) continue;
        found.insert(std::string(to_string(state)) + " " + std::string(to_string(event)) + " " +
                     std::string(to_string(to)));
      }
    }
  }
  return found;
}

void add_arrow(std::set<std::string>& found, const std::string& from, const std::string& to,
               const std::string& events) {
  std::istringstream tokens(events);
  for (std::string event; tokens >> event;) {
    if (event.back() == ',') event.pop_back();
    EXPECT_TRUE(found.insert(from + " " + event + " " + to).second) << from << " " << event;
  }
}

// Returns the arrows of lines "  FROM ARROW TO<before>events<after>"; other lines are ignored.
std::set<std::string> arrows(const std::string& text, const std::string& arrow, const std::string& before,
                             const std::string& after) {
  std::set<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t middle = line.find(arrow);
    const std::size_t label = line.find(before);
    if (middle == std::string::npos || label == std::string::npos) continue;
    EXPECT_EQ(line.substr(line.size() - after.size()), after);
    const std::size_t to = middle + arrow.size();
    const std::size_t events = label + before.size();
    add_arrow(found, line.substr(2, middle - 2), line.substr(to, label - to),
              line.substr(events, line.size() - after.size() - events));
  }
  return found;
}

std::set<std::string> rows_of(const std::string& text) {
  std::set<std::string> found;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "| event | from | to |");
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream tokens(line);
    std::string bar, event;
    std::vector<std::string> from;
    tokens >> bar >> event >> bar;
    for (std::string state; tokens >> state && state != "|";) from.push_back(state);
    for (std::string to; tokens >> to && to != "|" && to.front() != '(';) {
      for (const std::string& state : from) found.insert(state + " " + event + " " + to);
    }
  }
  return found;
}

TEST(Diagram, draws_every_transition_of_a_service_and_no_other) {
  const auto expected = transitions<ServiceState, ServiceEvent>();
  EXPECT_EQ(arrows(mermaid(MachineKind::service), " --> ", ": ", ""), expected);
  EXPECT_EQ(arrows(dot(MachineKind::service), " -> ", " [label=\"", "\"];"), expected);
  EXPECT_EQ(rows_of(markdown(MachineKind::service)), expected);
}

TEST(Diagram, draws_every_transition_of_a_cluster_and_no_other) {
  const auto expected = transitions<ClusterState, ClusterEvent>();
  EXPECT_EQ(arrows(mermaid(MachineKind::cluster), " --> ", ": ", ""), expected);
  EXPECT_EQ(arrows(dot(MachineKind::cluster), " -> ", " [label=\"", "\"];"), expected);
  EXPECT_EQ(rows_of(markdown(MachineKind::cluster)), expected);
}

TEST(Diagram, draws_every_transition_of_a_task_and_no_other) {
  const auto expected = transitions<TaskState, TaskEvent>();
  EXPECT_EQ(arrows(mermaid(MachineKind::task), " --> ", ": ", ""), expected);
  EXPECT_EQ(arrows(dot(MachineKind::task), " -> ", " [label=\"", "\"];"), expected);
  EXPECT_EQ(rows_of(markdown(MachineKind::task)), expected);
}

TEST(Diagram, begins_as_its_format_wants) {
  EXPECT_EQ(mermaid(MachineKind::cluster).rfind("stateDiagram-v2\n  [*] --> READY\n", 0), 0U);
  EXPECT_EQ(mermaid(MachineKind::task).rfind("stateDiagram-v2\n  [*] --> QUEUED\n", 0), 0U);
  EXPECT_EQ(dot(MachineKind::service).rfind("digraph service {\n", 0), 0U);
  EXPECT_NE(dot(MachineKind::service).find("  BUILD_ERROR [color=red];\n"), std::string::npos);
  EXPECT_NE(dot(MachineKind::cluster).find("  DRY_RUN [style=\"rounded,dashed\"];\n"), std::string::npos);
}

}  // namespace
}  // namespace orlop
