// States, actions, freshness and running states as enums with fixed numbers. to_string returns the spelling of the
// interface; stores and bindings keep the numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace orlop {

enum class ServiceState : std::uint8_t {
#define ORLOP_SERVICE_STATE(name, number, ...) name = number,
#include "lifecycle/states.def"
};

enum class ClusterState : std::uint8_t {
#define ORLOP_CLUSTER_STATE(name, number, ...) name = number,
#include "lifecycle/states.def"
};

// State of a task: work that is done once for a resource, such as a backup.
enum class TaskState : std::uint8_t {
#define ORLOP_TASK_STATE(name, number, ...) name = number,
#include "lifecycle/states.def"
};

// Number of states of a kind. State numbers start at 1.
template <typename State>
inline constexpr int state_count = 0;
template <>
inline constexpr int state_count<ServiceState> = 0
#define ORLOP_SERVICE_STATE(...) +1
#include "lifecycle/states.def"
    ;
template <>
inline constexpr int state_count<ClusterState> = 0
#define ORLOP_CLUSTER_STATE(...) +1
#include "lifecycle/states.def"
    ;
template <>
inline constexpr int state_count<TaskState> = 0
#define ORLOP_TASK_STATE(...) +1
#include "lifecycle/states.def"
    ;

// Action that a request makes on an environment, a service or a cluster. Numbers are stored.
enum class Action : std::uint8_t {
  none = 0,
  deploy = 1,
  restart = 2,
  stop = 3,
  remove = 4,     // delete
  uninstall = 5,  // a delete that keeps the configuration
  dry_run = 6,    // clusters only
  upgrade = 7,    // clusters only
};

// Relation of the deployed configuration to the current one.
enum class Freshness : std::uint8_t { never_deployed = 1, out_of_date = 2, up_to_date = 3 };

// State of a service's workload, as the driver last reported it; none before the first report.
enum class RunningState : std::uint8_t {
  none = 0,
  starting = 1,
  running = 2,
  warning = 3,
  error = 4,
  stopping = 5,
  stopped = 6,
  completed = 7,
  unknown = 8,
};

std::string_view to_string(ServiceState state);
std::string_view to_string(ClusterState state);
std::string_view to_string(TaskState state);
std::string_view to_string(Freshness freshness);
std::string_view to_string(RunningState state);
// Returns the name of the request's action: DEPLOY, RESTART, STOP, DELETE (uninstall too), and for clusters DRY_RUN,
// UPGRADE; UNKNOWN for none.
std::string_view to_string(Action action);
std::optional<ServiceState> parse_service_state(std::string_view spelling);
std::optional<ClusterState> parse_cluster_state(std::string_view spelling);

// Nature of a state.
enum class StateNature : std::uint8_t {
  resting = 1,
  transient = 2,  // a service or cluster only passes through it; it always has a deadline
  error = 3,      // the last action ended with an error; a cluster's INVALID_CREDENTIALS counts
  terminal = 4,   // the record is removed
};

// Phase to which the time in a state counts, in the timings of a service's status.
enum class TimingPhase : std::uint8_t {
  none = 0,
  queueing = 1,  // counts to the build if one is next, else to the deployment
  building = 2,
  acting = 3,
  executing = 4,
  interrupted = 5,  // continues the phase before
};

// Status of the last action.
enum class ActionStatus : std::uint8_t {
  never = 1,
  queued = 2,
  ongoing = 3,
  executing = 4,
  success = 5,
  canceling = 6,
  canceled = 7,
  error = 8,
};

// An unknown number is resting, without action and phase, and has the status NEVER.
Action action_of(ServiceState state);
Action action_of(ClusterState state);
bool is_transient(ServiceState state);
bool is_transient(ClusterState state);
bool is_transient(TaskState state);
bool is_error(ServiceState state);
bool is_error(ClusterState state);
bool is_error(TaskState state);
StateNature nature_of(ServiceState state);
StateNature nature_of(ClusterState state);
StateNature nature_of(TaskState state);
TimingPhase timing_phase(ServiceState state);
ActionStatus action_status(ServiceState state);
std::string_view to_string(ActionStatus status);

}  // namespace orlop
