// Flags that planning reads of a service or cluster instead of its record.
#pragma once

#include <cstdint>

namespace orlop {

// Bits of Machine::plan_flags. Machine::planned_flags has their state at the begin of the current request; plans are
// made from it, so that an edit during a request does not change its plan.
enum class PlanFlag : std::uint32_t {
  skipped = 1U << 0,   // left out of its environment's deploy, stop and restart
  builds = 1U << 1,    // has a build step before its deploy
  on_start = 1U << 2,  // job events
  on_stop = 1U << 3,
  on_delete = 1U << 4,
  cron = 1U << 5,
  uninterruptible = 1U << 6,  // a cancel lets its running step finish: terraform, managed databases, jobs
  restartable = 1U << 7,      // application, container, database
  stoppable = 1U << 8,        // all but terraform; clusters: not GCP, AZURE or PARTIALLY_MANAGED
  has_git = 1U << 9,
  upgradable = 1U << 10,  // clusters: not PARTIALLY_MANAGED
  executes = 1U << 11,    // its deploy is an execution: jobs
};

constexpr std::uint32_t operator|(PlanFlag left, PlanFlag right) {
  return static_cast<std::uint32_t>(left) | static_cast<std::uint32_t>(right);
}
constexpr std::uint32_t operator|(std::uint32_t left, PlanFlag right) {
  return left | static_cast<std::uint32_t>(right);
}
constexpr bool has(std::uint32_t flags, PlanFlag flag) { return (flags & static_cast<std::uint32_t>(flag)) != 0; }

}  // namespace orlop
