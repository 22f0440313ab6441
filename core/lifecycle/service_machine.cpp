// The service machine, executed by Boost.MSM from the rows. Compiled as C++17, see msm.h.
#include "lifecycle/machine.h"
#include "lifecycle/msm.h"

namespace orlop {

std::optional<ServiceState> advance(ServiceState state, ServiceEvent event, const ActionContext& context) {
  return msm::Executor<ServiceLifecycle>::advance(state, event, context);
}

}  // namespace orlop
