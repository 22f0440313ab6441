// The cluster machine and the task machine, executed by Boost.MSM from the rows. Compiled as C++17, see msm.h.
#include "lifecycle/machine.h"
#include "lifecycle/msm.h"

namespace orlop {

std::optional<ClusterState> advance(ClusterState state, ClusterEvent event, const ActionContext& context) {
  return msm::Executor<ClusterLifecycle>::advance(state, event, context);
}

std::optional<TaskState> advance(TaskState state, TaskEvent event, const ActionContext& context) {
  return msm::Executor<TaskLifecycle>::advance(state, event, context);
}

}  // namespace orlop
