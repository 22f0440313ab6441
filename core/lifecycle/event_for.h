// Which event applies: from an action, an outcome and the state before to the event of the machine. Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "lifecycle/event.h"
#include "lifecycle/state.h"

namespace orlop {

// What a deployment was doing when something happened to it: a build comes before the action itself.
enum class Phase : std::uint8_t { building = 1, acting = 2 };

enum class Outcome : std::uint8_t { succeeded = 1, failed = 2 };

// The event of a request; nothing for Action::none and for an action that a service (dry_run, upgrade) or a cluster
// (uninstall) does not have. Uninstall is requested as a delete.
std::optional<ServiceEvent> service_request_event(Action action);
std::optional<ClusterEvent> cluster_request_event(Action action);

// The event of a driver that began to act: deploy_started and its like; nothing as above. A dry run begins with its
// request.
std::optional<ServiceEvent> service_started_event(Action action);
std::optional<ClusterEvent> cluster_started_event(Action action);

// The event of an action that came to its good end in a state where it runs: succeeded, or uninstalled.
ServiceEvent service_succeeded_event(Action action);

// The event of an action that failed, by report or by deadline. Never refused in a state where `action` may be under
// way; where nothing is under way it is refused as the machine refuses it. Nothing for an action that a service does
// not have.
std::optional<ServiceEvent> failed_event(ServiceState from, Action action, Phase phase = Phase::acting);

// The same for a cluster. `before` is the state before the dry run, to which a failed one returns.
std::optional<ClusterEvent> failed_event(ClusterState from, Action action, ClusterState before, Phase phase = Phase::acting);

// The event of a step that ran to its end although it was being canceled (state CANCELING). A build that succeeded so
// is `canceled`, since the action never began.
std::optional<ServiceEvent> finished_anyway_event(Action action, Outcome outcome, Phase phase = Phase::acting);

// The event that ends a dry run and gives the cluster its state back; nothing if no dry run can start in `before`.
std::optional<ClusterEvent> dry_run_finished_event(ClusterState before);

// The action that a state belongs to; none where the state serves several or no action. A cluster's deployment states
// say deploy for an upgrade too.
Action action_of(ServiceState state);
Action action_of(ClusterState state);

// The state that shows an action's request, its run and its failure. `none` shows READY, and the actions of clusters
// only show what deploy does.
ServiceState queued_state(Action action);
ServiceState running_state(Action action);
ServiceState error_state(Action action);

}  // namespace orlop
