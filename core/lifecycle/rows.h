// The two machines as rows: on EVENT, from any of STATES, to STATE. Anything not listed is refused and changes nothing.
// This is the single truth: the executed machines, the table of what is allowed, the diagrams and the reference come
// from it. Valid C++17, because the machines are compiled as that. Conditions that are not states (a lock, a provider
// that has no stop, a known next version) are checked by who applies the event.
#pragma once

#include <cstdint>
#include <initializer_list>

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

template <typename State, typename Event>
struct Row {
  Event event;
  StateSet<State> from;
  State to;
};

namespace service_lifecycle {
using Event = ServiceEvent;
using State = ServiceState;
using States = StateSet<ServiceState>;

inline constexpr States every_error = {State::build_error, State::deployment_error, State::restart_error, State::stop_error,
                                       State::delete_error};
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

    // These states serve every action, so the event says whose failure it is.
    {Event::failed_building, {State::unavailable, State::canceling}, State::build_error},
    {Event::failed_deploying, {State::queued, State::unavailable, State::canceling}, State::deployment_error},
    {Event::failed_restarting, {State::queued, State::unavailable, State::canceling}, State::restart_error},
    {Event::failed_stopping, {State::queued, State::unavailable, State::canceling}, State::stop_error},
    {Event::failed_deleting, {State::queued, State::unavailable, State::canceling}, State::delete_error},

    {Event::contact_lost,
     {State::building, State::deploying, State::executing, State::recap, State::restarting, State::stopping, State::deleting},
     State::unavailable},

    {Event::cancel_requested,
     {State::building, State::deploying, State::executing, State::recap, State::restarting, State::stopping, State::deleting,
      State::unavailable},
     State::canceling},
    {Event::cancel_requested,
     {State::queued, State::deployment_queued, State::restart_queued, State::stop_queued, State::delete_queued,
      State::waiting_running, State::waiting_restarting, State::waiting_stopping, State::waiting_deleting},
     State::canceled},
    {Event::canceled, {State::canceling}, State::canceled},

    // A step that cannot be interrupted ran to its end; if it failed there, failed_deploying and its like say so.
    {Event::finished_anyway_deployed, {State::canceling}, State::deployed},
    {Event::finished_anyway_restarted, {State::canceling}, State::restarted},
    {Event::finished_anyway_stopped, {State::canceling}, State::stopped},
    {Event::finished_anyway_deleted, {State::canceling}, State::deleted},
    {Event::finished_anyway_uninstalled, {State::canceling}, State::ready},
};
}  // namespace service_lifecycle

namespace cluster_lifecycle {
using Event = ClusterEvent;
using State = ClusterState;
using States = StateSet<ClusterState>;

inline constexpr States every_error = {State::build_error, State::deployment_error, State::restart_error, State::stop_error,
                                       State::delete_error};
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

    // These states serve every action, so the event says whose failure it is.
    {Event::failed_building, {State::canceling}, State::build_error},
    {Event::failed_deploying, {State::queued, State::canceling}, State::deployment_error},
    {Event::failed_restarting, {State::queued, State::canceling}, State::restart_error},
    {Event::failed_stopping, {State::queued, State::canceling}, State::stop_error},
    {Event::failed_deleting, {State::queued, State::canceling}, State::delete_error},

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

    // A dry run, however it ends, leaves the cluster where it was.
    {Event::dry_run_finished_ready, {State::dry_run}, State::ready},
    {Event::dry_run_finished_queued, {State::dry_run}, State::queued},
    {Event::dry_run_finished_deployed, {State::dry_run}, State::deployed},
    {Event::dry_run_finished_restarted, {State::dry_run}, State::restarted},
    {Event::dry_run_finished_stopped, {State::dry_run}, State::stopped},
    {Event::dry_run_finished_deleted, {State::dry_run}, State::deleted},
    {Event::dry_run_finished_canceled, {State::dry_run}, State::canceled},
    {Event::dry_run_finished_invalid_credentials, {State::dry_run}, State::invalid_credentials},
    {Event::dry_run_finished_build_error, {State::dry_run}, State::build_error},
    {Event::dry_run_finished_deployment_error, {State::dry_run}, State::deployment_error},
    {Event::dry_run_finished_restart_error, {State::dry_run}, State::restart_error},
    {Event::dry_run_finished_stop_error, {State::dry_run}, State::stop_error},
    {Event::dry_run_finished_delete_error, {State::dry_run}, State::delete_error},
};
}  // namespace cluster_lifecycle

using ServiceRow = Row<ServiceState, ServiceEvent>;
using ClusterRow = Row<ClusterState, ClusterEvent>;

}  // namespace orlop
