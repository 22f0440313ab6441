#include "ops/tree/propagate.h"

#include <vector>

#include "model/registry.h"

namespace orlop {
namespace {

bool has_freshness(const Family& family) { return family.machine == MachineKind::service || family.machine == MachineKind::cluster; }

Result<void> mark(Unit& unit, const Id& subject) { return unit.hooks().edited == nullptr ? Result<void>() : unit.hooks().edited(unit, subject); }

// Whether services may lie below records of the family.
bool leads_to_services(const Family& family) {
  if (family.machine == MachineKind::environment) return true;
  for (const Family* child : all_families()) {
    if (!has_freshness(*child) && may_be_parent(family, *child) && leads_to_services(*child)) return true;
  }
  return false;
}

Result<void> mark_services_below(Unit& unit, const Id& id, const Family& family) {
  if (family.machine == MachineKind::environment) {
    ORLOP_TRY(machines, unit.machines(id));
    for (const Machine& machine : machines) {
      if (is_service(machine.family)) ORLOP_CHECK(mark(unit, machine.id));
    }
    return {};
  }
  for (const Family* child : all_families()) {
    if (has_freshness(*child) || !may_be_parent(family, *child) || !leads_to_services(*child)) continue;
    RecordRange range;
    range.key = id;
    range.family = child->number;
    range.fields = RecordRange::Fields::no_text;
    ORLOP_TRY(records, unit.records(range));
    for (const Record& record : records) ORLOP_CHECK(mark_services_below(unit, record.id, *child));
  }
  return {};
}

}  // namespace

Result<void> propagate(Unit& unit, const Family& family, const Record& record) {
  if (family.propagates == Propagation::self) return has_freshness(family) ? mark(unit, record.id) : Result<void>();
  ORLOP_TRY(parent, unit.record(record.parent));
  const Family* above = parent ? find_family(parent->family) : nullptr;
  if (above == nullptr) return {};
  if (has_freshness(*above)) return mark(unit, parent->id);
  return family.propagates == Propagation::subtree ? mark_services_below(unit, parent->id, *above) : Result<void>();
}

}  // namespace orlop
