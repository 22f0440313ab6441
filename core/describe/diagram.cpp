#include "describe/diagram.h"

#include <string_view>

#include "lifecycle/rows.h"
#include "lifecycle/state.h"
#include "lifecycle/table.h"

namespace orlop {
namespace {

// Returns the events that lead from one state to another, such as "request_deploy, request_upgrade"; empty if none
// does.
template <typename State, typename Event>
std::string events_between(State from, State to) {
  std::string events;
  for (int number = 1; number <= event_count<Event>; ++number) {
    const auto event = static_cast<Event>(number);
    if (!leads(from, event, to)) continue;
    if (!events.empty()) events += ", ";
    events += to_string(event);
  }
  return events;
}

template <typename State, typename Event, typename DrawArrow>
void for_each_arrow(DrawArrow draw_arrow) {
  for (int from_number = 1; from_number <= state_count<State>; ++from_number) {
    for (int to_number = 1; to_number <= state_count<State>; ++to_number) {
      const auto from = static_cast<State>(from_number);
      const auto to = static_cast<State>(to_number);
      const std::string events = events_between<State, Event>(from, to);
      if (!events.empty()) draw_arrow(to_string(from), to_string(to), events);
    }
  }
}

template <typename State, typename Event>
std::string draw_mermaid() {
  std::string text = "stateDiagram-v2\n  [*] --> ";
  text.append(to_string(static_cast<State>(1))).append("\n");
  for_each_arrow<State, Event>([&](std::string_view from, std::string_view to, const std::string& events) {
    text.append("  ").append(from).append(" --> ").append(to);
    text.append(": ").append(events).append("\n");
  });
  return text;
}

template <typename State, typename Event>
std::string draw_dot(std::string_view name) {
  std::string text = "digraph ";
  text.append(name).append(" {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n");
  for (int number = 1; number <= state_count<State>; ++number) {
    const auto state = static_cast<State>(number);
    text.append("  ").append(to_string(state));
    if (is_error(state)) text += " [color=red]";
    if (is_transient(state)) text += " [style=\"rounded,dashed\"]";
    text += ";\n";
  }
  for_each_arrow<State, Event>([&](std::string_view from, std::string_view to, const std::string& events) {
    text.append("  ").append(from).append(" -> ").append(to);
    text.append(" [label=\"").append(events).append("\"];\n");
  });
  return text + "}\n";
}

std::string_view note_of(TargetKind kind) {
  switch (kind) {
    case TargetKind::named: return "";
    case TargetKind::failure: return " (the error state of the action, BUILD_ERROR during its build)";
    case TargetKind::success: return " (the state in which the action ends, CANCELED during its build)";
    case TargetKind::before: return " (the state before the action)";
  }
  return "";
}

template <typename Lifecycle>
void append_states(std::string& text, StateSet<typename Lifecycle::State> states) {
  for (std::size_t number = 1; number <= state_count<typename Lifecycle::State>; ++number) {
    const auto state = static_cast<typename Lifecycle::State>(number);
    if (states.holds(state)) text.append(" ").append(to_string(state));
  }
}

template <typename Lifecycle>
std::string draw_markdown() {
  std::string text = "| event | from | to |\n|---|---|---|\n";
  for (const auto& row : Lifecycle::rows()) {
    text.append("| ").append(to_string(row.event)).append(" |");
    append_states<Lifecycle>(text, row.from);
    text += " |";
    append_states<Lifecycle>(text, possible_targets<Lifecycle>(row.to));
    text.append(note_of(row.to.kind)).append(" |\n");
  }
  return text;
}

}  // namespace

std::string mermaid(MachineKind kind) {
  switch (kind) {
    case MachineKind::service: return draw_mermaid<ServiceState, ServiceEvent>();
    case MachineKind::cluster: return draw_mermaid<ClusterState, ClusterEvent>();
    case MachineKind::task: return draw_mermaid<TaskState, TaskEvent>();
    case MachineKind::environment:
    case MachineKind::schedule:
    case MachineKind::none: return "";
  }
  return "";
}

std::string dot(MachineKind kind) {
  switch (kind) {
    case MachineKind::service: return draw_dot<ServiceState, ServiceEvent>("service");
    case MachineKind::cluster: return draw_dot<ClusterState, ClusterEvent>("cluster");
    case MachineKind::task: return draw_dot<TaskState, TaskEvent>("task");
    case MachineKind::environment:
    case MachineKind::schedule:
    case MachineKind::none: return "";
  }
  return "";
}

std::string markdown(MachineKind kind) {
  switch (kind) {
    case MachineKind::service: return draw_markdown<ServiceLifecycle>();
    case MachineKind::cluster: return draw_markdown<ClusterLifecycle>();
    case MachineKind::task: return draw_markdown<TaskLifecycle>();
    case MachineKind::environment:
    case MachineKind::schedule:
    case MachineKind::none: return "";
  }
  return "";
}

}  // namespace orlop
