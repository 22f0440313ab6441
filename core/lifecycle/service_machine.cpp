// The service machine, executed by Boost.MSM from the rows. Compiled as C++17, see msm.h.
#include "lifecycle/machine.h"
#include "lifecycle/msm.h"

namespace orlop {
namespace {

struct Lifecycle {
  using State = ServiceState;
  using Event = ServiceEvent;
  static constexpr State initial = State::ready;
  static constexpr std::size_t state_count = service_state_count;
  static constexpr std::size_t event_count = service_event_count;
  static constexpr const auto& rows() { return service_lifecycle::rows; }
};

}  // namespace

std::optional<ServiceState> advance(ServiceState state, ServiceEvent event) {
  thread_local msm::Executor<Lifecycle> executor;
  return executor.advance(state, event);
}

}  // namespace orlop
