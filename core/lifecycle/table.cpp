#include "lifecycle/table.h"

#include <string_view>

namespace orlop {
namespace {

template <typename State, typename Event>
std::vector<Event> allowed_in(State state) {
  std::vector<Event> events;
  for (int number = 1; number <= event_count<Event>; ++number) {
    const auto event = static_cast<Event>(number);
    if (accepts(state, event)) events.push_back(event);
  }
  return events;
}

// Returns "deploy", "deploy and delete", "deploy, stop and delete".
std::string joined(std::span<const std::string_view> names) {
  std::string text;
  for (std::size_t index = 0; index < names.size(); ++index) {
    if (index > 0) text += index + 1 == names.size() ? " and " : ", ";
    text += names[index];
  }
  return text;
}

}  // namespace

std::vector<ServiceEvent> allowed(ServiceState state) { return allowed_in<ServiceState, ServiceEvent>(state); }

std::vector<ClusterEvent> allowed(ClusterState state) { return allowed_in<ClusterState, ClusterEvent>(state); }

std::vector<TaskEvent> allowed(TaskState state) { return allowed_in<TaskState, TaskEvent>(state); }

std::string refusal(std::string_view label, std::string_view state, std::span<const std::string_view> allowed,
                    std::string_view action) {
  std::string text(label);
  text.append(" is ").append(state).append("; ");
  if (allowed.empty()) return text.append("nothing is allowed until that has ended");
  text.append(joined(allowed)).append(allowed.size() == 1 ? " is allowed, " : " are allowed, ");
  return text.append(action).append(" is not");
}

}  // namespace orlop
