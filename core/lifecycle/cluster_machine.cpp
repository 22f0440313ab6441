// The cluster machine, executed by Boost.MSM from the rows. Compiled as C++17, see msm.h.
#include "lifecycle/machine.h"
#include "lifecycle/msm.h"

namespace orlop {
namespace {

struct Lifecycle {
  using State = ClusterState;
  using Event = ClusterEvent;
  static constexpr State initial = State::ready;
  static constexpr std::size_t state_count = cluster_state_count;
  static constexpr std::size_t event_count = cluster_event_count;
  static constexpr const auto& rows() { return cluster_lifecycle::rows; }
};

}  // namespace

std::optional<ClusterState> advance(ClusterState state, ClusterEvent event) {
  thread_local msm::Executor<Lifecycle> executor;
  return executor.advance(state, event);
}

}  // namespace orlop
