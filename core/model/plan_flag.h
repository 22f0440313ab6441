// What planning needs to know of a service or cluster, without reading its record.
#pragma once

#include <cstdint>

namespace orlop {

// Bits of Machine::traits.
enum class PlanFlag : std::uint32_t {
  skipped = 1U << 0,          // left out of its environment's deploy, stop and restart
  builds = 1U << 1,           // has a build before its deploy
  on_start = 1U << 2,         // job events
  on_stop = 1U << 3,
  on_delete = 1U << 4,
  cron = 1U << 5,
  uninterruptible = 1U << 6,  // a cancel lets its running step end: terraform, managed databases, jobs
  restartable = 1U << 7,      // application, container, database
  stoppable = 1U << 8,        // all but terraform; clusters: not GCP, AZURE or PARTIALLY_MANAGED
  has_git = 1U << 9,
  upgradable = 1U << 10,      // clusters: not PARTIALLY_MANAGED
  executes = 1U << 11,        // its deploy is an execution: jobs
};

constexpr std::uint32_t operator|(PlanFlag left, PlanFlag right) {
  return static_cast<std::uint32_t>(left) | static_cast<std::uint32_t>(right);
}
constexpr std::uint32_t operator|(std::uint32_t left, PlanFlag right) { return left | static_cast<std::uint32_t>(right); }
constexpr bool has(std::uint32_t flags, PlanFlag flag) { return (flags & static_cast<std::uint32_t>(flag)) != 0; }

// Machine::traits has two halves: the lower says what the resource is; the upper what it was when its request began. Plans are made from
// the upper one, so that what is edited in the midst of a request changes nothing of it, whenever the plan is made anew.
inline constexpr int planned_traits_shift = 16;
inline constexpr std::uint32_t live_traits_mask = (1U << planned_traits_shift) - 1;
constexpr std::uint32_t planned_traits(std::uint32_t traits) { return traits >> planned_traits_shift; }
constexpr std::uint32_t with_planned_traits(std::uint32_t traits) {
  return (traits & live_traits_mask) | traits << planned_traits_shift;
}
constexpr std::uint32_t with_live_traits(std::uint32_t traits, std::uint32_t live) { return (traits & ~live_traits_mask) | live; }

}  // namespace orlop
