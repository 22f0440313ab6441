// Lists of services with a filter.
#include <utility>
#include <vector>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "endpoints/services/parts/service_freshness.h"
#include "endpoints/services/parts/service_kind.h"
#include "lifecycle/state.h"
#include "records/render_records.h"
#include "records/variables/reach.h"
#include "unit/find_record.h"

namespace orlop::operation_sets::services::list_services {
namespace {

constexpr Field query[] = {boolean(
    "toUpdate", "Return only services whose configuration changed after their last deployment. Default: false.")};

// With toUpdate, lists only services whose configuration is newer than the deployed one.
Result<Answer> list_services(Unit& unit, const Call& call) {
  if (!query_flag(call, "toUpdate")) return orlop::list(unit, call);
  ORLOP_TRY(environment, require_environment(unit, call));
  ORLOP_TRY(machines, unit.machines(environment.id, call.family->number));
  ORLOP_TRY(mark, pending_mark(unit, environment.id));
  std::vector<Record> records;
  for (const Machine& machine : machines) {
    ORLOP_TRY(freshness, freshness_of(unit, mark, machine));
    if (freshness != Freshness::out_of_date) continue;
    ORLOP_TRY(record, require(unit, *call.family, machine.id));
    records.push_back(std::move(record));
  }
  return render_list(unit, call, *call.family, keep_named(call, *call.family, std::move(records)));
}

constexpr auto narrowed_kinds =
    static_cast<std::uint8_t>(static_cast<int>(ServiceKind::application) | static_cast<int>(ServiceKind::helm) |
                              static_cast<int>(ServiceKind::job));
constexpr auto other_kinds = static_cast<std::uint8_t>(every_kind & ~narrowed_kinds);
constexpr ReplacedVerb replaced[] = {
    {.verb = Verb::list, .handle = list_services, .query = query, .only = services_of(narrowed_kinds)},
    {.verb = Verb::list, .handle = list_services, .only = services_of(other_kinds)},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = all_services,
    .replaced = replaced,
};

}  // namespace orlop::operation_sets::services::list_services
