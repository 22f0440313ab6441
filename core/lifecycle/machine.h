// The state machines, executed. Thread-safe: each call has a separate machine without memory of earlier calls.
#pragma once

#include <optional>

#include "lifecycle/action.h"
#include "lifecycle/event.h"
#include "lifecycle/state.h"

namespace orlop {

// Returns the state after `event` in `state` during the action of `context`; nullopt if the machine refuses the event,
// or if a number is not a state or event.
std::optional<ServiceState> advance(ServiceState state, ServiceEvent event, const ActionContext& context = {});
std::optional<ClusterState> advance(ClusterState state, ClusterEvent event, const ActionContext& context = {});
std::optional<TaskState> advance(TaskState state, TaskEvent event, const ActionContext& context = {});

}  // namespace orlop
