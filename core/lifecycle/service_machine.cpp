// The service machine, executed by Boost.MSM from the rows. Compiled as C++17, see msm.h.
#include "lifecycle/machine.h"
#include "lifecycle/msm.h"

namespace orlop {

std::optional<ServiceState> advance(ServiceState state, ServiceEvent event, const ActionContext& context) {
  msm::Executor<ServiceLifecycle> executor;  // on the stack: memory of a thread is taken at its first use, and glibc aborts where there is none
  return executor.advance(state, event, context);
}

}  // namespace orlop
