#include "ops/lineage.h"

#include <iterator>

#include "model/registry.h"

namespace orlop {

Result<bool> Lineage::up() {
  if (at_.parent.is_nil()) return false;
  ORLOP_TRY(above, unit_.record(at_.parent));
  if (!above) return false;
  at_ = *above;
  return true;
}

Result<std::vector<Record>> inherited(Unit& unit, const Family& family, const Id& parent) {
  std::vector<Record> records;
  ORLOP_TRY(first, unit.record(parent));
  if (!first) return records;
  Lineage lineage(unit, *first);
  for (bool is_higher = true; is_higher;) {
    const Family* above = find_family(lineage.at().family);
    if (above != nullptr && may_be_parent(*above, family)) {
      RecordRange range;
      range.key = lineage.at().id;
      range.family = family.number;
      ORLOP_TRY(found, unit.records(range));
      records.insert(records.begin(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    }
    ORLOP_TRY(up, lineage.up());
    is_higher = up;
  }
  return records;
}

}  // namespace orlop
