// A transition: restore a stored state, step, read it back. Ours runs on Boost.MSM; the bare side is a dense constexpr
// table.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "lifecycle/machine.h"
#include "lifecycle/table.h"
#include "paired.h"

namespace {

using orlop::ServiceEvent;
using orlop::ServiceState;

constexpr ServiceEvent walk[] = {
    ServiceEvent::request_deploy, ServiceEvent::admitted,       ServiceEvent::build_started,
    ServiceEvent::built,          ServiceEvent::deploy_started, ServiceEvent::succeeded,
    ServiceEvent::request_stop,   ServiceEvent::stop_started,   ServiceEvent::succeeded,
};
constexpr std::size_t services = 1000;
constexpr std::size_t laps = 100;

template <typename Step>
std::uint64_t run(Step step) {
  std::vector<ServiceState> states(services, ServiceState::ready);
  std::uint64_t sum = 0;
  for (std::size_t lap = 0; lap < laps; ++lap) {
    for (const ServiceEvent event : walk) {
      for (ServiceState& state : states) {
        const auto after = step(state, event);
        if (after) state = *after;
        sum += static_cast<std::uint64_t>(state);
      }
    }
  }
  return sum;
}

}  // namespace

int main() {
  std::uint64_t ours = 0;
  std::uint64_t bare = 0;
  bench::Sides sides;
  sides.operations = services * laps * std::size(walk);
  sides.ours = [&] { ours = run([](ServiceState state, ServiceEvent event) { return orlop::advance(state, event); }); };
  sides.bare = [&] { bare = run([](ServiceState state, ServiceEvent event) { return orlop::next(state, event); }); };
  const auto figure = bench::measure("transition: restore, step, store", "0.15", sides, 9);
  if (ours != bare) {
    std::fprintf(stderr, "the machine and the table disagree\n");
    return 1;
  }
  bench::print("state machines (bare: dense constexpr table)", {figure});
  return 0;
}
