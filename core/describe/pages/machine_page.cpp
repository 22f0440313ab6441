#include <string>
#include <string_view>

#include "describe/diagram.h"
#include "describe/pages/markdown.h"
#include "describe/pages/reference.h"
#include "describe/words.h"
#include "lifecycle/state.h"
#include "lifecycle/table.h"

namespace orlop {
namespace {

std::string_view text_of(StateNature nature) {
  switch (nature) {
    case StateNature::resting: return "resting";
    case StateNature::transient: return "transient";
    case StateNature::error: return "error";
    case StateNature::terminal: return "terminal";
  }
  return "";
}

// The formatter takes the directive behind a label for a part of the macro.
// clang-format off
std::string_view meaning_of(ServiceState state) {
  switch (state) {
#define ORLOP_SERVICE_STATE(name, number, spelling, action, nature, phase, status, chart, meaning) \
  case ServiceState::name: return meaning;
#include "lifecycle/states.def"
  }
  return "";
}

std::string_view meaning_of(ClusterState state) {
  switch (state) {
#define ORLOP_CLUSTER_STATE(name, number, spelling, action, nature, chart, meaning) \
  case ClusterState::name: return meaning;
#include "lifecycle/states.def"
  }
  return "";
}

std::string_view meaning_of(TaskState state) {
  switch (state) {
#define ORLOP_TASK_STATE(name, number, spelling, nature, meaning) \
  case TaskState::name: return meaning;
#include "lifecycle/states.def"
  }
  return "";
}
// clang-format on

std::string service_events() {
  std::string text = table_head({"event", "meaning"});
#define ORLOP_SERVICE_EVENT(name, number, meaning) text += table_row({code(#name), meaning});
#include "lifecycle/events.def"
  return text;
}

std::string cluster_events() {
  std::string text = table_head({"event", "meaning"});
#define ORLOP_CLUSTER_EVENT(name, number, meaning) text += table_row({code(#name), meaning});
#include "lifecycle/events.def"
  return text;
}

std::string task_events() {
  std::string text = table_head({"event", "meaning"});
#define ORLOP_TASK_EVENT(name, number, meaning) text += table_row({code(#name), meaning});
#include "lifecycle/events.def"
  return text;
}

template <typename State>
std::string states_table() {
  std::string text = table_head({"number", "state", "kind", "meaning", "accepted events"});
  for (int number = 1; number <= state_count<State>; ++number) {
    const auto state = static_cast<State>(number);
    std::vector<std::string> events;
    for (const auto event : allowed(state)) events.emplace_back(to_string(event));
    text += table_row({std::to_string(number), code(to_string(state)), std::string(text_of(nature_of(state))),
                       std::string(meaning_of(state)), join(events, ", ")});
  }
  return text;
}

std::string page(std::string_view noun, MachineKind kind, const std::string& states, const std::string& events) {
  std::string text = page_head(first_upper(noun) + " states");
  text +=
      "\nThe table of transitions is complete: an event that it does not list for the current state is refused with "
      "409 and "
      "changes nothing. Transient states have a deadline, after which the engine applies `failed`.\n\n## States\n\n" +
      states;
  text += "\n## Events\n\n" + events;
  text +=
      "\n## Transitions\n\nAn event changes any of the states in the second column to the target.\n\n" + markdown(kind);
  return text + "\n## Diagram\n\n```mermaid\n" + mermaid(kind) + "```\n";
}

}  // namespace

std::string machine_page(MachineKind kind) {
  switch (kind) {
    case MachineKind::service: return page("service", kind, states_table<ServiceState>(), service_events());
    case MachineKind::cluster: return page("cluster", kind, states_table<ClusterState>(), cluster_events());
    case MachineKind::task: return page("task", kind, states_table<TaskState>(), task_events());
    case MachineKind::environment:
    case MachineKind::schedule:
    case MachineKind::none: return "";
  }
  return "";
}

}  // namespace orlop
