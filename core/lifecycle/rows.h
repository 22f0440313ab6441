// The machines as rows: on EVENT, from any of STATES, to TARGET. All other events are refused and change nothing. The
// executed machines, the table of allowed events, the diagrams and the reference are derived from these rows. Valid
// C++17, because the machines are compiled as C++17. The caller that applies the event checks conditions that are not
// states (a lock, a provider without stop, a known next version).
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>

#include "lifecycle/action.h"
#include "lifecycle/event.h"
#include "lifecycle/state.h"

namespace orlop {

// A set of states; state numbers run from 1 to at most 31.
template <typename State>
class StateSet {
 public:
  constexpr StateSet(std::initializer_list<State> states) {
    for (const State state : states) bits_ |= bit(state);
  }
  constexpr bool holds(State state) const { return (bits_ & bit(state)) != 0; }
  constexpr StateSet operator|(StateSet other) const { return StateSet(bits_ | other.bits_); }

 private:
  constexpr explicit StateSet(std::uint32_t bits) : bits_(bits) {}
  static constexpr std::uint32_t bit(State state) { return std::uint32_t{1} << static_cast<unsigned>(state); }
  std::uint32_t bits_ = 0;
};

// Target of a row: a named state, or one that depends on the running action.
enum class TargetKind : std::uint8_t {
  named = 0,
  failure = 1,  // error state of the action; BUILD_ERROR during a build
  // State after success of the action; CANCELED during a build, because the action itself never began.
  success = 2,
  before = 3,  // state in which the action was requested
};

template <typename State>
struct Target {
  constexpr Target(State named_state) : state(named_state) {}  // NOLINT: a row names a state as it is
  constexpr Target(TargetKind target_kind) : kind(target_kind) {}
  TargetKind kind = TargetKind::named;
  State state{};
};

template <typename State, typename Event>
struct Row {
  Event event;
  StateSet<State> from;
  Target<State> to;
};

namespace service_lifecycle {
using Event = ServiceEvent;
using State = ServiceState;
using States = StateSet<ServiceState>;

inline constexpr States every_error = {State::build_error, State::deployment_error, State::restart_error,
                                       State::stop_error, State::delete_error};
inline constexpr States at_rest =
    States{State::ready, State::stopped, State::deployed, State::restarted, State::canceled} | every_error;

inline constexpr Row<State, Event> rows[] = {
    {Event::hold, at_rest, State::queued},

    {Event::request_deploy, at_rest | States{State::deleted, State::queued}, State::deployment_queued},
    {Event::request_restart, States{State::queued, State::deployed, State::restarted, State::canceled} | every_error,
     State::restart_queued},
    {Event::request_stop,
     {State::queued, State::deployed, State::restarted, State::canceled, State::build_error, State::deployment_error,
      State::restart_error, State::stop_error},
     State::stop_queued},
    {Event::request_delete, at_rest | States{State::queued}, State::delete_queued},

    {Event::admitted, {State::deployment_queued}, State::waiting_running},
    {Event::admitted, {State::restart_queued}, State::waiting_restarting},
    {Event::admitted, {State::stop_queued}, State::waiting_stopping},
    {Event::admitted, {State::delete_queued}, State::waiting_deleting},

    {Event::build_started, {State::deployment_queued, State::waiting_running}, State::building},
    {Event::built, {State::building}, State::waiting_running},
    {Event::deploy_started,
     {State::deployment_queued, State::waiting_running, State::building, State::unavailable},
     State::deploying},
    {Event::execution_started, {State::deploying}, State::executing},
    {Event::recap_started, {State::deploying, State::executing}, State::recap},
    {Event::restart_started, {State::restart_queued, State::waiting_restarting, State::unavailable}, State::restarting},
    {Event::stop_started, {State::stop_queued, State::waiting_stopping, State::unavailable}, State::stopping},
    {Event::delete_started, {State::delete_queued, State::waiting_deleting, State::unavailable}, State::deleting},

    {Event::succeeded, {State::deploying, State::executing, State::recap}, State::deployed},
    {Event::succeeded, {State::restarting}, State::restarted},
    {Event::succeeded, {State::stopping}, State::stopped},
    {Event::succeeded, {State::deleting}, State::deleted},
    {Event::uninstalled, {State::deleting}, State::ready},

    {Event::failed, {State::building}, State::build_error},
    {Event::failed,
     {State::deployment_queued, State::waiting_running, State::deploying, State::executing, State::recap},
     State::deployment_error},
    {Event::failed, {State::restart_queued, State::waiting_restarting, State::restarting}, State::restart_error},
    {Event::failed, {State::stop_queued, State::waiting_stopping, State::stopping}, State::stop_error},
    {Event::failed, {State::delete_queued, State::waiting_deleting, State::deleting}, State::delete_error},

    // These states occur in every action.
    {Event::failed, {State::queued, State::unavailable, State::canceling}, TargetKind::failure},

    {Event::contact_lost,
     {State::building, State::deploying, State::executing, State::recap, State::restarting, State::stopping,
      State::deleting},
     State::unavailable},

    {Event::cancel_requested,
     {State::building, State::deploying, State::executing, State::recap, State::restarting, State::stopping,
      State::deleting, State::unavailable},
     State::canceling},
    {Event::cancel_requested,
     {State::queued, State::deployment_queued, State::restart_queued, State::stop_queued, State::delete_queued,
      State::waiting_running, State::waiting_restarting, State::waiting_stopping, State::waiting_deleting},
     State::canceled},
    {Event::canceled, {State::canceling}, State::canceled},

    // A step that cannot be interrupted has finished successfully; after a failure the event is `failed`.
    {Event::finished_anyway, {State::canceling}, TargetKind::success},
};

// Possible states of targets that are not named.
inline constexpr States failures = every_error;
inline constexpr States successes = {State::deployed, State::restarted, State::stopped,
                                     State::deleted,  State::ready,     State::canceled};
inline constexpr States restorable = {};

constexpr std::optional<State> target(Target<State> to, const ActionContext& context) {
  if (to.kind == TargetKind::named) return to.state;
  const ActionRow& row = row_of(context.action);
  if (!row.service_request) return std::nullopt;
  const bool is_building = row.builds && context.phase == Phase::building;
  if (to.kind == TargetKind::failure) return is_building ? State::build_error : row.failed;
  return is_building ? State::canceled : row.succeeded;
}
}  // namespace service_lifecycle

namespace cluster_lifecycle {
using Event = ClusterEvent;
using State = ClusterState;
using States = StateSet<ClusterState>;

inline constexpr States every_error = {State::build_error, State::deployment_error, State::restart_error,
                                       State::stop_error, State::delete_error};
inline constexpr States at_rest =
    States{State::ready, State::stopped, State::deployed, State::restarted, State::canceled} | every_error;
inline constexpr States deployable = at_rest | States{State::deleted, State::queued, State::invalid_credentials};

inline constexpr Row<State, Event> rows[] = {
    {Event::hold, at_rest, State::queued},

    {Event::request_deploy, deployable, State::deployment_queued},
    {Event::request_dry_run, deployable, State::dry_run},
    {Event::request_upgrade, {State::deployed}, State::deployment_queued},
    {Event::request_restart,
     {State::queued, State::deployed, State::restarted, State::canceled, State::build_error, State::deployment_error,
      State::restart_error, State::stop_error},
     State::restart_queued},
    {Event::request_stop,
     {State::queued, State::deployed, State::restarted, State::canceled, State::build_error, State::deployment_error,
      State::restart_error, State::stop_error},
     State::stop_queued},
    {Event::request_delete, at_rest | States{State::queued, State::invalid_credentials}, State::delete_queued},

    {Event::build_started, {State::deployment_queued}, State::building},
    {Event::built, {State::building}, State::deploying},
    {Event::deploy_started, {State::deployment_queued}, State::deploying},
    {Event::restart_started, {State::restart_queued}, State::restarting},
    {Event::stop_started, {State::stop_queued}, State::stopping},
    {Event::delete_started, {State::delete_queued}, State::deleting},

    {Event::succeeded, {State::deploying}, State::deployed},
    {Event::succeeded, {State::restarting}, State::restarted},
    {Event::succeeded, {State::stopping}, State::stopped},
    {Event::succeeded, {State::deleting}, State::deleted},

    {Event::failed, {State::building}, State::build_error},
    {Event::failed, {State::deployment_queued, State::deploying}, State::deployment_error},
    {Event::failed, {State::restart_queued, State::restarting}, State::restart_error},
    {Event::failed, {State::stop_queued, State::stopping}, State::stop_error},
    {Event::failed, {State::delete_queued, State::deleting}, State::delete_error},

    // These states occur in every action.
    {Event::failed, {State::queued, State::canceling}, TargetKind::failure},

    {Event::credentials_refused,
     {State::deployment_queued, State::restart_queued, State::stop_queued, State::delete_queued, State::building,
      State::deploying, State::restarting, State::stopping, State::deleting, State::dry_run},
     State::invalid_credentials},

    {Event::cancel_requested,
     {State::queued, State::deployment_queued, State::restart_queued, State::stop_queued, State::delete_queued},
     State::canceled},
    {Event::cancel_requested,
     {State::building, State::deploying, State::restarting, State::stopping, State::deleting},
     State::canceling},
    {Event::canceled, {State::canceling}, State::canceled},

    // A dry run, successful or not, restores the state of the cluster.
    {Event::dry_run_finished, {State::dry_run}, TargetKind::before},
    {Event::failed, {State::dry_run}, TargetKind::before},
};

inline constexpr States failures = every_error;
inline constexpr States successes = {};
inline constexpr States restorable = deployable;

constexpr std::optional<State> target(Target<State> to, const ActionContext& context) {
  if (to.kind == TargetKind::named) return to.state;
  if (to.kind == TargetKind::failure) {
    const ActionRow& row = row_of(context.action);
    return row.builds && context.phase == Phase::building ? State::build_error : row.cluster_failed;
  }
  const auto before = static_cast<State>(context.before);
  const bool is_before = to.kind == TargetKind::before && context.before <= state_count<ClusterState>;
  if (!is_before || !restorable.holds(before)) return std::nullopt;
  return before;
}
}  // namespace cluster_lifecycle

// Work that is done once, in one step of a driver. Ended tasks do not start again.
namespace task_lifecycle {
using Event = TaskEvent;
using State = TaskState;
using States = StateSet<TaskState>;

inline constexpr States under_way = {State::queued, State::running};

inline constexpr Row<State, Event> rows[] = {
    {Event::started, {State::queued}, State::running},
    {Event::succeeded, under_way, State::succeeded},
    {Event::failed, under_way, State::failed},
    {Event::canceled, under_way, State::canceled},
};

inline constexpr States failures = {State::failed};
inline constexpr States successes = {};
inline constexpr States restorable = {};

constexpr std::optional<State> target(Target<State> to, const ActionContext&) {
  return to.kind == TargetKind::named ? std::optional(to.state) : std::nullopt;
}
}  // namespace task_lifecycle

using ServiceRow = Row<ServiceState, ServiceEvent>;
using ClusterRow = Row<ClusterState, ClusterEvent>;

// The lifecycles, from which the machines, the table and the diagrams are made.
struct ServiceLifecycle {
  using State = ServiceState;
  using Event = ServiceEvent;
  static constexpr State initial = State::ready;
  static constexpr auto failures = service_lifecycle::failures;
  static constexpr auto successes = service_lifecycle::successes;
  static constexpr auto restorable = service_lifecycle::restorable;
  static constexpr const auto& rows() { return service_lifecycle::rows; }
  static constexpr std::optional<State> target(Target<State> to, const ActionContext& context) {
    return service_lifecycle::target(to, context);
  }
};

struct ClusterLifecycle {
  using State = ClusterState;
  using Event = ClusterEvent;
  static constexpr State initial = State::ready;
  static constexpr auto failures = cluster_lifecycle::failures;
  static constexpr auto successes = cluster_lifecycle::successes;
  static constexpr auto restorable = cluster_lifecycle::restorable;
  static constexpr const auto& rows() { return cluster_lifecycle::rows; }
  static constexpr std::optional<State> target(Target<State> to, const ActionContext& context) {
    return cluster_lifecycle::target(to, context);
  }
};

struct TaskLifecycle {
  using State = TaskState;
  using Event = TaskEvent;
  static constexpr State initial = State::queued;
  static constexpr auto failures = task_lifecycle::failures;
  static constexpr auto successes = task_lifecycle::successes;
  static constexpr auto restorable = task_lifecycle::restorable;
  static constexpr const auto& rows() { return task_lifecycle::rows; }
  static constexpr std::optional<State> target(Target<State> to, const ActionContext& context) {
    return task_lifecycle::target(to, context);
  }
};

// Returns the states that a target may be, over all actions.
template <typename Lifecycle>
constexpr StateSet<typename Lifecycle::State> possible_targets(Target<typename Lifecycle::State> to) {
  switch (to.kind) {
    case TargetKind::named: return {to.state};
    case TargetKind::failure: return Lifecycle::failures;
    case TargetKind::success: return Lifecycle::successes;
    case TargetKind::before: return Lifecycle::restorable;
  }
  return {};
}

}  // namespace orlop
