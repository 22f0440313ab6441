// Instants of a simulation that share a commit. What a simulated driver says at one of them most often changes one environment alone, and a commit for each would cost more than that. The feed
// has what it has of one commit for each.
#include <algorithm>
#include <utility>

#include "deploy/run/tick_state.h"
#include "model/registry.h"

namespace orlop {
namespace {

constexpr std::size_t shared_changes_max = 48;  // of a unit to which another instant is added: it stays in the fastest memory
constexpr std::size_t shared_reports_max = 16;  // of the instant

// Whether the unit has moved machines and said so, and nothing else: what else follows from a change, such as a webhook's message, is made of the last instant.
bool has_only_moved(const Unit& unit) {
  const Changes& changes = unit.changes();
  return changes.records.empty() && changes.erasures.empty() && changes.coordination.empty() && changes.forgotten_events == 0 && unit.woken().empty() && unit.posted().empty() &&
         unit.jobs().empty() && changes.machines.size() + changes.events.size() <= shared_changes_max;
}

}  // namespace

OptionalInstant Orchestrator::next_ahead(const Unit& unit, Moment at) const {
  State& state = *state_;
  const bool is_settled = state.woken.empty() && state.suspects.empty() && state.held.empty() && state.polled.empty() && state.later.empty() && state.offers.empty() &&
                          !state.in_flight.has_asks() && !state.in_flight.turns().has_limits() && !state.environments.wants_reading() && !state.schedules.has_questions() &&
                          !state.must_ask_first && !is_withheld_;
  if (!is_settled || !has_only_moved(unit)) return std::nullopt;
  const auto said = state.driver.due();
  if (!said) return std::nullopt;
  const Instant measured = state.in_flight.measured(*said);
  const Instant next = at.now + Duration{measured.milliseconds - at.monotonic.milliseconds};
  const auto schedule = state.schedules.first(at);
  const bool is_first = next > at.now && !state.in_flight.deadline_by(measured) && (!schedule || *schedule > next);
  if (!is_first) return std::nullopt;
  return next;
}

Result<bool> Orchestrator::tick_ahead(Unit& unit, Duration monotonic) {
  State& state = *state_;
  state.in_flight.synchronize(Moment(unit.now(), monotonic));
  state.before.emplace_back();  // first: memory may run out
  std::swap(state.before.back(), state.unstored);
  state.unstored.at = unit.now();
  std::vector<Report>& said = state.unstored.polled;
  state.driver.poll(unit.now(), said);
  const auto is_of_others = [&](const Report& report) {
    const StepPlace* const place = report.kind == ReportKind::running_state ? nullptr : state.in_flight.find(report.step);
    return place != nullptr && place->kind == SubjectKind::service && std::ranges::find(unit.changes().machines, place->owner, &Machine::owner) == unit.changes().machines.end();
  };
  if (said.size() > shared_reports_max || !std::ranges::all_of(said, is_of_others)) {
    state.polled = said;
    state.unstored.is_whole = true;
    return false;
  }
  ORLOP_CHECK(decide(unit, said, monotonic, false));
  return true;
}

}  // namespace orlop
