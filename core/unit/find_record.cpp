#include "unit/find_record.h"

#include <utility>

#include "model/registry.h"
#include "unit/operation.h"
#include "unit/unique_name.h"

namespace orlop {

Result<Record> require(Unit& unit, const Family& family, const Id& id) {
  ORLOP_TRY(record, unit.record(id));
  if (!record || record->family != family.number) return not_found(words_for(family), id);
  return std::move(record).take();
}

Result<Machine> require_machine(Unit& unit, const Id& id) {
  ORLOP_TRY(machine, unit.machine(id));
  if (!machine) return not_found("resource", id);
  return std::move(machine).take();
}

Result<Shared<Record>> find_child(Unit& unit, const Id& parent, FamilyNumber family) {
  RecordRange range;
  range.key = parent;
  range.family = family;
  range.limit = 1;
  ORLOP_TRY(records, unit.records(range));
  return records.empty() ? Shared<Record>() : Shared<Record>(std::move(records.front()));
}

}  // namespace orlop
