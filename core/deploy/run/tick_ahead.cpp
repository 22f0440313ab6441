// Instants of a simulation that share a commit. The driver's reports at one instant mostly change one environment, and
// a commit for each instant would cost more than that. The feed is the same as with one commit for each.
#include <algorithm>
#include <utility>

#include "deploy/run/tick_state.h"
#include "model/registry.h"

namespace orlop {
namespace {

// Bounds of a unit to which another instant is added: it stays in the fastest memory.
constexpr std::size_t shared_changes_max = 48;
constexpr std::size_t shared_reports_max = 16;  // of the instant

// Reports whether the unit has only moved machines and emitted events: other effects of a change, such as a webhook's
// message, would be made for the last instant.
bool has_only_moved(const Unit& unit) {
  const Changes& changes = unit.changes();
  return changes.records.empty() && changes.erasures.empty() && changes.coordination.empty() &&
         changes.forgotten_events == 0 && unit.woken().empty() && unit.posted().empty() && unit.jobs().empty() &&
         changes.machines.size() + changes.events.size() <= shared_changes_max;
}

}  // namespace

OptionalInstant Orchestrator::next_ahead(const Unit& unit, Moment at) const {
  State& state = *state_;
  const bool may_share = !is_withheld_ && !state.must_ask_first && !state.in_flight.turns().has_limits() &&
                         !state.environments.wants_reading() && !state.schedules.has_questions() &&
                         has_only_moved(unit);
  if (!may_share) return std::nullopt;
  const State::Pending pending = state.pending(at, true);
  const OptionalInstant others = earlier(pending.others, earlier(pending.schedule, pending.observation));
  const bool is_first = pending.driver && *pending.driver > at.now && (!others || *others > *pending.driver);
  return is_first ? pending.driver : OptionalInstant();
}

Result<bool> Orchestrator::tick_ahead(Unit& unit, Duration monotonic) {
  State& state = *state_;
  state.in_flight.synchronize(Moment(unit.now(), monotonic));
  state.uncommitted.begin_shared(unit.now());
  std::vector<Report>& said = state.uncommitted.tick().polled;
  state.driver.poll(unit.now(), said);
  const auto is_of_others = [&](const Report& report) {
    const StepPlace* const place =
        report.kind == ReportKind::running_state ? nullptr : state.in_flight.find(report.step);
    return place != nullptr && place->kind == SubjectKind::service &&
           std::ranges::find(unit.changes().machines, place->owner, &Machine::owner) == unit.changes().machines.end();
  };
  if (said.size() > shared_reports_max || !std::ranges::all_of(said, is_of_others)) {
    state.polled = said;
    state.uncommitted.tick().is_whole = true;
    return false;
  }
  ORLOP_CHECK(decide(unit, said, monotonic, false));
  return true;
}

}  // namespace orlop
