// The cluster machine, executed by Boost.MSM from the rows. Compiled as C++17, see msm.h.
#include "lifecycle/machine.h"
#include "lifecycle/msm.h"

namespace orlop {

std::optional<ClusterState> advance(ClusterState state, ClusterEvent event, const ActionContext& context) {
  thread_local msm::Executor<ClusterLifecycle> executor;
  return executor.advance(state, event, context);
}

}  // namespace orlop
