// The rows as a dense table, which answers what an event would do and which are allowed, without executing a machine.
// Agrees with machine.h; a test compares every state and every event.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lifecycle/action.h"
#include "lifecycle/event.h"
#include "lifecycle/rows.h"
#include "lifecycle/state.h"

namespace orlop {

namespace table {

// By event and state number: 1 + index of the row; 0 if the event is refused.
template <typename Lifecycle>
using Dense = std::array<std::array<std::uint8_t, state_count<typename Lifecycle::State> + 1>,
                         event_count<typename Lifecycle::Event> + 1>;

template <typename Lifecycle>
constexpr Dense<Lifecycle> dense() {
  Dense<Lifecycle> cells{};
  std::uint8_t row_number = 0;
  for (const auto& row : Lifecycle::rows()) {
    ++row_number;
    for (std::size_t number = 1; number <= state_count<typename Lifecycle::State>; ++number) {
      if (!row.from.holds(static_cast<typename Lifecycle::State>(number))) continue;
      std::uint8_t& cell = cells[static_cast<std::size_t>(row.event)][number];
      // Two rows for one state and event contradict each other: then the index is out of range and does not compile.
      cells[cell == 0 ? 0 : event_count<typename Lifecycle::Event> + 1][0] = 0;
      cell = row_number;
    }
  }
  return cells;
}

template <typename Lifecycle>
inline constexpr auto cells = dense<Lifecycle>();

// Returns the target of the row for `state` and `event`; nullopt if there is none.
template <typename Lifecycle>
constexpr std::optional<Target<typename Lifecycle::State>> find(typename Lifecycle::State state,
                                                                typename Lifecycle::Event event) {
  const auto row = static_cast<std::size_t>(event);
  const auto column = static_cast<std::size_t>(state);
  const bool is_known =
      row <= event_count<typename Lifecycle::Event> && column <= state_count<typename Lifecycle::State>;
  if (!is_known || cells<Lifecycle>[row][column] == 0) return std::nullopt;
  return Lifecycle::rows()[cells<Lifecycle>[row][column] - 1].to;
}

template <typename Lifecycle>
constexpr std::optional<typename Lifecycle::State> next(typename Lifecycle::State state,
                                                        typename Lifecycle::Event event, const ActionContext& context) {
  const auto to = find<Lifecycle>(state, event);
  return to ? Lifecycle::target(*to, context) : std::nullopt;
}

template <typename Lifecycle>
constexpr bool leads(typename Lifecycle::State from, typename Lifecycle::Event event, typename Lifecycle::State to) {
  const auto target = find<Lifecycle>(from, event);
  return target && possible_targets<Lifecycle>(*target).holds(to);
}

}  // namespace table

// Returns the state after `event` in `state` during the action of `context`; nullopt if it is refused.
constexpr std::optional<ServiceState> next(ServiceState state, ServiceEvent event, const ActionContext& context = {}) {
  return table::next<ServiceLifecycle>(state, event, context);
}
constexpr std::optional<ClusterState> next(ClusterState state, ClusterEvent event, const ActionContext& context = {}) {
  return table::next<ClusterLifecycle>(state, event, context);
}
constexpr std::optional<TaskState> next(TaskState state, TaskEvent event, const ActionContext& context = {}) {
  return table::next<TaskLifecycle>(state, event, context);
}

// Reports whether `event` leads from `from` to `to` during any action.
constexpr bool leads(ServiceState from, ServiceEvent event, ServiceState to) {
  return table::leads<ServiceLifecycle>(from, event, to);
}
constexpr bool leads(ClusterState from, ClusterEvent event, ClusterState to) {
  return table::leads<ClusterLifecycle>(from, event, to);
}
constexpr bool leads(TaskState from, TaskEvent event, TaskState to) {
  return table::leads<TaskLifecycle>(from, event, to);
}

// Reports whether `state` has a row for `event`.
constexpr bool accepts(ServiceState state, ServiceEvent event) {
  return table::find<ServiceLifecycle>(state, event).has_value();
}
constexpr bool accepts(ClusterState state, ClusterEvent event) {
  return table::find<ClusterLifecycle>(state, event).has_value();
}
constexpr bool accepts(TaskState state, TaskEvent event) {
  return table::find<TaskLifecycle>(state, event).has_value();
}

// Returns the events that `state` accepts, by number.
std::vector<ServiceEvent> allowed(ServiceState state);
std::vector<ClusterEvent> allowed(ClusterState state);
std::vector<TaskEvent> allowed(TaskState state);

// Returns the message for a refused action: "container \"web\" is STOPPED; deploy and delete are allowed, stop is not".
// `label` names the subject; `allowed` are the actions that the state accepts.
std::string refusal(std::string_view label, std::string_view state, std::span<const std::string_view> allowed,
                    std::string_view action);

}  // namespace orlop
