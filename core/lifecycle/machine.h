// The state machines, executed. Thread-safe: each call has its own machine, which keeps nothing between two
// calls.
#pragma once

#include <optional>

#include "lifecycle/action.h"
#include "lifecycle/event.h"
#include "lifecycle/state.h"

namespace orlop {

// The state after `event` in `state` during the action of `context`; nothing when the machine refuses it, and for a
// number that is no state or event.
std::optional<ServiceState> advance(ServiceState state, ServiceEvent event, const ActionContext& context = {});
std::optional<ClusterState> advance(ClusterState state, ClusterEvent event, const ActionContext& context = {});
std::optional<TaskState> advance(TaskState state, TaskEvent event, const ActionContext& context = {});

}  // namespace orlop
