// Actions, one row each: their events on services and clusters, and the states that show them. Valid C++17, because the
// machines are compiled as C++17.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "lifecycle/event.h"
#include "lifecycle/state.h"

namespace orlop {

struct ActionRow {
  std::string_view spelling;  // in requests; UNKNOWN for Action::none
  std::string_view words;     // as in messages
  // Event of the request, and event of a driver that has begun to act. Nullopt: services (clusters) do not have the
  // action, or it begins with its request.
  std::optional<ServiceEvent> service_request;
  std::optional<ServiceEvent> service_started;
  std::optional<ClusterEvent> cluster_request;
  std::optional<ClusterEvent> cluster_started;
  bool builds = false;  // a build may precede it
  // States of a service, which its environment also shows. READY where there is no such state; actions of clusters have
  // those of DEPLOY.
  ServiceState queued = ServiceState::ready;
  ServiceState running = ServiceState::ready;
  ServiceState succeeded = ServiceState::ready;
  ServiceState failed = ServiceState::ready;
  std::optional<ClusterState> cluster_failed;
};

// By number of the action.
inline constexpr ActionRow action_rows[] = {
    {"UNKNOWN",
     "this action",
     {},
     {},
     {},
     {},
     false,
     ServiceState::ready,
     ServiceState::ready,
     ServiceState::ready,
     ServiceState::ready,
     {}},
    {"DEPLOY", "deploy", ServiceEvent::request_deploy, ServiceEvent::deploy_started, ClusterEvent::request_deploy,
     ClusterEvent::deploy_started, true, ServiceState::deployment_queued, ServiceState::deploying,
     ServiceState::deployed, ServiceState::deployment_error, ClusterState::deployment_error},
    {"RESTART", "restart", ServiceEvent::request_restart, ServiceEvent::restart_started, ClusterEvent::request_restart,
     ClusterEvent::restart_started, false, ServiceState::restart_queued, ServiceState::restarting,
     ServiceState::restarted, ServiceState::restart_error, ClusterState::restart_error},
    {"STOP", "stop", ServiceEvent::request_stop, ServiceEvent::stop_started, ClusterEvent::request_stop,
     ClusterEvent::stop_started, false, ServiceState::stop_queued, ServiceState::stopping, ServiceState::stopped,
     ServiceState::stop_error, ClusterState::stop_error},
    {"DELETE", "delete", ServiceEvent::request_delete, ServiceEvent::delete_started, ClusterEvent::request_delete,
     ClusterEvent::delete_started, false, ServiceState::delete_queued, ServiceState::deleting, ServiceState::deleted,
     ServiceState::delete_error, ClusterState::delete_error},
    // Requested and shown as a delete.
    {"DELETE",
     "uninstall",
     ServiceEvent::request_delete,
     ServiceEvent::delete_started,
     {},
     {},
     false,
     ServiceState::delete_queued,
     ServiceState::deleting,
     ServiceState::ready,
     ServiceState::delete_error,
     {}},
    {"DRY_RUN",
     "dry run",
     {},
     {},
     ClusterEvent::request_dry_run,
     {},
     false,
     ServiceState::deployment_queued,
     ServiceState::deploying,
     ServiceState::deployed,
     ServiceState::deployment_error,
     {}},
    {"UPGRADE",
     "upgrade",
     {},
     {},
     ClusterEvent::request_upgrade,
     ClusterEvent::deploy_started,
     true,
     ServiceState::deployment_queued,
     ServiceState::deploying,
     ServiceState::deployed,
     ServiceState::deployment_error,
     ClusterState::deployment_error},
};
inline constexpr std::size_t action_count = sizeof(action_rows) / sizeof(action_rows[0]);

// Returns the row of an action; that of Action::none for an unknown number.
constexpr const ActionRow& row_of(Action action) {
  const auto number = static_cast<std::size_t>(action);
  return action_rows[number < action_count ? number : 0];
}

// Phase of a deployment when an event occurred: a build precedes the action itself.
enum class Phase : std::uint8_t { building = 1, acting = 2 };

// The running action, on which the target of a transition may depend besides the state before.
struct ActionContext {
  Action action = Action::none;
  Phase phase = Phase::acting;
  std::uint8_t before = 0;  // number of the state in which the action was requested
};

}  // namespace orlop
