#include "operations/services/service_list.h"

#include <utility>
#include <vector>

#include "lifecycle/state.h"
#include "ops/verbs.h"
#include "operations/services/service_kind.h"
#include "operations/services/subject.h"

namespace orlop {
namespace {

constexpr Field query[] = {boolean("toUpdate", "Whether to list only services whose configuration is newer than what runs.")};

constexpr bool can_be_narrowed(ServiceKind kind) {
  return kind == ServiceKind::application || kind == ServiceKind::helm || kind == ServiceKind::job;
}

}  // namespace

Result<Answer> list_services(Unit& unit, const Call& call) {
  if (!query_flag(call, "toUpdate")) return list(unit, call);
  ORLOP_TRY(environment, require_environment(unit, call));
  ORLOP_TRY(machines, unit.machines(environment.id, call.family->number));
  std::vector<Record> records;
  for (const Machine& machine : machines) {
    if (static_cast<Freshness>(machine.freshness) != Freshness::out_of_date) continue;
    ORLOP_TRY(record, require(unit, *call.family, machine.id));
    records.push_back(std::move(record));
  }
  return render_list(unit, call, *call.family, records);
}

std::span<const Field> list_services_query(const Family& family) {
  const ServiceKindNames* enum_values = names_of_kind(family);
  return enum_values != nullptr && can_be_narrowed(enum_values->kind) ? std::span<const Field>(query) : std::span<const Field>();
}

}  // namespace orlop
