// Planning and running in memory: the pure parts of a deployment, compared with what a program would write without
// them.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <queue>
#include <string>
#include <vector>

#include "deploy/plan/plan.h"
#include "deploy/run/runner.h"
#include "model/plan_flag.h"
#include "opened_platform.h"
#include "paired.h"

namespace {

using orlop::Decision;
using orlop::Machine;
using orlop::PlanFlag;

constexpr std::uint32_t stages = 20;

std::vector<Machine> services(std::uint32_t count) {
  std::vector<Machine> machines(count);
  for (std::uint32_t at = 0; at < count; ++at) {
    machines[at].id.bytes[15] = static_cast<std::uint8_t>(at);
    machines[at].stage_order = static_cast<std::int32_t>((at * 7) % stages);
    machines[at].plan_flags = PlanFlag::stoppable | PlanFlag::restartable;
    if (at % 3 == 0) machines[at].plan_flags |= static_cast<std::uint32_t>(PlanFlag::builds);
    machines[at].planned_flags = machines[at].plan_flags;
  }
  return machines;
}

// Kahn's algorithm over the same order: every service waits for the stage before its own, a stage for its services.
std::uint32_t sort_bare(const std::vector<Machine>& machines) {
  const auto count = static_cast<std::uint32_t>(machines.size());
  std::vector<std::vector<std::uint32_t>> next(count + stages);
  std::vector<std::uint32_t> open(count + stages, 0);
  for (std::uint32_t at = 0; at < count; ++at) {
    const auto stage = static_cast<std::uint32_t>(machines[at].stage_order);
    next[at].push_back(count + stage);
    ++open[count + stage];
    if (stage == 0) continue;
    next[count + stage - 1].push_back(at);
    ++open[at];
  }
  std::vector<std::uint32_t> order;
  order.reserve(count + stages);
  for (std::uint32_t at = 0; at < count + stages; ++at) {
    if (open[at] == 0) order.push_back(at);
  }
  for (std::size_t at = 0; at < order.size(); ++at) {
    for (const std::uint32_t other : next[order[at]]) {
      if (--open[other] == 0) order.push_back(other);
    }
  }
  return order.empty() ? 0 : order.back();
}

// End of a running part; the heap returns the earliest first.
struct Ending {
  std::int64_t at;
  std::uint32_t part;
  bool operator>(const Ending& other) const { return at != other.at ? at > other.at : part > other.part; }
};
using Heap = std::priority_queue<Ending, std::vector<Ending>, std::greater<>>;

std::int64_t duration_of(std::uint32_t part) { return 1000 + (part * 7919) % 30'000; }

std::uint64_t run_ours(const std::vector<Machine>& machines) {
  orlop::Runner runner(make_plan(machines, orlop::Action::deploy, orlop::ForcedEvent::none), {64, 64});
  Heap heap;
  std::vector<Decision> decisions;
  std::uint64_t ended = 0;
  std::int64_t now = 0;
  runner.begin(decisions);
  while (true) {
    for (const Decision& decision : decisions) {
      if (decision.kind != Decision::Kind::end) heap.push({now + duration_of(decision.part), decision.part});
    }
    decisions.clear();
    if (heap.empty()) return ended;
    now = heap.top().at;
    const std::uint32_t part = heap.top().part;
    heap.pop();
    if (!runner.succeeded(part, decisions)) std::abort();
    ++ended;
  }
}

// The same ends through the same heap, without any rules.
std::uint64_t run_bare(const std::vector<Machine>& machines) {
  Heap heap;
  std::uint64_t ended = 0;
  std::int64_t now = 0;
  std::uint32_t next = 0;
  std::vector<std::uint32_t> starts;
  for (std::uint32_t at = 0; at < machines.size(); ++at) {
    if (has(machines[at].plan_flags, PlanFlag::builds)) starts.push_back(at);
  }
  for (std::uint32_t at = 0; at < machines.size(); ++at) starts.push_back(at);
  for (; next < std::min<std::size_t>(64, starts.size()); ++next)
    heap.push({now + duration_of(starts[next]), starts[next]});
  while (!heap.empty()) {
    now = heap.top().at;
    heap.pop();
    ++ended;
    if (next < starts.size()) {
      heap.push({now + duration_of(starts[next]), starts[next]});
      ++next;
    }
  }
  return ended;
}

}  // namespace

int main() {
  std::vector<bench::Figure> figures;
  const std::vector<Machine> many = services(10'000);
  std::uint64_t sum = 0;
  figures.push_back(
      bench::measure("plan of 10,000 services (bare: topological sort)", "0.20 (5 times)",
                     {[&] { sum += make_plan(many, orlop::Action::deploy, orlop::ForcedEvent::none).parts.size(); },
                      [&] { sum += sort_bare(many); },
                      {},
                      1},
                     15));
  for (const std::uint32_t count : {1000U, 100'000U}) {
    const std::vector<Machine> machines = services(count);
    const std::uint64_t endings = run_bare(machines);
    if (run_ours(machines) != endings) bench::fail("the runner ended another number of steps than the bare heap");
    const std::size_t laps = 200'000 / count;
    const auto repeat = [laps](auto run) {
      for (std::size_t lap = 0; lap < laps; ++lap) run();
    };
    figures.push_back(bench::measure("lifecycle in virtual time, " + std::to_string(count) + " services (bare: heap)",
                                     "0.5",
                                     {[&] { repeat([&] { sum += run_ours(machines); }); },
                                      [&] { repeat([&] { sum += run_bare(machines); }); },
                                      {},
                                      count * laps},
                                     9));
  }
  bench::print("plan and runner, pure", figures);
  return sum == 0 ? 1 : 0;
}
