#include "records/tree/propagate.h"

#include "model/registry.h"

namespace orlop {
namespace {

bool has_freshness(const Family& family) {
  return family.machine == MachineKind::service || family.machine == MachineKind::cluster;
}

Result<void> mark(Unit& unit, const Id& subject) {
  return unit.hooks().edited == nullptr ? Result<void>() : unit.hooks().edited(unit, subject);
}

}  // namespace

Result<void> propagate(Unit& unit, const Family& family, const Record& record) {
  if (family.propagates == Propagation::self) return has_freshness(family) ? mark(unit, record.id) : Result<void>();
  ORLOP_TRY(parent, unit.record(record.parent));
  const Family* above = parent ? find_family(parent->family) : nullptr;
  if (above == nullptr) return {};
  return has_freshness(*above) ? mark(unit, parent->id) : Result<void>();
}

}  // namespace orlop
