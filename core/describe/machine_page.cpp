#include <string>
#include <string_view>

#include "describe/diagram.h"
#include "describe/markdown.h"
#include "describe/reference.h"
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

template <typename State>
std::string states_table(int state_count) {
  std::string text = table_head({"number", "state", "kind", "accepts"});
  for (int number = 1; number <= state_count; ++number) {
    const auto state = static_cast<State>(number);
    std::vector<std::string> events;
    for (const auto event : allowed(state)) events.emplace_back(to_string(event));
    text += table_row({std::to_string(number), code(to_string(state)), std::string(text_of(nature_of(state))),
                       join(events, ", ")});
  }
  return text;
}

std::string page(std::string_view noun, MachineKind kind, const std::string& states) {
  std::string text = page_head("The " + std::string(noun) + " machine");
  text += "\nWhat is not a row is refused with 409, and changes nothing. No " + std::string(noun) +
          " stays in a transient state: each has a deadline, after which the engine applies `failed`.\n\n## States\n\n" + states;
  text += "\n## Rows\n\nOn an event, from any of these states, to that state.\n\n" + markdown(kind);
  return text + "\n## Picture\n\n```mermaid\n" + mermaid(kind) + "```\n";
}

}  // namespace

std::string machine_page(MachineKind kind) {
  switch (kind) {
    case MachineKind::service:
      return page("service", kind, states_table<ServiceState>(service_state_count));
    case MachineKind::cluster:
      return page("cluster", kind, states_table<ClusterState>(cluster_state_count));
    case MachineKind::environment:
    case MachineKind::none:
      return "";
  }
  return "";
}

}  // namespace orlop
