#include "lifecycle/table.h"

#include <string_view>

namespace orlop {
namespace {

template <typename State, typename Event>
std::vector<Event> allowed_in(State state, int event_count) {
  std::vector<Event> events;
  for (int number = 1; number <= event_count; ++number) {
    const auto event = static_cast<Event>(number);
    if (accepts(state, event)) events.push_back(event);
  }
  return events;
}

// "READY", "READY or QUEUED", "READY, QUEUED or DEPLOYED".
template <typename State, typename Event>
std::string states_that_accept(Event event, int state_count) {
  std::vector<std::string_view> words;
  for (int number = 1; number <= state_count; ++number) {
    const auto state = static_cast<State>(number);
    if (accepts(state, event)) words.push_back(word_of(state));
  }
  std::string text;
  for (std::size_t index = 0; index < words.size(); ++index) {
    if (index > 0) text += index + 1 == words.size() ? " or " : ", ";
    text += words[index];
  }
  return text;
}

template <typename State, typename Event>
std::string sentence(std::string_view subject, State state, Event event, int state_count) {
  std::string text = "the ";
  text.append(subject).append(" is ").append(word_of(state)).append("; ").append(word_of(event));
  return text.append(" is allowed from ").append(states_that_accept<State>(event, state_count));
}

}  // namespace

std::vector<ServiceEvent> allowed(ServiceState state) {
  return allowed_in<ServiceState, ServiceEvent>(state, service_event_count);
}

std::vector<ClusterEvent> allowed(ClusterState state) {
  return allowed_in<ClusterState, ClusterEvent>(state, cluster_event_count);
}

std::string refusal(ServiceState state, ServiceEvent event) { return sentence("service", state, event, service_state_count); }

std::string refusal(ClusterState state, ClusterEvent event) { return sentence("cluster", state, event, cluster_state_count); }

}  // namespace orlop
