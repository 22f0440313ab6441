// The cluster machine and the task machine, executed by Boost.MSM from the rows. Compiled as C++17, see msm.h.
#include "lifecycle/machine.h"
#include "lifecycle/msm.h"

namespace orlop {

// On the stack: memory of a thread is taken at its first use, and glibc aborts where there is none.
std::optional<ClusterState> advance(ClusterState state, ClusterEvent event, const ActionContext& context) {
  msm::Executor<ClusterLifecycle> executor;
  return executor.advance(state, event, context);
}

std::optional<TaskState> advance(TaskState state, TaskEvent event, const ActionContext& context) {
  msm::Executor<TaskLifecycle> executor;
  return executor.advance(state, event, context);
}

}  // namespace orlop
