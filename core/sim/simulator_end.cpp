// Detects deployments that do not end at one instant of a simulation.
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "model/registry.h"
#include "rest/feed/event_query.h"
#include "sim/simulator.h"
#include "unit/unique_name.h"
#include "unit/unit.h"

namespace orlop {
namespace {

constexpr std::size_t deployments_at_once_max = 500;  // of one environment or cluster, between two checks
constexpr std::size_t page_size = 1'000;              // events

}  // namespace

Result<void> Simulator::require_end(std::uint64_t since) {
  std::map<Id, std::size_t> begun;
  EventQuery query = {.since = since, .limit = page_size, .kinds = {"deployment.started"}};
  for (bool has_more = true; has_more;) {
    ORLOP_TRY(page, engine_->read_events(query));
    for (const Event& event : page.events) ++begun[event.owner];
    has_more = page.has_more;
    query.since = page.next;
  }
  const auto most = std::ranges::max_element(begun, {}, &std::pair<const Id, std::size_t>::second);
  if (most == begun.end() || most->second < deployments_at_once_max) return {};
  std::string shown = to_text(most->first);
  ORLOP_CHECK(engine_->perform([&](Unit& unit) -> Result<void> {
    ORLOP_TRY(record, unit.record(most->first));
    if (record) shown = std::string(find_family(record->family)->name) + " \"" + name_of(*record) + "\"";
    return {};
  }));
  return make_error(ErrorCode::driver_failed, "the " + shown + " is deployed again and again at " +
                                                  to_text(clock_.now()) + ": more than " +
                                                  std::to_string(deployments_at_once_max) +
                                                  " deployments of it have begun at this instant, as when each step "
                                                  "requests the next one; let time pass in between");
}

}  // namespace orlop
