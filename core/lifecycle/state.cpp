#include "lifecycle/state.h"

#include <cstddef>
#include <iterator>

#include "lifecycle/action.h"

namespace orlop {
namespace {

struct StateRow {
  std::string_view spelling = "";
  Action action = Action::none;
  StateNature nature = StateNature::resting;
  TimingPhase phase = TimingPhase::none;
  ActionStatus status = ActionStatus::never;
};

// By number; 0 is not a state.
constexpr StateRow service_rows[] = {
    {},
#define ORLOP_SERVICE_STATE(name, number, spelling, action, nature, phase, status, ...) \
  {spelling, Action::action, StateNature::nature, TimingPhase::phase, ActionStatus::status},
#include "lifecycle/states.def"
};
constexpr StateRow cluster_rows[] = {
    {},
#define ORLOP_CLUSTER_STATE(name, number, spelling, action, nature, ...) \
  {spelling, Action::action, StateNature::nature},
#include "lifecycle/states.def"
};
constexpr StateRow task_rows[] = {
    {},
#define ORLOP_TASK_STATE(name, number, spelling, nature, ...) {spelling, Action::none, StateNature::nature},
#include "lifecycle/states.def"
};

// Rows are ordered by number.
#define ORLOP_SERVICE_STATE(name, number, text, ...) static_assert(service_rows[number].spelling == text);
#define ORLOP_CLUSTER_STATE(name, number, text, ...) static_assert(cluster_rows[number].spelling == text);
#define ORLOP_TASK_STATE(name, number, text, ...) static_assert(task_rows[number].spelling == text);
#include "lifecycle/states.def"

constexpr std::string_view freshness_spellings[] = {"", "NEVER_DEPLOYED", "OUT_OF_DATE", "UP_TO_DATE"};
constexpr std::string_view running_state_spellings[] = {"",         "STARTING", "RUNNING",   "WARNING", "ERROR",
                                                        "STOPPING", "STOPPED",  "COMPLETED", "UNKNOWN"};
constexpr std::string_view action_status_spellings[] = {"",        "NEVER",     "QUEUED",   "ONGOING", "EXECUTING",
                                                        "SUCCESS", "CANCELING", "CANCELED", "ERROR"};

template <typename Rows, typename Enum>
constexpr const auto& row_at(const Rows& rows, Enum value) {
  const auto number = static_cast<std::size_t>(value);
  return rows[number < std::size(rows) ? number : 0];
}

const StateRow& row(ServiceState state) { return row_at(service_rows, state); }
const StateRow& row(ClusterState state) { return row_at(cluster_rows, state); }
const StateRow& row(TaskState state) { return row_at(task_rows, state); }

template <typename State, typename Rows>
std::optional<State> parse(const Rows& rows, std::string_view spelling) {
  for (std::size_t number = 1; number < std::size(rows); ++number) {
    if (rows[number].spelling == spelling) return static_cast<State>(number);
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(ServiceState state) { return row(state).spelling; }
std::string_view to_string(ClusterState state) { return row(state).spelling; }
std::string_view to_string(TaskState state) { return row(state).spelling; }
std::string_view to_string(Freshness freshness) { return row_at(freshness_spellings, freshness); }
std::string_view to_string(RunningState state) { return row_at(running_state_spellings, state); }
std::string_view to_string(Action action) { return row_of(action).spelling; }
std::string_view to_string(ActionStatus status) { return row_at(action_status_spellings, status); }

std::optional<ServiceState> parse_service_state(std::string_view text) {
  return parse<ServiceState>(service_rows, text);
}
std::optional<ClusterState> parse_cluster_state(std::string_view text) {
  return parse<ClusterState>(cluster_rows, text);
}

Action action_of(ServiceState state) { return row(state).action; }
Action action_of(ClusterState state) { return row(state).action; }
StateNature nature_of(ServiceState state) { return row(state).nature; }
StateNature nature_of(ClusterState state) { return row(state).nature; }
StateNature nature_of(TaskState state) { return row(state).nature; }
bool is_transient(ServiceState state) { return nature_of(state) == StateNature::transient; }
bool is_transient(ClusterState state) { return nature_of(state) == StateNature::transient; }
bool is_transient(TaskState state) { return nature_of(state) == StateNature::transient; }
bool is_error(ServiceState state) { return nature_of(state) == StateNature::error; }
bool is_error(ClusterState state) { return nature_of(state) == StateNature::error; }
bool is_error(TaskState state) { return nature_of(state) == StateNature::error; }
TimingPhase timing_phase(ServiceState state) { return row(state).phase; }
ActionStatus action_status(ServiceState state) { return row(state).status; }

}  // namespace orlop
