// The rows as a dense table: what would happen, and what is allowed, without executing anything. Agrees with machine.h;
// a test compares every state and every event.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lifecycle/event.h"
#include "lifecycle/rows.h"
#include "lifecycle/state.h"

namespace orlop {

namespace table {

// By event and state number; 0 where the event is refused.
template <std::size_t EventCount, std::size_t StateCount>
using Dense = std::array<std::array<std::uint8_t, StateCount + 1>, EventCount + 1>;

template <std::size_t EventCount, std::size_t StateCount, typename State, typename Event, std::size_t RowCount>
constexpr Dense<EventCount, StateCount> dense(const Row<State, Event> (&rows)[RowCount]) {
  Dense<EventCount, StateCount> cells{};
  for (const Row<State, Event>& row : rows) {
    for (std::size_t number = 1; number <= StateCount; ++number) {
      if (!row.from.holds(static_cast<State>(number))) continue;
      std::uint8_t& cell = cells[static_cast<std::size_t>(row.event)][number];
      // Two rows for one state and event are a contradiction: the index is out of range then, which does not compile.
      cells[cell == 0 ? 0 : EventCount + 1][0] = 0;
      cell = static_cast<std::uint8_t>(row.to);
    }
  }
  return cells;
}

inline constexpr auto service = dense<service_event_count, service_state_count>(service_lifecycle::rows);
inline constexpr auto cluster = dense<cluster_event_count, cluster_state_count>(cluster_lifecycle::rows);

template <typename State, typename Event, typename Cells>
constexpr std::optional<State> look_up(const Cells& cells, State state, Event event) {
  const auto row = static_cast<std::size_t>(event);
  const auto column = static_cast<std::size_t>(state);
  if (row >= cells.size() || column >= cells[0].size() || cells[row][column] == 0) return std::nullopt;
  return static_cast<State>(cells[row][column]);
}

}  // namespace table

// The state after `event` in `state`; nothing when it is refused.
constexpr std::optional<ServiceState> next(ServiceState state, ServiceEvent event) {
  return table::look_up(table::service, state, event);
}
constexpr std::optional<ClusterState> next(ClusterState state, ClusterEvent event) {
  return table::look_up(table::cluster, state, event);
}

// The events that `state` accepts, by number.
std::vector<ServiceEvent> allowed(ServiceState state);
std::vector<ClusterEvent> allowed(ClusterState state);

// The sentence for a person whose event was refused:
// "the service is DEPLOYING; request_restart is allowed from QUEUED, DEPLOYED or RESTARTED".
std::string refusal(ServiceState state, ServiceEvent event);
std::string refusal(ClusterState state, ClusterEvent event);

}  // namespace orlop
