#include "deploy/plan/plan.h"

#include <algorithm>
#include <limits>

#include "model/plan_flag.h"

namespace orlop {
namespace {

bool is_removal(Action action) { return action == Action::remove || action == Action::uninstall; }
bool goes_backwards(Action action) { return action == Action::stop || is_removal(action); }

// Jobs run when they are deployed; those that have only other events or a schedule are made ready for these.
StepKind step_of_deploy(std::uint32_t plan_flags, ForcedEvent forced) {
  if (forced != ForcedEvent::none) return StepKind::execute;
  if (has(plan_flags, PlanFlag::cron)) return StepKind::deploy;
  if (has(plan_flags, PlanFlag::on_start)) return StepKind::execute;
  const bool waits = has(plan_flags, PlanFlag::on_stop) || has(plan_flags, PlanFlag::on_delete);
  return has(plan_flags, PlanFlag::executes) && !waits ? StepKind::execute : StepKind::deploy;
}

Part part_of(const Machine& service, std::uint32_t place, Action action, ForcedEvent forced) {
  const std::uint32_t plan_flags = service.planned_flags;
  Part part;
  part.service = place;
  switch (action) {
    case Action::none:
    case Action::dry_run:
    case Action::upgrade: break;
    case Action::deploy:
      part.step = step_of_deploy(plan_flags, forced);
      part.builds = has(plan_flags, PlanFlag::builds);
      break;
    case Action::restart: part.step = StepKind::restart; break;
    case Action::stop: part.step = has(plan_flags, PlanFlag::on_stop) ? StepKind::execute : StepKind::stop; break;
    case Action::remove:
    case Action::uninstall:
      part.step = has(plan_flags, PlanFlag::on_delete) ? StepKind::execute : StepKind::remove;
      if (part.step == StepKind::execute) part.follow = StepKind::remove;
      break;
  }
  return part;
}

// Rank of the stage in this plan: smaller ranks start earlier.
std::int64_t rank_of(const Machine& service, Action action) {
  if (is_removal(action) && has(service.planned_flags, PlanFlag::on_delete))
    return std::numeric_limits<std::int64_t>::min();
  return goes_backwards(action) ? -static_cast<std::int64_t>(service.stage_order) : service.stage_order;
}

// Returns the ranks that occur, ascending. They are few, so a row's rank is found in a short list.
std::vector<std::int64_t> ranks_of(std::span<const Machine> services, Action action) {
  std::vector<std::int64_t> ranks;
  for (const Machine& service : services) {
    const std::int64_t rank = rank_of(service, action);
    const auto place = std::ranges::lower_bound(ranks, rank);
    if (place == ranks.end() || *place != rank) ranks.insert(place, rank);
  }
  return ranks;
}

}  // namespace

Plan make_plan(std::span<const Machine> services, Action action, ForcedEvent forced) {
  const std::vector<std::int64_t> ranks = ranks_of(services, action);
  std::vector<std::uint32_t> stage_of(services.size());
  Plan plan;
  plan.stages.assign(ranks.size() + 1, 0);
  for (std::size_t at = 0; at < services.size(); ++at) {
    const auto place = std::ranges::lower_bound(ranks, rank_of(services[at], action));
    stage_of[at] = static_cast<std::uint32_t>(place - ranks.begin());
    ++plan.stages[stage_of[at] + 1];
  }
  for (std::size_t stage = 1; stage < plan.stages.size(); ++stage) plan.stages[stage] += plan.stages[stage - 1];
  std::vector<std::uint32_t> next(plan.stages);
  plan.parts.resize(services.size());
  for (std::size_t at = 0; at < services.size(); ++at) {
    Part& part = plan.parts[next[stage_of[at]]++];
    part = part_of(services[at], static_cast<std::uint32_t>(at), action, forced);
    part.stage = stage_of[at];
  }
  for (std::uint32_t at = 0; at < plan.parts.size(); ++at) {
    if (plan.parts[at].builds) plan.builds.push_back(at);
  }
  return plan;
}

}  // namespace orlop
